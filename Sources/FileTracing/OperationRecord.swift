import Files

/// One operation on a traced disk: what was asked, what came of it.
///
/// Operations that a disk refuses by itself (no such file, name taken) are recorded without `countedNumber`: a kernel
/// answers many of them alone, so they cannot be the same on both doors of the fault disk.
package struct OperationRecord: Hashable, Sendable {
  /// Its place in the log, from 1; every record has the next number.
  package var number: UInt64
  /// Its place among the counted operations, from 1; nil for other kinds and for refused ones.
  package var countedNumber: UInt64?
  /// What it is.
  package var kind: OperationKind
  /// The path it was about, or the source of a rename or link; relative to the root of the disk.
  package var path: BytePath
  /// The other path of a rename or link; the text of a symbolic link.
  package var otherPath: BytePath?
  /// The inode it was about; for a new file or directory its new number; 0 where none.
  package var inode: UInt64
  /// Where a read or write began, in bytes; the new size of a truncate.
  package var offset: UInt64
  /// How many bytes were asked for.
  package var lengthAsked: UInt64
  /// How many bytes were taken or given.
  package var lengthTaken: UInt64
  /// Permission bits of create, mkdir and setattr; the flags of renameat2(2) for a rename.
  package var argument: UInt64
  /// Where the bytes of a write begin in the log arena; nil for other kinds.
  package var dataAddress: UInt64?
  /// How it failed; nil for success.
  package var errno: Errno?
  /// The thread that asked, as the kernel names it; the number of the volume on the in-process door.
  package var thread: Int32
  /// The fault rule that hit it.
  package var firedRule: String?
  /// What that rule did.
  package var firedEffect: FaultEffect?
  /// The words of a mark; the request of a control record, as JSON.
  package var mark: String?
  /// When it was answered, by the disk's clock, nanoseconds since 1970-01-01 UTC.
  package var time: Int64

  /// A record of these values.
  package init(
    number: UInt64, countedNumber: UInt64? = nil, kind: OperationKind, path: BytePath, otherPath: BytePath? = nil,
    inode: UInt64 = 0, offset: UInt64 = 0, lengthAsked: UInt64 = 0, lengthTaken: UInt64 = 0, argument: UInt64 = 0,
    dataAddress: UInt64? = nil, errno: Errno? = nil, thread: Int32 = 0, firedRule: String? = nil,
    firedEffect: FaultEffect? = nil, mark: String? = nil, time: Int64 = 0
  ) {
    self.number = number
    self.countedNumber = countedNumber
    self.kind = kind
    self.path = path
    self.otherPath = otherPath
    self.inode = inode
    self.offset = offset
    self.lengthAsked = lengthAsked
    self.lengthTaken = lengthTaken
    self.argument = argument
    self.dataAddress = dataAddress
    self.errno = errno
    self.thread = thread
    self.firedRule = firedRule
    self.firedEffect = firedEffect
    self.mark = mark
    self.time = time
  }
}
