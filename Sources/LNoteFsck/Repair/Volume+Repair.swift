import Bytes
import Files
import Glibc

extension Volume {
  /// What stands at the path; nil where nothing does.
  func kind(at path: BytePath) throws(FileCallError) -> FileKind? {
    do throws(FileCallError) {
      return try status(at: path).kind
    } catch {
      if error.errno.name == "ENOENT" { return nil }
      throw error
    }
  }

  /// fsync of a folder.
  func synchronizeDirectory(_ path: BytePath) throws(FileCallError) {
    let folder = try open(path, for: .directory)
    do throws(FileCallError) {
      try synchronize(folder)
    } catch {
      try? close(folder)
      throw error
    }
    try close(folder)
  }

  /// Makes a folder where none is, and its name durable.
  func makeDirectoryWhereMissing(_ path: BytePath) throws(FileCallError) {
    do throws(FileCallError) {
      try makeDirectory(path, permissions: 0o755)
    } catch {
      if error.errno.name == "EEXIST", try kind(at: path) == .directory { return }
      throw error
    }
    try synchronizeDirectory(path.parent)
  }

  /// Gives a file a second name; false where the file system has no second names.
  func linkWherePossible(_ source: BytePath, to target: BytePath) throws(FileCallError) -> Bool {
    do throws(FileCallError) {
      try link(source, to: target)
      return true
    } catch {
      if ["EPERM", "ENOTSUP", "ENOSYS", "EMLINK", "EXDEV"].contains(error.errno.name) { return false }
      throw error
    }
  }

  /// The XXH3-128 of a file in hexadecimal digits, and its size; read piece by piece.
  func digest(of path: BytePath) throws(FileCallError) -> (text: String, size: UInt64) {
    let stream = XXH3Stream()
    var size: UInt64 = 0
    try readPieces(of: path) { (piece) throws(FileCallError) in
      stream.update(piece)
      size += UInt64(piece.count)
    }
    return (stream.digest128.digits, size)
  }

  /// Copies a file of this volume to a new one of `other`, and syncs it; nothing is left of it where that fails.
  func copyFile(
    _ source: BytePath, to target: BytePath, of other: any Volume, permissions: UInt16,
    modified: Int64? = nil, progress: (Int) -> Void = { _ in }
  ) throws(FileCallError) {
    let file = try other.open(target, for: .creating(permissions: 0o600))
    do throws(FileCallError) {
      var offset: UInt64 = 0
      var written: UInt64 = 0
      try readPieces(of: source) { (piece) throws(FileCallError) in
        // Zeros are left out: the hole of a huge file stays one.
        let isHole = piece.isAllZero
        var done = isHole ? piece.count : 0
        while done < piece.count {
          done += try other.write(file, at: offset + UInt64(done), UnsafeRawBufferPointer(rebasing: piece[done...]))
        }
        offset += UInt64(piece.count)
        if !isHole { written = offset }
        progress(piece.count)
      }
      if written < offset { try other.truncate(file, to: offset) }
      try other.setAttributes(file, permissions: permissions, modified: modified)
      try other.synchronize(file)
    } catch {
      try? other.close(file)
      try? other.unlink(target)
      throw error
    }
    try other.close(file)
  }

  private func readPieces(
    of path: BytePath, _ body: (UnsafeRawBufferPointer) throws(FileCallError) -> Void
  ) throws(FileCallError) {
    let file = try open(path, for: .reading)
    defer { try? close(file) }
    // A small file needs no more room than it takes, and one byte, at which its end is seen.
    let size = min(Int(clamping: try status(of: file).size), SurveyLimits.pieceBytes - 1)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: size + 1, alignment: 16)
    defer { buffer.deallocate() }
    var offset: UInt64 = 0
    while true {
      let taken = try read(file, at: offset, into: buffer)
      if taken == 0 { return }
      try body(UnsafeRawBufferPointer(rebasing: buffer[..<taken]))
      offset += UInt64(taken)
    }
  }
}

extension Digest128 {
  /// 32 hexadecimal digits, the higher half first.
  var digits: String {
    [high, low].map { half in
      let digits = String(half, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}

extension UnsafeRawBufferPointer {
  /// True where every byte is zero; compared by the C library, so that it is quick in every build.
  fileprivate var isAllZero: Bool {
    guard let base = baseAddress, first == 0 else { return false }
    return memcmp(base, base + 1, count - 1) == 0
  }
}
