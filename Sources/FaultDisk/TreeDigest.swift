import Bytes
import Files

/// A number that stands for a tree of files.
///
/// It is equal for equal names, kinds, permissions, bytes, texts of symbolic links, and extended attributes of users.
package enum TreeDigest {
  /// The most names of a directory.
  package static let entriesMax = 1 << 20

  /// The digest of everything in a volume but the root's own permissions. Link counts, times and owners do not matter.
  package static func digest(of volume: any Volume) throws(FileCallError) -> Digest128 {
    let stream = XXH3Stream()
    var waiting: [BytePath] = [.root]
    while let path = waiting.popLast() {
      for entry in try volume.entries(of: path, countMax: entriesMax) {
        let inner = path.appending(entry.name)
        let status = try volume.status(at: inner)
        var head = ByteWriter()
        head.write(UInt32(inner.bytes.count))
        head.write(bytes: inner.bytes)
        head.write(bytes: status.kind.rawValue.utf8)
        head.write(status.permissions)
        head.write(status.kind == .directory ? 0 : status.size)
        stream.update(head.bytes)
        if status.kind == .directory {
          waiting.append(inner)
          try digestAttributes(of: inner, in: volume, into: stream)
        }
        if status.kind == .symbolicLink { stream.update(try volume.linkText(at: inner).bytes) }
        if status.kind == .regular { try digestContent(of: inner, in: volume, into: stream) }
      }
    }
    return stream.digest128
  }

  private static func digestAttributes(
    of directory: BytePath, in volume: any Volume, into stream: XXH3Stream
  ) throws(FileCallError) {
    let file = try volume.open(directory, for: .directory)
    defer { try? volume.close(file) }
    digest(try volume.userAttributes(of: file), into: stream)
  }

  /// Adds nothing where there are none, so that trees without them keep their digest.
  private static func digest(_ attributes: [BytePath: [UInt8]], into stream: XXH3Stream) {
    for (name, value) in attributes.sorted(by: { $0.key < $1.key }) {
      var head = ByteWriter()
      head.write(UInt32(name.bytes.count))
      head.write(bytes: name.bytes)
      head.write(UInt32(value.count))
      stream.update(head.bytes)
      stream.update(value)
    }
  }

  private static func digestContent(
    of path: BytePath, in volume: any Volume, into stream: XXH3Stream
  ) throws(FileCallError) {
    let file = try volume.open(path, for: .reading)
    defer { try? volume.close(file) }
    digest(try volume.userAttributes(of: file), into: stream)
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: FaultDisk.pieceBytes, alignment: 16)
    defer { piece.deallocate() }
    var offset: UInt64 = 0
    while true {
      let count = try volume.read(file, at: offset, into: piece)
      if count == 0 { return }
      stream.update(UnsafeRawBufferPointer(rebasing: piece[..<count]))
      offset += UInt64(count)
    }
  }
}
