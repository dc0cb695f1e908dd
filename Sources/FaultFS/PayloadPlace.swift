import CFuse
import FaultDisk
import Files
import Glibc

/// Receives requests so that the bytes of a write arrive where the disk keeps them, and are never copied in here.
///
/// A request is read in two pieces: its head into libfuse's buffer, what follows to the end of the disk's log. Of a write
/// the head is exactly what stands before the bytes. What follows of any other request is little, and is put together
/// again in libfuse's buffer. All of it happens on the session's thread.
struct PayloadPlace {
  /// `struct fuse_in_header` and `struct fuse_write_in` of linux/fuse.h, in bytes.
  private static let headBytes = RequestHead.bytes + 40

  /// Where the next bytes can go; nil where that has to be asked.
  private var place: UnsafeMutableRawPointer?
  private var received: UnsafeRawBufferPointer?

  /// Hands out the bytes of the write that is being answered, as libfuse found them or where they really are.
  ///
  /// Where a rule was armed meanwhile that spoils more than their end, they are a copy: what it makes of them goes where
  /// they stand.
  func withBytes<R>(
    _ found: UnsafeRawBufferPointer, _ engine: inout DiskEngine,
    _ body: (inout DiskEngine, UnsafeRawBufferPointer) throws(Errno) -> R
  ) throws(Errno) -> R {
    guard let received, received.count >= found.count else { return try body(&engine, found) }
    let bytes = UnsafeRawBufferPointer(rebasing: received[..<found.count])
    if engine.takesWritesInPlace { return try body(&engine, bytes) }
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 16)
    defer { copy.deallocate() }
    copy.copyMemory(from: bytes)
    engine.takeBackPlaceForWrite()
    return try body(&engine, UnsafeRawBufferPointer(copy))
  }

  /// The disk has moved on: a write is through, or rules have changed.
  mutating func forget() {
    place = nil
    received = nil
  }

  /// Reads one request as read(2) does.
  mutating func receive(
    _ descriptor: CInt, into buffer: UnsafeMutableRawPointer, _ size: Int, for disk: FaultDisk
  ) -> Int {
    received = nil
    let restMax = size - PayloadPlace.headBytes
    if place == nil { place = disk.withEngine { SendablePlace($0.placeForWrite(bytesMax: restMax)) }.start }
    guard let place else { return Glibc.read(descriptor, buffer, size) }
    let count = PayloadPlace.read(descriptor, buffer, place, restMax)
    guard count > PayloadPlace.headBytes else { return count }
    let rest = UnsafeRawBufferPointer(start: place, count: count - PayloadPlace.headBytes)
    let head = RequestHead(UnsafeRawBufferPointer(start: buffer, count: PayloadPlace.headBytes))
    if head?.opcode == RequestHead.Opcode.write {
      received = rest
    } else {
      UnsafeMutableRawBufferPointer(start: buffer + PayloadPlace.headBytes, count: rest.count).copyMemory(from: rest)
    }
    return count
  }

  private static func read(
    _ descriptor: CInt, _ head: UnsafeMutableRawPointer, _ rest: UnsafeMutableRawPointer, _ restMax: Int
  ) -> Int {
    withUnsafeTemporaryAllocation(of: iovec.self, capacity: 2) { pieces in
      pieces.initializeElement(at: 0, to: iovec(iov_base: head, iov_len: headBytes))
      pieces.initializeElement(at: 1, to: iovec(iov_base: rest, iov_len: restMax))
      return readv(descriptor, pieces.baseAddress, 2)
    }
  }
}

/// A pointer that crosses the disk's lock; only the session's thread uses it.
private struct SendablePlace: @unchecked Sendable {
  let start: UnsafeMutableRawPointer?
  init(_ start: UnsafeMutableRawPointer?) { self.start = start }
}
