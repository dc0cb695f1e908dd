/// How long is searched, and how small a failing case is made.
package struct SearchSettings: Sendable {
  /// The most cases that are executed before anything is made smaller.
  package var executionsMax = 1000
  /// So many cases more are looked at behind a first failure, for others.
  ///
  /// As many as were needed to find it, if that is more.
  package var furtherExecutions = 1000
  /// How many independent finds of one mistake are made small, of which the smallest is kept; 3 at night.
  package var findsWanted = 1
  /// The most executions to make one find smaller.
  package var shrinkExecutionsMax = 10_000
  /// Making smaller ends after so many executions in vain.
  ///
  /// The limit grows to twice the longest wait that was worth it.
  package var shrinkStall = 400
  /// True where is tried which values do not matter.
  package var explains = false
  /// How large a case may become.
  package var limits = ChoiceLimits()
  /// The time at which everything ends, by the search's clock in milliseconds; nil for no end.
  package var deadlineMilliseconds: Int64?
  /// The seed of everything that is drawn by chance.
  package var seed: UInt64 = 1

  /// These settings, to be changed one by one.
  package init() {}
}

/// A test of something that has to hold for every case.
package struct Property {
  /// Its name, under which its failures are kept.
  package let name: String
  /// Draws a case and says what came of it. The same draws must always come to the same.
  package let test: (ChoiceSource) -> Verdict

  /// The property of this name.
  package init(_ name: String, test: @escaping (ChoiceSource) -> Verdict) {
    self.name = name
    self.test = test
  }
}
