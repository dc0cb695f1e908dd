import FileTracing

/// What is fixed when a disk is made.
package struct DiskConfiguration: Sendable {
  /// Decides the draws of rules with a probability.
  package var seed: UInt64
  /// The time for changes, nanoseconds since 1970-01-01 UTC. Nil is a counter that moves 1 ms at every change.
  package var clock: (@Sendable () -> Int64)?
  /// How many records the log keeps.
  package var logRecordsMax: Int
  /// True where the bytes of overwritten and removed files stay readable through the log. They need memory.
  package var logKeepsData: Bool
  /// The number that `status` tells as the device.
  package var device: UInt64
  /// The owner of the root directory.
  package var rootOwner: UInt32
  /// The group of the root directory.
  package var rootGroup: UInt32
  /// The permission bits of the root directory.
  package var rootPermissions: UInt16
  /// Times of files are whole multiples of this, rounded down; 1 is as fine as the clock.
  package var timeStepNanoseconds: Int64
  /// The most memory for the bytes of files and of the log; nil is without limit.
  ///
  /// Writes that would need more answer ENOSPC, and statfs agrees. Whole slabs of 4 MiB count, at least two.
  package var memoryBytesMax: UInt64?
  /// When two names in a directory are the same name.
  package var names: NameRules
  /// True where the disk is told of sync(2), so that a log without it says that there was none.
  package var seesSync = false
  /// The operations that the door never tells the disk of, each with what to do so that it does.
  ///
  /// Rules that name one of them are refused, since they could never fire.
  package var unseen: [OperationKind: String] = [:]

  /// A configuration of these values.
  package init(
    seed: UInt64 = 0, clock: (@Sendable () -> Int64)? = nil, logRecordsMax: Int = 1 << 20, logKeepsData: Bool = true,
    device: UInt64 = 0xFA017, rootOwner: UInt32 = 0, rootGroup: UInt32 = 0, rootPermissions: UInt16 = 0o755,
    timeStepNanoseconds: Int64 = 1, memoryBytesMax: UInt64? = nil, names: NameRules = []
  ) {
    self.seed = seed
    self.clock = clock
    self.logRecordsMax = logRecordsMax
    self.logKeepsData = logKeepsData
    self.device = device
    self.rootOwner = rootOwner
    self.rootGroup = rootGroup
    self.rootPermissions = rootPermissions
    self.timeStepNanoseconds = timeStepNanoseconds
    self.memoryBytesMax = memoryBytesMax
    self.names = names
  }
}

// What a log's header tells of the disk's making beyond what every header has; nothing where it is the usual value.
extension DiskConfiguration {
  private static let timeStepMember = "time-step"
  private static let memoryMember = "memory"
  private static let namesMember = "names"
  /// 1 in the header of a log where sync(2) would be in the log.
  package static let seesSyncMember = "sees-sync"

  /// Tells it to a header.
  func tell(_ header: inout OperationLogHeader) {
    if timeStepNanoseconds > 1 { header.set(Self.timeStepMember, to: timeStepNanoseconds) }
    if let memoryBytesMax { header.set(Self.memoryMember, to: Int64(clamping: memoryBytesMax)) }
    if !names.isEmpty { header.set(Self.namesMember, to: names.text) }
    if seesSync { header.set(Self.seesSyncMember, to: 1) }
  }

  /// Takes from a header what a replay needs: the times of files, the rules for names.
  ///
  /// What found no memory is in the records.
  mutating func take(from header: OperationLogHeader) throws(NameRules.UnknownWord) {
    if let text = header.text(Self.namesMember) { names = try NameRules(text: text) }
    timeStepNanoseconds = max(1, header.number(Self.timeStepMember) ?? 1)
  }
}
