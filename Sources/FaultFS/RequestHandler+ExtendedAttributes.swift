import CFuse
import FaultDisk
import Files
import Glibc

// Requests about extended attributes. ENOSYS is an answer for ever: the kernel never asks again, and every write that
// might have to drop a file capability is cheaper for it.
extension RequestHandler {
  static func addExtendedAttributeCalls(_ calls: inout fuse_lowlevel_ops) {
    calls.getxattr = { request, inode, name, size in
      guard let request, let name else { return }
      let called = BytePath(name)
      RequestHandler.of(request).answerBytes(request, sizeMax: size) { (engine, caller) throws(Errno) in
        try engine.extendedAttribute(called, of: engine.inode(inode), caller)
      }
    }
    calls.listxattr = { request, inode, size in
      guard let request else { return }
      RequestHandler.of(request).answerBytes(request, sizeMax: size) { (engine, caller) throws(Errno) in
        try engine.extendedAttributeNames(of: engine.inode(inode), caller).flatMap { $0.bytes + [0] }
      }
    }
    calls.setxattr = { request, inode, name, value, size, flags in
      guard let request, let name else { return }
      let called = BytePath(name)
      let value = UnsafeRawBufferPointer(start: value, count: size)
      RequestHandler.of(request).answerAttribute(request) { (engine, caller) throws(Errno) in
        let demand = AttributeDemand(rawValue: UInt64(UInt32(bitPattern: flags)))
        try engine.setExtendedAttribute(called, of: engine.inode(inode), to: value, demand, caller)
        fuse_reply_err(request, 0)
      }
    }
    calls.removexattr = { request, inode, name in
      guard let request, let name else { return }
      let called = BytePath(name)
      RequestHandler.of(request).answerAttribute(request) { (engine, caller) throws(Errno) in
        try engine.removeExtendedAttribute(called, of: engine.inode(inode), caller)
        fuse_reply_err(request, 0)
      }
    }
  }

  private func answerAttribute(
    _ request: fuse_req_t, _ body: (inout DiskEngine, Caller) throws(Errno) -> Void
  ) {
    if !hasExtendedAttributes {
      fuse_reply_err(request, ENOSYS)
      return
    }
    answer(request, body)
  }

  /// Answers with bytes, or with their count where the caller asks for that with a size of 0; ERANGE for too small a
  /// size.
  private func answerBytes(
    _ request: fuse_req_t, sizeMax: Int, _ body: (inout DiskEngine, Caller) throws(Errno) -> [UInt8]
  ) {
    answerAttribute(request) { (engine, caller) throws(Errno) in
      let bytes = try body(&engine, caller)
      if sizeMax == 0 {
        fuse_reply_xattr(request, bytes.count)
      } else if bytes.count > sizeMax {
        throw Errno(rawValue: ERANGE)
      } else {
        _ = bytes.withUnsafeBytes { fuse_reply_buf(request, $0.baseAddress, $0.count) }
      }
    }
  }
}
