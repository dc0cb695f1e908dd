import FaultDisk
import FileTracing

/// A change to one sync of a recording: what the program would have done without it, or with it later.
///
/// It shows whether the sync is needed: where no state fails without it, it is not.
package struct SyncEdit: Hashable, Sendable, CustomStringConvertible {
  /// What becomes of the sync.
  package enum Kind: String, CaseIterable, Hashable, Sendable {
    /// It is not made.
    case dropped
    /// It is made behind the operation that comes next.
    case postponed
  }

  /// What becomes of it.
  package let kind: Kind
  /// Its place among the syncs, from 0.
  package let index: Int

  /// The change of the sync at this place.
  package init(_ kind: Kind, _ index: Int) {
    self.kind = kind
    self.index = index
  }

  /// "sync 3 dropped".
  package var description: String { "sync \(index + 1) \(kind.rawValue)" }
}

extension Recording {
  /// The syncs from the record `first` on that succeeded, in order.
  package func syncs(from first: UInt64 = 0) -> [OperationRecord] {
    records.filter { $0.number >= first && $0.kind == .fsync && $0.errno == nil }
  }

  /// The recording as it were with one sync changed; nil where there are not so many.
  ///
  /// A sync that is postponed has the number of the record that it follows.
  package func applying(_ edit: SyncEdit, from first: UInt64 = 0) -> Recording? {
    let syncs = syncs(from: first)
    guard edit.index < syncs.count, let place = records.firstIndex(where: { $0.number == syncs[edit.index].number })
    else { return nil }
    var result = self
    var sync = result.records.remove(at: place)
    guard edit.kind == .postponed else { return result }
    let next = result.records[place...].firstIndex { $0.countedNumber != nil } ?? result.records.count - 1
    guard next >= 0, next < result.records.count else { return self }
    sync.number = result.records[next].number
    result.records.insert(sync, at: next + 1)
    return result
  }
}
