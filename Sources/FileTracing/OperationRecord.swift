import Files

/// One operation on a traced disk: what was asked, what came of it.
///
/// Operations that a disk refuses by itself (no such file, name taken) are recorded without `countedNumber`: a kernel
/// answers many of them alone, so they cannot be the same on both doors of the fault disk.
package struct OperationRecord: Hashable, Sendable {
  /// Its place in the log, from 1; every record has the next number. Set-up records of a log file have 0.
  package var number: UInt64
  /// Its place among the counted operations, from 1; nil for other kinds and for refused ones.
  package var countedNumber: UInt64?
  /// What it is.
  package var kind: OperationKind
  /// The path it was about, or the source of a rename or link; relative to the root of the disk.
  package var path: BytePath
  /// The other path of a rename or link; the text of a symbolic link; the name of an extended attribute.
  package var otherPath: BytePath?
  /// The inode it was about; for a new file or directory its new number; 0 where none.
  package var inode: UInt64
  /// Where a read or write began, in bytes; the new size of a truncate.
  package var offset: UInt64
  /// How many bytes were asked for.
  package var lengthAsked: UInt64
  /// How many bytes were taken or given.
  package var lengthTaken: UInt64
  /// What the kind says besides.
  ///
  /// Permission bits of create, mkdir and setattr; the flags of renameat2(2) for a rename; the way of an allocate; the
  /// flags of setxattr(2).
  package var argument: UInt64
  /// Where the bytes of a write, or the value of a setxattr, begin in the log arena; nil for other kinds.
  ///
  /// There are `lengthTaken` of them, as the caller gave them, whatever a fault made of them on the medium.
  package var dataAddress: UInt64?
  /// How it failed; nil for success.
  package var errno: Errno?
  /// The thread that asked, as the kernel names it; the number of the volume on the in-process door.
  package var thread: Int32
  /// The fault rule that hit it.
  package var firedRule: String?
  /// What that rule did.
  package var firedEffect: FaultEffect?
  /// When it did, relative to the operation.
  package var firedPhase: FaultPhase?
  /// The rules besides that made its answer slow.
  package var firedDelays: [FaultDecision.Delay] = []
  /// The cut or kill of another rule right behind the operation.
  package var firedEnding: FaultDecision.Ending?
  /// The words of a mark; the request of a control record, as JSON.
  package var mark: String?
  /// When it was answered, by the disk's clock, nanoseconds since 1970-01-01 UTC.
  package var time: Int64
  /// What the inode was afterwards.
  ///
  /// For operations that make one or change its attributes, and for a write that took a set-user or set-group bit away.
  package var attributes: RecordedAttributes?

  /// A record of these values.
  package init(
    number: UInt64, countedNumber: UInt64? = nil, kind: OperationKind, path: BytePath, otherPath: BytePath? = nil,
    inode: UInt64 = 0, offset: UInt64 = 0, lengthAsked: UInt64 = 0, lengthTaken: UInt64 = 0, argument: UInt64 = 0,
    dataAddress: UInt64? = nil, errno: Errno? = nil, thread: Int32 = 0, firedRule: String? = nil,
    firedEffect: FaultEffect? = nil, firedPhase: FaultPhase? = nil, firedEnding: FaultDecision.Ending? = nil,
    mark: String? = nil, time: Int64 = 0, attributes: RecordedAttributes? = nil
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
    self.firedPhase = firedPhase
    self.firedEnding = firedEnding
    self.mark = mark
    self.time = time
    self.attributes = attributes
  }
}

/// What an inode was after an operation: all that a replay needs to make it again.
package struct RecordedAttributes: Hashable, Sendable {
  /// What it is.
  package var kind: FileKind
  /// The permission bits, 0o7777 at the most.
  package var permissions: UInt16
  /// The owner's number.
  package var owner: UInt32
  /// The group's number.
  package var group: UInt32
  /// The device number of a device file.
  package var deviceNumber: UInt32
  /// Last access, nanoseconds since 1970-01-01 UTC.
  package var accessed: Int64
  /// Last change of content, nanoseconds since 1970-01-01 UTC.
  package var modified: Int64

  /// Attributes of these values.
  package init(
    kind: FileKind, permissions: UInt16, owner: UInt32 = 0, group: UInt32 = 0, deviceNumber: UInt32 = 0,
    accessed: Int64 = 0, modified: Int64 = 0
  ) {
    self.kind = kind
    self.permissions = permissions
    self.owner = owner
    self.group = group
    self.deviceNumber = deviceNumber
    self.accessed = accessed
    self.modified = modified
  }
}
