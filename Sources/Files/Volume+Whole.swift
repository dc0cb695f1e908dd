import Glibc

extension Volume {
  /// Reads a whole regular file.
  ///
  /// - Throws: EFBIG where it holds more than `sizeMax` bytes, EISDIR or EINVAL where it is no regular file, and
  ///   whatever the calls throw.
  package func readWhole(_ path: BytePath, sizeMax: Int) throws(FileCallError) -> [UInt8] {
    let file = try open(path, for: .reading)
    do throws(FileCallError) {
      let status = try status(of: file)
      guard status.kind == .regular else { throw FileCallError("open", [path], Errno(rawValue: EINVAL)) }
      guard status.size <= UInt64(sizeMax) else { throw FileCallError("read", [path], Errno(rawValue: EFBIG)) }
      let bytes = try readAll(of: file, path: path, sizeExpected: Int(status.size), sizeMax: sizeMax)
      try close(file)
      return bytes
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
    var failure: FileCallError?
    // One byte more than expected, so that a file that grew meanwhile is seen.
    let room = min(sizeExpected, sizeMax) + 1
    let bytes = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
      do throws(FileCallError) {
        while count < room {
          let free = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[count...])
          let taken = try read(file, at: UInt64(count), into: free)
          if taken == 0 { break }
          count += taken
        }
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    if bytes.count > sizeMax { throw FileCallError("read", [path], Errno(rawValue: EFBIG)) }
    return bytes
  }
}
