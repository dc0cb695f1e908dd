import LNoteFormat

extension Timestamp {
  /// No iPad is older.
  static let earliestPlausible = Timestamp(milliseconds: 1_262_304_000_000)  // 2010-01-01
  /// Clocks of two devices may differ by a day.
  private static let aheadMillisecondsMax: Int64 = 86_400_000
  /// A time of a header that does not agree with its checksum is another byte's, where it is later.
  private static let latestUnproven = Timestamp(milliseconds: 4_102_444_800_000)  // 2100-01-01

  /// True where a document may have been written then. A clock that is itself before that time tells nothing of the
  /// future.
  func isPlausible(at now: Timestamp?) -> Bool {
    if self < Timestamp.earliestPlausible { return false }
    guard let now, now > Timestamp.earliestPlausible else { return true }
    let (last, isTooFar) = now.milliseconds.addingReportingOverflow(Timestamp.aheadMillisecondsMax)
    return isTooFar || milliseconds <= last
  }

  /// This time, where a header that is not proven may have it.
  var ifUnproven: Timestamp? {
    (Timestamp.earliestPlausible...Timestamp.latestUnproven).contains(self) ? self : nil
  }
}

extension PackageFacts {
  /// The first of these that a document may have been written at; else the moment of the check.
  func time(_ known: Timestamp?...) -> Timestamp {
    known.lazy.compactMap { $0 }.first { $0.isPlausible(at: checkedAt) } ?? checkedAt ?? Timestamp(milliseconds: 0)
  }
}

extension FileFacts {
  /// When its content was changed last, as the disk says.
  var modified: Timestamp? { status.map { Timestamp(milliseconds: $0.modified / 1_000_000) } }
}
