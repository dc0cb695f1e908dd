import Archives
import Files
import LNoteFormat
import Terminal

/// What is said of archives, and of files that are not all here.
extension Sentences {
  static func entries(_ count: Int) -> String { Figures.counted(count, "whole entry", "whole entries") }

  /// The entry in which an archive ends.
  static func archiveEnd(_ cut: ArchiveAccount.Part?) -> [String] {
    var lines: [String] = []
    if let cut {
      let size = cut.expected.map { " of \(bytes($0))" } ?? ""
      lines.append("Of \(cut.path) the first \(grouped(cut.bytes))\(size) are there.")
    }
    return lines + ["How much is missing behind it cannot be seen; each document below says what it misses."]
  }

  static func someEntries(_ entries: ArchiveAccount.Entries, _ text: String) -> String {
    "\(text): \(Figures.counted(entries.count, "entry", "entries"))."
  }

  static func examples(_ entries: ArchiveAccount.Entries) -> String {
    entries.examples.map { "\($0)" }.joined(separator: ", ")
      + (entries.count > entries.examples.count ? ", …" : "")
  }

  static func unpacksToTooMuch(_ limit: UInt64) -> String {
    "The archive unpacks to more than \(size(limit)), a hundred times what it has itself: it was read no further."
  }

  static func holdsTooMany(_ limit: Int) -> String {
    "The archive holds more than \(Figures.grouped(limit)) entries: it was read no further."
  }

  static func noRoomToUnpack(_ failure: FileCallFailure) -> String {
    "The archive could not be held for the check: \(reason(failure)). Name a folder with more room in TMPDIR."
  }

  static let keepsItsPlace = "It keeps its place, and nothing is recorded as lost: it may be found yet."
  static let assetStaysAsIs = "It stays: what is not here may use it."

  static func allAreWhole(_ count: Int) -> String {
    count == 1 ? "The page itself is whole." : "All \(Figures.grouped(count)) pages are whole."
  }

  /// "page 4", "pages 4, 5 and 17".
  static func pageNumbers(_ numbers: [Int]) -> String {
    (numbers.count == 1 ? "page " : "pages ") + list(numbers.map { Figures.grouped($0) })
  }

  /// "a", "a and b", "a, b and c".
  static func list(_ words: [String]) -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " and \(last)"
  }

  /// The first few of these paths.
  static func some(_ paths: [BytePath], most: Int = 3) -> String {
    let names = paths.prefix(most).map { "\($0)" }
    return paths.count > most ? names.joined(separator: ", ") + ", …" : list(names)
  }

  static func leftOut(_ things: [PackageCopy.LeftOut]) -> String {
    let names = things.prefix(3).map { "\($0.path) (\(kindAlone($0.kind)))" }
    let text = things.count > 3 ? names.joined(separator: ", ") + ", …" : list(names)
    return "Not in the copy, since only files and folders are copied: \(text)."
  }

  /// What is to be known before something is changed in a folder that a service syncs.
  static func synced(_ synced: SyncedFolder) -> String {
    "\(synced.folder) is synced by \(synced.service.rawValue), so that what a repair changes or sets aside there reaches "
      + "all devices: better write a repaired copy elsewhere with --to, or set aside elsewhere with --quarantine."
  }

  static func foundElsewhere(_ file: FoundFile) -> String { "A whole copy was found: \(file.shown)." }

  static func isOlder(found: UInt64, expected: UInt64) -> String {
    "It is an older version (\(grouped(found)), and the document expects \(grouped(expected))): what was drawn since is not in it."
  }

  static func cannotBeCopied(_ path: BytePath, _ kind: FileKind) -> String {
    "\(path) is \(kindAlone(kind)), which is set aside beside the document and cannot be copied to another folder. "
      + "Nothing more was changed. Repair this document without --quarantine."
  }

  private static func kindAlone(_ kind: FileKind) -> String {
    switch kind {
    case .symbolicLink: "a symbolic link"
    case .directory: "a folder"
    case .fifo: "a pipe (FIFO)"
    case .socket: "a socket"
    case .blockDevice, .characterDevice: "a device"
    default: "of an unknown kind"
    }
  }

  static func removedCopies(_ copies: [BytePath]) -> String {
    "An unfinished copy that an earlier run left behind was removed: \(some(copies))."
  }
}
