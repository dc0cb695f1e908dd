import CrashModel
import FaultDisk
import FileTracing
import Files
import LNoteStore

/// The disk under test, through one of its two doors.
package protocol TestDisk: AnyObject {
  /// "live mount" or "in process", for reports.
  var door: String { get }
  /// The tree as it is now, for the judge; valid until the next `restart`.
  var volume: any Volume { get }
  /// A copy of the tree as it is now, to be changed at will; valid until this disk is written to or shows another tree.
  func copy() throws(HarnessError) -> any Volume
  /// A new store on this disk, its library at the root.
  func startSubject(_ configuration: StoreConfiguration) throws(HarnessError) -> any Subject
  /// Arms a rule from now on.
  func arm(_ rule: FaultRule) throws(HarnessError)
  /// Disarms the rule of this name; nothing where there is none.
  func clear(_ name: String) throws(HarnessError)
  /// Disarms every rule.
  func clearAll() throws(HarnessError)
  /// While held, rules neither count an operation nor hit it: somebody but the store is at work.
  func holdFaults(_ holds: Bool) throws(HarnessError)
  /// Bytes left from now on; nil is without limit.
  func setFreeSpace(_ bytes: UInt64?) throws(HarnessError)
  /// Cuts the power now.
  func powerCut(_ surviving: SurvivingState) throws(HarnessError)
  /// Behind a power cut: what survived becomes the tree, and can be used again.
  func restart() throws(HarnessError)
  /// Behind a power cut: a chosen state becomes the tree. Returns the names of the models that allow it.
  func restart(
    leaving chosen: ChosenState, among models: [PersistenceModel]
  ) throws(HarnessError) -> [String]
  /// Whether it runs, which rules have fired, how many operations it counted.
  func status() throws(HarnessError) -> DiskStatus
  /// Writes a word into the operation log.
  func mark(_ text: String) throws(HarnessError)
  /// What is on it now is durable; operations and firings count from here.
  func beginRecording() throws(HarnessError)
  /// True where nobody looks at the disk behind the judgement, which may then repair it in place.
  var isForOneLook: Bool { get }
  /// Grows whenever the tree may have changed; nil where nobody can tell.
  var changeCount: UInt64? { get }
  /// Ends the disk and all that belongs to it.
  func finish()
}

extension TestDisk {
  /// A copy byte by byte, in memory.
  package func copy() throws(HarnessError) -> any Volume {
    let copy = FaultDisk()
    try HarnessError.onDisk { () throws(FileCallError) in try copy.importTree(from: volume) }
    return copy.volume()
  }
  /// False: others look at the disk too.
  package var isForOneLook: Bool { false }
  /// Nil: others may write to the disk too.
  package var changeCount: UInt64? { nil }
}

/// What a disk under test says of itself.
package struct DiskStatus: Sendable, Equatable {
  /// True behind a power cut, until the restart.
  package var isCut: Bool
  /// Every firing so far, in order.
  package var firings: [FaultFiring]
  /// How many operations of the counted kinds there were so far.
  package var operations: UInt64
  /// By how much rules have made answers late so far, all together.
  package var delayedMilliseconds: UInt64
  /// The number of the last record of its log; 0 where the log is out of reach.
  package var records: UInt64

  /// A status of these values.
  package init(
    isCut: Bool, firings: [FaultFiring], operations: UInt64, delayedMilliseconds: UInt64 = 0, records: UInt64 = 0
  ) {
    self.isCut = isCut
    self.firings = firings
    self.operations = operations
    self.delayedMilliseconds = delayedMilliseconds
    self.records = records
  }
}
