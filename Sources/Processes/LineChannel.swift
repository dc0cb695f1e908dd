import Glibc
import Synchronization

/// Lines in and out of a pipe or socket, each with a deadline.
///
/// A line is bytes up to a newline, which is neither given nor returned. One thread may send while another receives.
package final class LineChannel: Sendable {
  /// The longest line, where nothing else is said: 64 MiB.
  package static let lineBytesMax = 64 << 20

  /// What is read from; to be polled together with others. Lines already taken in are not seen by poll.
  package let reading: Descriptor
  /// What is written to.
  package let writing: Descriptor
  private let lineBytesMax: Int
  private let buffer = Mutex(Buffer())
  private let order = Mutex(())

  private struct Buffer: Sendable {
    var bytes: [UInt8] = []
    var start = 0
    /// Everything before it holds no newline.
    var searched = 0
    var isAtEnd = false
  }

  /// A channel over two descriptors, which may be the same.
  package init(reading: Descriptor, writing: Descriptor, lineBytesMax: Int = LineChannel.lineBytesMax) {
    BrokenPipe.becomesAnError
    self.reading = reading
    self.writing = writing
    self.lineBytesMax = lineBytesMax
  }

  /// Lines of this program's own standard input and output.
  package static func standard() -> LineChannel { LineChannel(reading: .standardInput, writing: .standardOutput) }

  /// True where a line waits that was read already, so that poll would not tell.
  package var hasLineWaiting: Bool {
    buffer.withLock { $0.isAtEnd || newline(in: $0.bytes, from: $0.start) != nil }
  }

  /// Sends the bytes and a newline.
  ///
  /// - Throws: EPIPE where nobody reads any more, ETIMEDOUT at the deadline (part of the line may have gone out).
  package func send(_ line: [UInt8], until deadline: Deadline = .never) throws(ProcessCallError) {
    let result: Result<Void, ProcessCallError> = order.withLock { _ in
      do throws(ProcessCallError) {
        return .success(try writeAll(line + [UInt8(ascii: "\n")], to: writing.number, until: deadline))
      } catch {
        return .failure(error)
      }
    }
    try result.get()
  }

  /// The next line, or nil at the end; what stands behind the last newline is a line too.
  ///
  /// - Throws: ETIMEDOUT at the deadline (call again to go on), EMSGSIZE for a line over the limit.
  package func receive(until deadline: Deadline = .never) throws(ProcessCallError) -> [UInt8]? {
    let result: Result<[UInt8]?, ProcessCallError> = buffer.withLock { buffer in
      do throws(ProcessCallError) {
        while true {
          let line = take(from: &buffer)
          if line?.count ?? (buffer.bytes.count - buffer.start) > lineBytesMax {
            throw ProcessCallError("line", "", EMSGSIZE)
          }
          if let line { return .success(line) }
          if buffer.isAtEnd { return .success(last(of: &buffer)) }
          try fill(&buffer, until: deadline)
        }
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  private func take(from buffer: inout Buffer) -> [UInt8]? {
    guard let newline = newline(in: buffer.bytes, from: buffer.searched) else {
      buffer.searched = buffer.bytes.count
      return nil
    }
    let line = Array(buffer.bytes[buffer.start..<newline])
    buffer.start = newline + 1
    buffer.searched = buffer.start
    if buffer.start == buffer.bytes.count { buffer = Buffer(isAtEnd: buffer.isAtEnd) }
    return line
  }

  private func last(of buffer: inout Buffer) -> [UInt8]? {
    let line = Array(buffer.bytes[buffer.start...])
    buffer = Buffer(isAtEnd: true)
    return line.isEmpty ? nil : line
  }

  private func fill(_ buffer: inout Buffer, until deadline: Deadline) throws(ProcessCallError) {
    if buffer.start > 0 {
      buffer.bytes.removeFirst(buffer.start)
      buffer.searched -= buffer.start
      buffer.start = 0
    }
    guard let piece = try readSome(from: reading.number, bytesMax: 64 << 10, until: deadline) else {
      throw ProcessCallError("read", "", ETIMEDOUT)
    }
    if piece.isEmpty { buffer.isAtEnd = true } else { buffer.bytes += piece }
  }
}

/// The place of the first newline; memchr(3), since lines may have many megabytes.
private func newline(in bytes: [UInt8], from start: Int) -> Int? {
  bytes.withUnsafeBytes { all in
    guard let base = all.baseAddress, start < all.count else { return nil }
    return memchr(base + start, 0x0A, all.count - start).map { base.distance(to: UnsafeRawPointer($0)) }
  }
}

/// Bytes that are there now, empty at the end of the file, nil where none came until the deadline.
package func readSome(
  from descriptor: CInt, bytesMax: Int, until deadline: Deadline
) throws(ProcessCallError) -> [UInt8]? {
  guard !(try waitReadable([descriptor], until: deadline)).isEmpty else { return nil }
  var failure: CInt = 0
  let bytes = [UInt8](unsafeUninitializedCapacity: bytesMax) { buffer, count in
    let result = read(descriptor, buffer.baseAddress, bytesMax)
    if result < 0 { failure = errno } else { count = result }
  }
  if failure == EINTR || failure == EAGAIN {
    return try readSome(from: descriptor, bytesMax: bytesMax, until: deadline)
  }
  if failure != 0 { throw ProcessCallError("read", "", failure) }
  return bytes
}

/// Writes everything, never blocking beyond the deadline and without changing the descriptor's flags.
func writeAll(_ bytes: [UInt8], to descriptor: CInt, until deadline: Deadline) throws(ProcessCallError) {
  var done = 0
  while done < bytes.count {
    let ready = try waitReady([(descriptor, Int16(POLLOUT))], until: deadline)
    if ready == [0] { throw ProcessCallError("write", "", ETIMEDOUT) }
    // poll promises room for PIPE_BUF bytes, no more; a larger piece could block.
    let size = min(bytes.count - done, pieceBytes)
    let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress?.advanced(by: done), size) }
    let number = errno
    if count >= 0 {
      done += count
    } else if number != EINTR && number != EAGAIN {
      throw ProcessCallError("write", "", number)
    }
  }
}

private let pieceBytes = 4096
