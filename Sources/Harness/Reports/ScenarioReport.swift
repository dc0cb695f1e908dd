import Terminal

/// What a run of a scenario found. Three verdicts: a check that could not be made is unknown, never a pass.
package enum Verdict: String, Sendable {
  case passed, failed, inconclusive

  /// The exit status of a program that ran only this.
  package var exitStatus: Int32 {
    switch self {
    case .passed: 0
    case .failed: 1
    case .inconclusive: 3
    }
  }

  /// The graver of two: a failure beats an unknown, an unknown beats a pass.
  package func joined(_ other: Verdict) -> Verdict {
    if self == .failed || other == .failed { return .failed }
    return self == .inconclusive ? self : other
  }
}

/// One line of the report: a step that has something to tell.
package struct ReportLine: Sendable, Equatable {
  /// The line of the step in the scenario; 0 for the judgement at the end.
  package let line: Int
  /// The step as the scenario spells it.
  package let step: String
  /// What came of it.
  package let result: String
  /// False where this line convicts the store.
  package let holds: Bool
  /// "bridges and broken layers only" for a fault that no disk shows; nil for all else.
  package let label: String?

  /// A line of these values.
  package init(line: Int, step: String, result: String, holds: Bool = true, label: String? = nil) {
    self.line = line
    self.step = step
    self.result = result
    self.holds = holds
    self.label = label
  }

  /// The result as people read it, with the label.
  package var resultText: String {
    [result, label.map { "(\($0))" } ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
  }
}

/// What the store said is durable, and what of it was there at the end.
package struct Promise: Sendable, Equatable {
  /// Strokes acknowledged as durable.
  package var strokes = 0
  /// Placed photos acknowledged as durable.
  package var photos = 0
  /// Pages acknowledged as durable.
  package var pages = 0

  /// Nothing promised.
  package init() {}

  /// The sum of two.
  package static func + (left: Promise, right: Promise) -> Promise {
    var sum = left
    sum.strokes += right.strokes
    sum.photos += right.photos
    sum.pages += right.pages
    return sum
  }

  /// "1,204 strokes, 3 photos, 6 pages".
  package var sentence: String {
    [(strokes, "stroke"), (photos, "photo"), (pages, "page")].map { Figures.counted($0, $1) }.joined(separator: ", ")
  }
}

/// What one case of a scenario came to: the whole of it, or one outcome of a sweep.
package struct CaseReport: Sendable {
  /// A kind of problem that the check found.
  package struct Found: Sendable, Equatable {
    /// The code, "LN4002".
    package let code: String
    /// The name, "asset-orphan".
    package let name: String
    /// True for an error: content is damaged or missing, and not only behind.
    package let isDamage: Bool
    /// How often it was found.
    package let count: Int

    /// A kind found this often.
    package init(code: String, name: String, isDamage: Bool, count: Int) {
      self.code = code
      self.name = name
      self.isDamage = isDamage
      self.count = count
    }
  }

  /// The sweep's outcome, "target-empty"; nil for a scenario without a sweep.
  package var name: String?
  /// The lines, in the order of the run.
  package var lines: [ReportLine] = []
  /// What was promised.
  package var promised = Promise()
  /// What of it was there at the end.
  package var kept = Promise()
  /// How often a fault fired.
  package var faultsFired = 0
  /// Which of the operations that it matches each rule has hit, counted from 1, by its name.
  package var hits: [String: [UInt64]] = [:]
  /// How many of the store's calls the disk refused with an error.
  package var refused = 0
  /// Problems that the check found behind the last crash, by code, with counts; sorted by code.
  package var found: [Found] = []
  /// What repairs did, as sentences.
  package var repairs: [String] = []
  /// The verdict.
  package var verdict = Verdict.passed
  /// What a sweep over crash states or failures came to; nil for other cases.
  package var sweep: SweepReport?
  /// Why it is inconclusive, or the environment's trouble; empty otherwise.
  package var trouble: [String] = []
  /// The page that the failure is about; nil where pages are not drawn.
  package var views: PageViews?

  /// An empty report.
  package init(name: String? = nil) { self.name = name }
}

/// What a whole scenario came to.
package struct ScenarioReport: Sendable {
  /// The scenario's title.
  package let title: String
  /// How it ran: "snapshot, posix-weakest, live mount".
  ///
  /// Durability and mutant are named where they are not the store's own.
  package let setting: String
  /// The cases, in the order in which they ran.
  package var cases: [CaseReport]
  /// How long it took, in milliseconds of the wall clock, handed in.
  package var milliseconds: Int
  /// The issue for which it is known to fail; nil for a scenario that has to pass.
  package var knownFailing: String?
  /// How many steps were taken, those of every crash state included.
  package var stepsTaken = 0
  /// The stores that the scenario names and this version does not have.
  package var storesLeftOut: [String] = []
  /// Of a scenario that leaves something to chance, which cases were drawn; nil for others.
  package var drawn: DrawnCases?
  /// What has to come about in some run, and whether it has in this one.
  package var sometimes: [(text: String, isReached: Bool)] = []

  /// A report of these values.
  package init(title: String, setting: String, cases: [CaseReport], milliseconds: Int) {
    self.title = title
    self.setting = setting
    self.cases = cases
    self.milliseconds = milliseconds
  }

  /// The gravest verdict of the cases; without a case nothing is proved.
  package var verdictOfCases: Verdict {
    cases.isEmpty ? .inconclusive : cases.reduce(.passed) { $0.joined($1.verdict) }
  }

  /// What the run comes to: a known failure passes, and a pass of what is known to fail does not.
  package var verdict: Verdict {
    guard knownFailing != nil else { return verdictOfCases }
    switch verdictOfCases {
    case .passed: return .failed
    case .failed: return .passed
    case .inconclusive: return .inconclusive
    }
  }
  /// What was promised in all cases together.
  package var promised: Promise { cases.reduce(Promise()) { $0 + $1.promised } }
  /// What of it was kept.
  package var kept: Promise { cases.reduce(Promise()) { $0 + $1.kept } }
  /// How many faults fired.
  package var faultsFired: Int { cases.reduce(0) { $0 + $1.faultsFired } }
}
