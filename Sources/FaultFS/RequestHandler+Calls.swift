import CFuse
import Files
import Glibc

extension RequestHandler {
  /// The table of C callbacks; each finds its handler, turns C's values into ours, and does nothing else.
  ///
  /// Missing on purpose: copy_file_range, which libfuse then answers with ENOSYS, and the kernel never asks again.
  static var calls: fuse_lowlevel_ops {
    var calls = fuse_lowlevel_ops()
    calls.`init` = { context, connection in
      guard let context, let connection else { return }
      let handler = Unmanaged<RequestHandler>.fromOpaque(context).takeUnretainedValue()
      handler.ways = OpenWays(protocolMinor: connection.pointee.proto_minor)
      // The page cache is never the server's business to refresh, and splicing costs more than it saves.
      // Whoever writes to a set-user file takes that bit away; only the kernel knows who may keep it, so it does that.
      let unwanted =
        FUSE_CAP_SPLICE_READ | FUSE_CAP_SPLICE_WRITE | FUSE_CAP_SPLICE_MOVE | FUSE_CAP_WRITEBACK_CACHE
        | FUSE_CAP_AUTO_INVAL_DATA | FUSE_CAP_HANDLE_KILLPRIV
      connection.pointee.want &= ~UInt32(unwanted)
      // Where the kernel is told that nobody keeps locks here, it keeps them by itself.
      if !handler.keepsLocks { connection.pointee.want &= ~UInt32(FUSE_CAP_POSIX_LOCKS | FUSE_CAP_FLOCK_LOCKS) }
    }
    addNameCalls(&calls)
    addFileCalls(&calls)
    addAttributeCalls(&calls)
    addExtendedAttributeCalls(&calls)
    addLockCalls(&calls)
    return calls
  }

  private static func addNameCalls(_ calls: inout fuse_lowlevel_ops) {
    calls.lookup = { request, directory, name in
      guard let request, let name else { return }
      handler(of: request).lookup(request, in: directory, BytePath(name))
    }
    calls.forget = { request, inode, count in
      guard let request else { return }
      handler(of: request).forget(request, inode, lookups: count)
    }
    calls.mknod = { request, directory, name, mode, device in
      guard let request, let name else { return }
      handler(of: request).makeNode(request, in: directory, BytePath(name), mode: mode, device: device)
    }
    calls.mkdir = { request, directory, name, mode in
      guard let request, let name else { return }
      handler(of: request).makeDirectory(request, in: directory, BytePath(name), mode: mode)
    }
    calls.symlink = { request, text, directory, name in
      guard let request, let text, let name else { return }
      handler(of: request).makeSymbolicLink(request, text: BytePath(text), in: directory, BytePath(name))
    }
    calls.link = { request, inode, directory, name in
      guard let request, let name else { return }
      handler(of: request).link(request, inode, in: directory, BytePath(name))
    }
    calls.unlink = { request, directory, name in
      guard let request, let name else { return }
      handler(of: request).unlink(request, in: directory, BytePath(name))
    }
    calls.rmdir = { request, directory, name in
      guard let request, let name else { return }
      handler(of: request).removeDirectory(request, in: directory, BytePath(name))
    }
    calls.rename = { request, directory, name, newDirectory, newName, flags in
      guard let request, let name, let newName else { return }
      handler(of: request).rename(
        request, in: directory, BytePath(name), to: BytePath(newName), in: newDirectory, flags: flags)
    }
  }

  private static func addFileCalls(_ calls: inout fuse_lowlevel_ops) {
    calls.create = { request, directory, name, mode, information in
      guard let request, let name, let information else { return }
      handler(of: request).create(request, in: directory, BytePath(name), mode: mode, information)
    }
    calls.open = { request, inode, information in
      guard let request, let information else { return }
      handler(of: request).open(request, inode, information)
    }
    calls.read = { request, _, size, offset, information in
      guard let request, let information else { return }
      handler(of: request).read(request, size: size, offset: offset, information)
    }
    calls.write = { request, _, bytes, size, offset, information in
      guard let request, let information else { return }
      handler(of: request).write(
        request, UnsafeRawBufferPointer(start: bytes, count: size), offset: offset, information)
    }
    calls.flush = { request, _, information in
      guard let request, let information else { return }
      handler(of: request).flush(request, information)
    }
    calls.release = { request, _, information in
      guard let request, let information else { return }
      handler(of: request).release(request, information)
    }
    calls.fsync = { request, _, dataOnly, information in
      guard let request, let information else { return }
      handler(of: request).synchronize(request, dataOnly: dataOnly != 0, information)
    }
    calls.fallocate = { request, _, mode, offset, length, information in
      guard let request, let information else { return }
      handler(of: request).allocate(request, mode: mode, offset: offset, length: length, information)
    }
    calls.lseek = { request, _, offset, whence, information in
      guard let request, let information else { return }
      handler(of: request).seek(request, from: offset, whence: whence, information)
    }
  }

  private static func addAttributeCalls(_ calls: inout fuse_lowlevel_ops) {
    calls.getattr = { request, inode, _ in
      guard let request else { return }
      handler(of: request).attributes(request, inode)
    }
    calls.setattr = { request, inode, wished, chosen, information in
      guard let request, let wished else { return }
      handler(of: request).setAttributes(
        request, inode, to: wished.pointee, choosing: chosen, by: information?.pointee.fh)
    }
    calls.readlink = { request, inode in
      guard let request else { return }
      handler(of: request).readLink(request, inode)
    }
    calls.access = { request, inode, wanted in
      guard let request else { return }
      handler(of: request).access(request, inode, wanted: wanted)
    }
    calls.statfs = { request, _ in
      guard let request else { return }
      handler(of: request).space(request)
    }
    calls.opendir = { request, inode, information in
      guard let request, let information else { return }
      handler(of: request).openDirectory(request, inode, information)
    }
    calls.readdir = { request, _, size, place, information in
      guard let request, let information else { return }
      handler(of: request).readDirectory(request, size: size, from: place, information)
    }
    calls.releasedir = { request, _, information in
      guard let request, let information else { return }
      handler(of: request).release(request, information)
    }
    calls.fsyncdir = { request, _, dataOnly, information in
      guard let request, let information else { return }
      handler(of: request).synchronize(request, dataOnly: dataOnly != 0, information)
    }
  }
}

/// The handler that a request belongs to.
private func handler(of request: fuse_req_t) -> RequestHandler { RequestHandler.of(request) }
