import Files

/// What `/proc/self/mountinfo` says, as far as it is about FUSE file systems of ours.
struct MountTable: Equatable {
  /// One mount.
  struct Entry: Equatable {
    /// Where it is mounted, absolute, escapes undone.
    let mountPoint: BytePath
    /// The file system type: "fuse.faultfs", or "fuseblk.faultfs" where sync(2) is seen.
    let kind: String
    /// What is mounted: "faultfs-4711".
    let source: String

    /// The process that serves it; nil where it is none of ours.
    var server: Int32? {
      switch kind {
      case MountTable.kindOfOurs: MountName.server(of: source)
      // The source is the path of a block device, and the last name of it ours.
      case MountTable.blockKindOfOurs:
        source.split(separator: "/").last.flatMap { MountName.server(of: String($0)) }
      default: nil
      }
    }
    /// True where it is of our type, whoever serves it.
    var isOurs: Bool { kind == MountTable.kindOfOurs || kind == MountTable.blockKindOfOurs }
  }

  /// The mounts, in the kernel's order: a later one lies over an earlier one of the same place.
  let entries: [Entry]

  /// The type of our mounts, as the kernel shows it.
  static let kindOfOurs = "fuse.\(MountName.subtype)"
  /// The type of our mounts on a block device.
  static let blockKindOfOurs = "fuseblk.\(MountName.subtype)"

  /// Reads the table's text; lines of another shape are passed over.
  ///
  ///     36 35 98:0 /root /mount\040point rw,noatime shared:1 - fuse.faultfs faultfs-4711 rw
  ///      0  1    2     3              4          5        6… ^            ^
  ///                                       any number of optional fields   behind the hyphen: type, source
  init(text: [UInt8]) {
    entries = text.split(separator: UInt8(ascii: "\n")).compactMap { line in
      let fields = line.split(separator: UInt8(ascii: " "))
      guard fields.count > 6, let hyphen = fields[6...].firstIndex(where: { $0.elementsEqual("-".utf8) }),
        fields.count > hyphen + 2
      else { return nil }
      return Entry(
        mountPoint: BytePath(bytes: MountTable.unescaped(fields[4])),
        kind: String(decoding: MountTable.unescaped(fields[hyphen + 1]), as: UTF8.self),
        source: String(decoding: MountTable.unescaped(fields[hyphen + 2]), as: UTF8.self))
    }
  }

  /// Our mounts whose server no longer lives.
  func stale(isAlive: (Int32) -> Bool) -> [Entry] {
    entries.filter { entry in
      guard let server = entry.server else { return false }
      return !isAlive(server)
    }
  }

  /// The mount that is seen at exactly this place.
  func top(at mountPoint: BytePath) -> Entry? { entries.last { $0.mountPoint == mountPoint } }

  /// Undoes the kernel's octal escapes: `\040` is a space, `\134` a backslash.
  static func unescaped(_ field: some Collection<UInt8>) -> [UInt8] {
    let bytes = Array(field)
    var result: [UInt8] = []
    var place = 0
    while place < bytes.count {
      if bytes[place] == UInt8(ascii: "\\"), let byte = octalByte(bytes[(place + 1)...].prefix(3)) {
        result.append(byte)
        place += 4
      } else {
        result.append(bytes[place])
        place += 1
      }
    }
    return result
  }

  private static func octalByte(_ digits: ArraySlice<UInt8>) -> UInt8? {
    guard digits.count == 3 else { return nil }
    var value = 0
    for digit in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "7")).contains(digit) else { return nil }
      value = value * 8 + Int(digit - UInt8(ascii: "0"))
    }
    return UInt8(exactly: value)
  }
}

/// How our mounts are called in the kernel's table, so that a later start can tell whose they are.
enum MountName {
  /// Makes the type "fuse.faultfs".
  static let subtype = "faultfs"

  /// The source of a mount that this process serves.
  static func source(server: Int32) -> String { "faultfs-\(server)" }

  /// The process that serves a mount of this source; nil where it is none of ours.
  static func server(of source: String) -> Int32? {
    let prefix = "faultfs-"
    guard source.hasPrefix(prefix) else { return nil }
    let digits = source.dropFirst(prefix.count)
    guard let number = Int32(digits), number > 0, digits.allSatisfy(\.isNumber) else { return nil }
    return number
  }
}
