import Glibc

extension Volume {
  /// Reads a whole regular file.
  ///
  /// - Throws: EFBIG where it holds more than `sizeMax` bytes, EISDIR or EINVAL where it is no regular file, and
  ///   whatever the calls throw.
  package func readWhole(_ path: BytePath, sizeMax: Int) throws(FileCallError) -> [UInt8] {
    try reading(path) { file throws(FileCallError) in try readWhole(file, at: path, sizeMax: sizeMax) }
  }

  /// The same with a file that is open already.
  func readWhole(_ file: OpenFile, at path: BytePath, sizeMax: Int) throws(FileCallError) -> [UInt8] {
    let status = try status(of: file)
    guard status.kind == .regular else { throw FileCallError("open", [path], Errno(rawValue: EINVAL)) }
    guard status.size <= UInt64(sizeMax) else { throw FileCallError("read", [path], Errno(rawValue: EFBIG)) }
    return try readAll(of: file, path: path, sizeExpected: Int(status.size), sizeMax: sizeMax)
  }

  /// Opens a file for reading, and closes it behind `read`.
  func reading<Value>(
    _ path: BytePath, _ read: (OpenFile) throws(FileCallError) -> Value
  ) throws(FileCallError) -> Value {
    let file = try open(path, for: .reading)
    do throws(FileCallError) {
      let value = try read(file)
      try close(file)
      return value
    } catch {
      try? close(file)
      throw error
    }
  }

  /// Writes all the bytes at `offset`, going on behind short writes.
  package func writeWhole(_ file: OpenFile, at offset: UInt64 = 0, _ bytes: [UInt8]) throws(FileCallError) {
    var done = 0
    while done < bytes.count {
      done += try writePiece(file, at: offset + UInt64(done), bytes, from: done)
    }
  }

  private func writePiece(
    _ file: OpenFile, at offset: UInt64, _ bytes: [UInt8], from start: Int
  ) throws(FileCallError)
    -> Int
  {
    var outcome: Result<Int, FileCallError> = .success(0)
    bytes.withUnsafeBytes { all in
      do throws(FileCallError) {
        outcome = .success(try write(file, at: offset, UnsafeRawBufferPointer(rebasing: all[start...])))
      } catch {
        outcome = .failure(error)
      }
    }
    return try outcome.get()
  }

  private func readAll(
    of file: OpenFile, path: BytePath, sizeExpected: Int, sizeMax: Int
  ) throws(FileCallError)
    -> [UInt8]
  {
    // One byte more than expected, so that a file that grew meanwhile is seen.
    var room = min(sizeExpected, sizeMax) + 1
    var bytes = try readPiece(of: file, at: 0, sizeMax: room)
    // A file that grew, or one of those in /proc that claim to be empty: on to its end.
    while bytes.count == room && room <= sizeMax {
      room = min(max(2 * room, 64 << 10), sizeMax + 1)
      bytes += try readPiece(of: file, at: UInt64(bytes.count), sizeMax: room - bytes.count)
    }
    if bytes.count > sizeMax { throw FileCallError("read", [path], Errno(rawValue: EFBIG)) }
    return bytes
  }

  private func readPiece(of file: OpenFile, at offset: UInt64, sizeMax: Int) throws(FileCallError) -> [UInt8] {
    var failure: FileCallError?
    let bytes = [UInt8](unsafeUninitializedCapacity: sizeMax) { buffer, count in
      do throws(FileCallError) {
        while count < sizeMax {
          let free = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[count..<sizeMax])
          let taken = try read(file, at: offset + UInt64(count), into: free)
          if taken == 0 { break }
          count += taken
        }
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return bytes
  }
}
