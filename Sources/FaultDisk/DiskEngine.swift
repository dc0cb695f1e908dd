import FileTracing
import Files

/// The state of a fault disk, and one call for each request of a kernel; only to be had inside `withEngine`.
///
/// Calls name inodes by number and files by handle, as FUSE does. They throw the errno for the answer. Every recorded
/// operation passes the fault hook before its effect; when the call returns, the log has it.
package struct DiskEngine: ~Copyable, @unchecked Sendable {
  /// The inode number of the root directory; another one after every `restart`.
  package private(set) var rootInode: UInt64 = 1
  /// How the disk is.
  package private(set) var condition = DiskCondition.running
  /// What happened.
  package private(set) var log: OperationLog
  /// Which rule fired at which operation.
  package private(set) var firings: [FaultFiring] = []
  /// The rules that are armed.
  package private(set) var rules: [FaultRule] = []
  /// Kills a caller of the FUSE door with SIGKILL; called under the lock, before the answer.
  package var kill: (@Sendable (Caller) -> Void)?
  /// Gets every record in its file form, before the answer; see `OperationLogWriter`.
  package var logSink: (any OperationLogSink)?

  init(_ configuration: DiskConfiguration) {
    log = OperationLog(recordsMax: configuration.logRecordsMax)
  }

  mutating func newVolumeNumber() -> Int32 { 1 }
  mutating func arm(_ rule: FaultRule) throws(FaultRuleError) {}
  mutating func clear(_ name: String) -> Bool { false }
  mutating func clearAll() {}
  mutating func setFreeSpace(bytes: UInt64?, inodes: UInt64?) {}
  mutating func powerCut(_ survivors: SurvivingState) {}
  mutating func restart() {}
  mutating func beginRecording() {}
  mutating func mark(_ text: String) {}
  func data(of record: OperationRecord) -> [UInt8] { [] }
}

// The shapes of the calls; each moves to its own file when it works.
extension DiskEngine {
  /// What `name` in a directory stands for; ENOENT where it stands for nothing.
  package mutating func lookup(
    _ name: BytePath, in directory: UInt64, _ caller: Caller
  ) throws(Errno) -> InodeAttributes { throw unsupported }

  /// What an inode is now; ESTALE for one that is gone.
  package mutating func attributes(of inode: UInt64) throws(Errno) -> InodeAttributes { throw unsupported }

  /// Changes attributes; a change of size is a truncate.
  package mutating func setAttributes(
    of inode: UInt64, _ change: AttributeChange, _ caller: Caller
  ) throws(Errno) -> InodeAttributes { throw unsupported }

  /// The text of a symbolic link.
  package mutating func readLink(_ inode: UInt64, _ caller: Caller) throws(Errno) -> BytePath { throw unsupported }

  /// Makes a symbolic link.
  package mutating func makeSymbolicLink(
    _ name: BytePath, in directory: UInt64, text: BytePath, _ caller: Caller
  ) throws(Errno) -> InodeAttributes { throw unsupported }

  /// Makes a regular file, FIFO, socket or device file that is not opened; a regular file counts as a create.
  package mutating func makeNode(
    _ name: BytePath, in directory: UInt64, kind: FileKind, permissions: UInt16, deviceNumber: UInt32 = 0,
    _ caller: Caller
  ) throws(Errno) -> InodeAttributes { throw unsupported }

  /// Makes a regular file and opens it; EEXIST where the name is taken.
  package mutating func create(
    _ name: BytePath, in directory: UInt64, permissions: UInt16, access: FileAccess, _ caller: Caller
  ) throws(Errno) -> (attributes: InodeAttributes, handle: UInt64) { throw unsupported }

  /// Makes a directory.
  package mutating func makeDirectory(
    _ name: BytePath, in directory: UInt64, permissions: UInt16, _ caller: Caller
  ) throws(Errno) -> InodeAttributes { throw unsupported }

