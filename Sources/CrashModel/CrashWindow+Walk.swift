import FaultDisk
import FileTracing

extension CrashWindow {
  /// Walks once along a recording and looks at these moments; false where `mustStop` ended it.
  ///
  /// `look` is told the record under way; nil in front of the first and behind the last.
  static func walk(
    _ recording: Recording, _ model: PersistenceModel, isPowerCut: Bool = true, at moments: Set<UInt64>,
    mustStop: () -> Bool, _ look: (CrashWindow, UInt64, OperationRecord?) -> Void
  ) throws(HistoryError) -> Bool {
    var window = CrashWindow(recording, model, isPowerCut: isPowerCut)
    if moments.contains(0) { look(window, 0, nil) }
    for record in recording.records {
      _ = try window.begin(record)
      if moments.contains(record.number) { look(window, record.number, record) }
      _ = window.finish()
      if mustStop() { return false }
    }
    if moments.contains(.max) { look(window, .max, nil) }
    return true
  }
}

extension CrashAccount {
  /// The accounts of several states, each at its moment, in one walk along the recording.
  ///
  /// - Parameter mustStop: where it says so, accounts are missing: nil.
  package static func all(
    of states: [(state: CrashState, moment: UInt64)], in recording: Recording, _ model: PersistenceModel,
    mustStop: () -> Bool = { false }
  ) throws(HistoryError) -> [CrashAccount?] {
    var accounts = [CrashAccount?](repeating: nil, count: states.count)
    let byMoment = Dictionary(grouping: states.indices) { states[$0].moment }
    let records = NumberedRecords(recording)
    _ = try CrashWindow.walk(recording, model, at: Set(byMoment.keys), mustStop: mustStop) { window, moment, _ in
      for index in byMoment[moment] ?? [] where !mustStop() {
        accounts[index] = CrashAccount(of: states[index].state.tree, in: window, records)
      }
    }
    return accounts
  }
}
