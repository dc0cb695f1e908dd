import LNoteFormat

/// What a run may change.
package enum RepairMode: String, Sendable {
  /// Only what is derived, or can be taken back and has one outcome: `-p`.
  case automatic
  /// Everything that can be repaired: `-y`.
  case all

  /// True where this mode repairs problems of the class.
  package func allows(_ repairClass: RepairClass) -> Bool {
    switch repairClass {
    case .automatic: true
    case .consent: self == .all
    case .report, .operational: false
    }
  }
}

/// The name of a repair: when it ran, and the folder of what it set aside.
package struct RepairStamp: Hashable, Sendable {
  /// When.
  package let at: Timestamp
  /// "20261130T140212Z", with "-2" and so on where a repair of the same second was there before.
  package let text: String

  /// The first stamp of this moment.
  package init(at: Timestamp) { self.init(at: at, attempt: 1) }

  init(at: Timestamp, attempt: Int) {
    self.at = at
    // "2026-11-30T14:02:12.345Z" without what stands between the digits, and without the milliseconds.
    let digits = at.text.filter { $0 != "-" && $0 != ":" }.prefix(15)
    text = digits + "Z" + (attempt > 1 ? "-\(attempt)" : "")
  }
}
