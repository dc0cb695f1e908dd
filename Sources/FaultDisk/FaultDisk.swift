import FileTracing
import Files
import Synchronization

/// A disk in memory that fails on purpose. It has an inode tree, its bytes, a plan of faults and a budget of space.
///
/// It has two doors: `volume()` for programs in this process, and `withEngine` for a FUSE server. One lock holds all
/// of it; the order of the log is the order of the answers, when the answer is given inside `withEngine`.
package final class FaultDisk: Sendable {
  private let engine: Mutex<DiskEngine>

  /// An empty, running disk.
  package init(_ configuration: DiskConfiguration = DiskConfiguration()) {
    engine = Mutex(DiskEngine(configuration))
  }

  /// A disk of its own with the tree that another one has now, whose bytes it reads where they are.
  ///
  /// All of it is durable. No rule, bound or log comes with it. It is good until bytes of the other disk make way for
  /// others: until the next tree is shown there, or, where none is, until the next write.
  package init(sharing other: FaultDisk) { engine = Mutex(other.engine.withLock { $0.copyOfTree() }) }

  /// Runs `body` under the disk's lock; what it does and answers happens at one moment. Never nest.
  package func withEngine<R: Sendable, E: Error>(_ body: (inout DiskEngine) throws(E) -> R) throws(E) -> R {
    try engine.withLock { (engine: inout DiskEngine) throws(E) -> R in try body(&engine) }
  }

  /// A new in-process door, which stands for one process. A `kill` kills it, a `restart` makes it a thing of the past.
  package func volume() -> FaultVolume { FaultVolume(disk: self, number: withEngine { $0.newVolumeNumber() }) }

  /// Arms a rule from now on; its counters begin at zero.
  ///
  /// - Throws: why the rule could never do what it says, or that its name is taken.
  package func arm(_ rule: FaultRule) throws(FaultRuleError) {
    try withEngine { (engine: inout DiskEngine) throws(FaultRuleError) in try engine.arm(rule) }
  }

  /// Clears the rule of this name; false where no such rule is armed.
  @discardableResult
  package func clear(_ name: String) -> Bool { withEngine { $0.clear(name) } }

  /// Clears all rules and the bound on space.
  package func clearAll() { withEngine { $0.clearAll() } }

  /// While held, rules neither count an operation nor hit it.
  ///
  /// For who looks at the disk beside the program under test.
  package func holdFaults(_ holds: Bool) { withEngine { $0.holdsFaults = holds } }

  /// The rules that are armed, in the order in which they are asked.
  package var rules: [FaultRule] { withEngine { $0.rules } }

  /// Lets a writer use this many bytes and inodes from now on; nil is without end. Names cost nothing.
  package func setFreeSpace(bytes: UInt64?, inodes: UInt64? = nil) {
    withEngine { $0.setFreeSpace(bytes: bytes, inodes: inodes) }
  }

  /// Cuts the power: everything answers EIO until `restart`. A second cut changes nothing.
  package func powerCut(_ survivors: SurvivingState) { withEngine { $0.powerCut(survivors) } }

  /// Makes what survived the cut the tree, durable and with new inode numbers. All open files and volumes are dead.
  ///
  /// Without a cut everything survives, as after a clean unmount. Rules, log and the size of the disk stay as they are;
  /// the space of what was lost is free again.
  package func restart() { withEngine { $0.restart() } }

  /// Makes everything durable, and begins log, firings and operation numbers anew.
  package func beginRecording() { withEngine { $0.beginRecording() } }

  /// How the disk is.
  package var condition: DiskCondition { withEngine { $0.condition } }

  /// Which rule fired at which operation, in order.
  package var firings: [FaultFiring] { withEngine { $0.firings } }

  /// What happened, oldest first; a copy.
  package var log: OperationLog { withEngine { $0.log } }

  /// Puts these words into the log.
  package func mark(_ text: String) { withEngine { $0.mark(text) } }

  /// The bytes that a write took; empty for other operations and where the log does not keep them.
  package func data(of record: OperationRecord) -> [UInt8] { withEngine { $0.data(of: record) } }
}