  /// Removes a name of anything but a directory.
  package mutating func unlink(_ name: BytePath, in directory: UInt64, _ caller: Caller) throws(Errno) {
    throw unsupported
  }

  /// Removes an empty directory.
  package mutating func removeDirectory(_ name: BytePath, in directory: UInt64, _ caller: Caller) throws(Errno) {
    throw unsupported
  }

  /// Renames; see `takeInvalidations` for what a torn one changed besides.
  package mutating func rename(
    _ name: BytePath, in directory: UInt64, to newName: BytePath, in newDirectory: UInt64, mode: RenameMode,
    _ caller: Caller
  ) throws(Errno) { throw unsupported }

  /// A second name for anything but a directory.
  package mutating func link(
    _ inode: UInt64, as name: BytePath, in directory: UInt64, _ caller: Caller
  ) throws(Errno) -> InodeAttributes { throw unsupported }

  /// Opens a regular file; the handle is valid until `release`.
  package mutating func open(_ inode: UInt64, access: FileAccess, _ caller: Caller) throws(Errno) -> UInt64 {
    throw unsupported
  }

  /// Reads at most `length` bytes: hands the pieces, in order and without a copy, to `body` and returns what it does.
  ///
  /// The pieces are valid only inside `body`; no pieces is the end of the file.
  package mutating func read<R>(
    _ handle: UInt64, at offset: UInt64, length: Int, _ caller: Caller,
    _ body: ([UnsafeRawBufferPointer]) -> R
  ) throws(Errno) -> R { throw unsupported }

  /// Writes at most `writeBytesMax` bytes; returns how many were taken.
  package mutating func write(
    _ handle: UInt64, at offset: UInt64, _ bytes: UnsafeRawBufferPointer, _ caller: Caller
  ) throws(Errno) -> Int { throw unsupported }

  /// The operation "close": what close(2) asks (FLUSH), its answer is close's answer. The handle stays valid.
  package mutating func flush(_ handle: UInt64, _ caller: Caller) throws(Errno) { throw unsupported }

  /// Ends a handle; never fails, is not recorded, does nothing for an unknown handle.
  package mutating func release(_ handle: UInt64) {}

  /// fsync of an open file or directory.
  package mutating func synchronize(_ handle: UInt64, _ caller: Caller) throws(Errno) { throw unsupported }

  /// Opens a directory to list or sync it.
  package mutating func openDirectory(_ inode: UInt64, _ caller: Caller) throws(Errno) -> UInt64 { throw unsupported }

  /// The entries from the given place on: ".", "..", then names sorted by bytes, as they were when place 0 was asked.
  package mutating func entries(
    _ handle: UInt64, from place: Int, _ caller: Caller
  ) throws(Errno) -> ArraySlice<DirectoryEntry> { throw unsupported }

  /// What is used and free.
  package mutating func space(_ caller: Caller) throws(Errno) -> DiskSpace { throw unsupported }

  /// Reserves (or, with `punches`, frees) a range of bytes; they read as zeros where nothing was.
  package mutating func allocate(
    _ handle: UInt64, offset: UInt64, length: UInt64, keepsSize: Bool, punches: Bool, _ caller: Caller
  ) throws(Errno) { throw unsupported }

  /// The next data (or hole) at or behind `offset`, as SEEK_DATA and SEEK_HOLE tell it; ENXIO behind the end.
  package mutating func seek(_ handle: UInt64, from offset: UInt64, toData: Bool) throws(Errno) -> UInt64 {
    throw unsupported
  }

  /// True where a rule is armed that can make names lie: entries must then be answered with a timeout of 0.
  package var namesMayLie: Bool { false }

  /// The names that changed behind the kernel's back since this was last asked.
  package mutating func takeInvalidations() -> [NameInvalidation] { [] }

  private var unsupported: Errno { Errno(name: "ENOSYS") ?? Errno(rawValue: 38) }
}
