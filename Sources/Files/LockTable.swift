import Glibc

/// The locks of flock(2) that the kernel lists in /proc/locks, as far as this process can see.
///
///     1: FLOCK  ADVISORY  WRITE 4711 fd:00:1234 0 EOF
///
/// that is number, kind, -, mode, process, device as major:minor in hex with the inode, range. A line whose kind is
/// "->" tells of a process that waits.
struct LockTable {
  /// The most bytes that are read of the list.
  static let textBytesMax = 4 << 20

  private struct Lock {
    let process: Int32
    let major: UInt64
    let minor: UInt64
    let inode: UInt64
  }

  private let locks: [Lock]

  /// The locks in the text of /proc/locks; lines of another form are passed over.
  init(text: [UInt8]) {
    locks = text.split(separator: UInt8(ascii: "\n")).compactMap { line in
      let fields = line.split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
      guard fields.count >= 6, fields[1] == "FLOCK", let process = Int32(fields[4]), process > 0 else { return nil }
      let place = fields[5].split(separator: ":")
      guard place.count == 3, let major = UInt64(place[0], radix: 16), let minor = UInt64(place[1], radix: 16),
        let inode = UInt64(place[2])
      else { return nil }
      return Lock(process: process, major: major, minor: minor, inode: inode)
    }
  }

  /// The list of now; nil where /proc is not there.
  static func ofHost() -> LockTable? {
    guard let proc = try? HostVolume(root: "/proc"), let file = try? proc.open("locks", for: .reading) else {
      return nil
    }
    defer { try? proc.close(file) }
    var text: [UInt8] = []
    while text.count < textBytesMax {
      var piece = [UInt8](repeating: 0, count: 16 << 10)
      guard let taken = try? piece.withUnsafeMutableBytes({ try proc.read(file, at: UInt64(text.count), into: $0) }),
        taken > 0
      else { break }
      text += piece[..<taken]
    }
    return LockTable(text: text)
  }

  /// The process that holds a lock of the file with this device, as stat(2) gives it, and inode.
  func holder(device: UInt64, inode: UInt64) -> Int32? {
    // The bits of major and minor as glibc's dev_t mixes them.
    let major = device >> 8 & 0xFFF | device >> 32 & ~0xFFF
    let minor = device & 0xFF | device >> 12 & 0xFFFF_FF00
    return locks.first { $0.inode == inode && $0.major == major && $0.minor == minor }?.process
  }
}
