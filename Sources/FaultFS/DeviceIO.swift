import CFuse
import FileTracing
import Glibc

/// How libfuse reads from and writes to /dev/fuse here: as it would by itself, but for one number of the first answer.
///
/// A write(2) past the page cache arrives in requests of at most `max_pages` pages of the program's memory. Where the
/// program's buffer does not begin on a page, 256 pages hold less than 1 MiB, so the cuts would move with the address of
/// the buffer and the same program would make other operations from run to run. With room for one page more than
/// `max_write` needs, each piece is `max_write` bytes whatever the address. The kernel takes no more than 256 pages and
/// libfuse always asks for as many pages as `max_write` fills, so `max_write` is lowered behind its back.
enum DeviceIO {
  /// The calls for `fuse_session_custom_io`.
  static var calls: fuse_custom_io {
    var calls = fuse_custom_io()
    calls.read = { descriptor, buffer, size, context in
      guard let context, let buffer else { return Glibc.read(descriptor, buffer, size) }
      let handler = Unmanaged<RequestHandler>.fromOpaque(context).takeUnretainedValue()
      // What is held must not lie where the next request arrives.
      if handler.turns != nil { return Glibc.read(descriptor, buffer, size) }
      return handler.payload.receive(descriptor, into: buffer, size, for: handler.disk)
    }
    calls.writev = { descriptor, pieces, count, context in
      if let context, let pieces {
        let handler = Unmanaged<RequestHandler>.fromOpaque(context).takeUnretainedValue()
        if let held = handler.hold(UnsafeBufferPointer(start: pieces, count: Int(count))) { return held }
        if !handler.hasAnsweredFirst && count == 2 {
          handler.hasAnsweredFirst = true
          DeviceIO.lowerWriteSize(UnsafeMutableRawBufferPointer(start: pieces[1].iov_base, count: pieces[1].iov_len))
        }
      }
      return Glibc.writev(descriptor, pieces, count)
    }
    return calls
  }

  /// Where `struct fuse_init_out` of linux/fuse.h holds the version of the protocol, a UInt32.
  private static let versionOffset = 0
  /// Where it holds `max_write`, a UInt32.
  private static let writeSizeOffset = 20
  /// The protocol that this layout is known of.
  private static let versionKnown: UInt32 = 7

  /// Changes `max_write` in the body of the answer to INIT; leaves what looks otherwise alone.
  static func lowerWriteSize(_ body: UnsafeMutableRawBufferPointer) {
    guard body.count >= writeSizeOffset + 4,
      body.loadUnaligned(fromByteOffset: versionOffset, as: UInt32.self) == versionKnown
    else { return }
    let asked = body.loadUnaligned(fromByteOffset: writeSizeOffset, as: UInt32.self)
    let lowered = min(asked, UInt32(FaultRule.writeBytesMax))
    body.storeBytes(of: lowered, toByteOffset: writeSizeOffset, as: UInt32.self)
  }
}
