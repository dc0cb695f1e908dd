import CFuse
import FaultDisk
import Files
import Glibc

/// sync(2) and syncfs(2) as the kernel tells them since Linux 6.18 where a mount stands on a block device (`--see-sync`).
///
/// libfuse 3.14 does not know the request, so it is read and answered here, between libfuse's receiving and processing.
struct SyncRequest: Equatable {
  /// The kernel's number for the request, which its answer repeats.
  let unique: UInt64
  /// Who waits for the answer.
  let caller: Caller

  /// Reads a request; nil for every other one.
  init?(_ request: UnsafeRawBufferPointer) {
    guard let head = RequestHead(request), head.opcode == RequestHead.Opcode.syncFileSystem else { return nil }
    unique = head.unique
    caller = head.caller
  }

  /// `struct fuse_out_header` of linux/fuse.h: its length, the error as a negative number, the request's number.
  func answer(_ errno: CInt) -> [UInt8] {
    let length: UInt32 = 16
    return withUnsafeBytes(of: length) { Array($0) } + withUnsafeBytes(of: -errno) { Array($0) }
      + withUnsafeBytes(of: unique) { Array($0) }
  }
}

extension RequestHandler {
  /// Answers a request that is a sync; false where it is another, and libfuse's to answer.
  func answersSync(_ buffer: fuse_buf, on descriptor: CInt) -> Bool {
    guard seesSync, let memory = buffer.mem,
      let request = SyncRequest(UnsafeRawBufferPointer(start: memory, count: buffer.size))
    else { return false }
    let reply = { [self] (errno: CInt) in
      var bytes = request.answer(errno)
      bytes.withUnsafeMutableBytes { bytes in
        var piece = iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
        if withUnsafePointer(to: &piece, { hold(UnsafeBufferPointer(start: $0, count: 1)) }) != nil { return }
        // Where it fails, the caller was killed while it waited, and nobody wants the answer.
        _ = Glibc.writev(descriptor, &piece, 1)
      }
    }
    answer(request.caller, failing: reply) { engine, caller throws(Errno) in
      try engine.synchronizeAll(caller)
      reply(0)
    }
    return true
  }
}
