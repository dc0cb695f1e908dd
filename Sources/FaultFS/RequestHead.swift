import FaultDisk

/// The head of a request: `struct fuse_in_header` of linux/fuse.h, at the beginning of every message from the kernel.
///
///     offset  bytes  meaning
///          0      4  length of the request
///          4      4  what is asked
///          8      8  the request's number
///         16      8  the inode
///         24      4  the caller's user
///         28      4  the caller's group
///         32      4  the caller's thread
struct RequestHead {
  /// Its size in bytes; what is asked follows.
  static let bytes = 40

  private let start: UnsafeRawPointer

  /// The head of a message; nil where it is too short to have one.
  init?(_ message: UnsafeRawBufferPointer) {
    guard let start = message.baseAddress, message.count >= RequestHead.bytes else { return nil }
    self.start = start
  }

  /// The numbers of what is asked that matter here.
  enum Opcode {
    static let write: UInt32 = 16
    static let interrupt: UInt32 = 36
    /// Since Linux 6.18 for mounts on a block device; libfuse 3.14 does not know it.
    static let syncFileSystem: UInt32 = 50
    /// FORGET, RELEASE, INIT, RELEASEDIR, INTERRUPT, DESTROY and BATCH_FORGET: no thread waits for the answer.
    static let ofNoThread: Set<UInt32> = [2, 18, 26, 29, 36, 38, 42]
  }

  /// What is asked.
  var opcode: UInt32 { start.loadUnaligned(fromByteOffset: 4, as: UInt32.self) }
  /// The kernel's number for the request, which its answer repeats.
  var unique: UInt64 { start.loadUnaligned(fromByteOffset: 8, as: UInt64.self) }
  /// The thread that asks; 0 where the kernel asks by itself.
  var thread: Int32 { start.loadUnaligned(fromByteOffset: 32, as: Int32.self) }

  /// Who asks.
  var caller: Caller {
    Caller(
      thread: thread, user: start.loadUnaligned(fromByteOffset: 24, as: UInt32.self),
      group: start.loadUnaligned(fromByteOffset: 28, as: UInt32.self))
  }
}
