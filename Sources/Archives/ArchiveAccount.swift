import Files

/// What came of reading an archive: what was held, what was not, and where it ended.
package struct ArchiveAccount: Sendable {
  /// How the reading ended.
  package enum End: Hashable, Sendable {
    /// At the archive's own end.
    case whole
    /// The bytes are not an archive's from some place on; what the library said, for whoever looks into it.
    case damaged(String)
    /// It unpacks to more than this.
    case tooLarge(limit: UInt64)
    /// It holds more entries or longer names than are taken.
    case tooMany(limit: Int)
  }

  /// An entry that is there in part.
  package struct Part: Hashable, Sendable {
    /// Its path in the archive.
    package let path: BytePath
    /// How many bytes of it are there.
    package let bytes: UInt64
    /// How many there should be; nil where the archive does not say.
    package let expected: UInt64?
  }

  /// Entries of one kind: how many, and the first few.
  package struct Entries: Hashable, Sendable {
    /// How many names are kept.
    static let examplesMax = 3
    /// How many.
    package private(set) var count = 0
    /// The first of them.
    package private(set) var examples: [BytePath] = []

    mutating func add(_ path: BytePath) {
      count += 1
      if examples.count < Entries.examplesMax { examples.append(path) }
    }
  }

  /// How it ended.
  package internal(set) var end = End.whole
  /// How many entries are held.
  package internal(set) var held = 0
  /// The entry in which it ended; nil where it did not end in one.
  package internal(set) var cut: Part?
  /// Entries whose content does not agree with the archive's own checksum, or cannot be unpacked.
  package internal(set) var damaged = Entries()
  /// Entries that only a password opens.
  package internal(set) var encrypted = Entries()
  /// Entries whose names lead out of the archive ("..") or are too long; they are left out.
  package internal(set) var outside = Entries()
  /// Entries whose names begin at the root of a disk; they are read as if they did not.
  package internal(set) var absolute = Entries()
  /// Entries whose name another one has already; the later whole one counts.
  package internal(set) var doubled = Entries()

  /// True where nothing is missing and nothing is strange.
  package var isWhole: Bool {
    end == .whole && [damaged, encrypted, outside, absolute, doubled].allSatisfy { $0.count == 0 }
  }
}
