import FaultDisk
import Synchronization

/// Whom a disk asked to kill.
final class KilledCallers: Sendable {
  private let known = Mutex<[Caller]>([])
  var callers: [Caller] { known.withLock { $0 } }
  func add(_ caller: Caller) { known.withLock { $0.append(caller) } }
}
