import Pages
import Terminal

/// What a sweep over crash states, or over failures, came to.
package struct SweepReport: Sendable {
  /// One model, and how its states did.
  package struct Model: Sendable, Equatable {
    /// The model's name.
    package let name: String
    /// How many states it allows.
    package let states: Int
    /// How many of those that were judged failed.
    package internal(set) var failing: Int
    /// How much of what it allows was made.
    package let completeness: Completeness
  }

  /// States that fail for one reason.
  package struct Class: Sendable {
    /// The reason, as the first of them has it.
    package let sentence: String
    fileprivate let key: [UInt8]
    /// How many there are.
    package internal(set) var count: Int
    /// The models that allow one of them.
    package internal(set) var models: Set<String>
    /// The first of them.
    package let example: Example
  }

  /// One failing state, or failure, in full.
  package struct Example: Sendable {
    /// How it is called: "state 17 of 412", "failure 3".
    package let name: String
    /// When it happens: "in line 8: background".
    package let moment: String
    /// What was persisted and lost, and why, line by line.
    package internal(set) var explanation: [String] = []
    /// What the check said, line by line.
    package let lines: [ReportLine]
    /// The name by which the state can be looked at again; nil for failures.
    package internal(set) var stateName: String?
    /// The line of a scenario that makes this state, up to a brace; nil where there are no words for it.
    package internal(set) var again: String?
    /// The same for a page.
    package internal(set) var finding = CrashPage.Finding(sentence: "", count: "")
    /// The page that it is about; nil where pages are not drawn.
    package internal(set) var views: PageViews?

    init(name: String, moment: String, lines: [ReportLine]) {
      self.name = name
      self.moment = moment
      self.lines = lines
    }
  }

  /// What is gone through: crash states or failures.
  package enum Subject: String, Sendable {
    case states, failures
    /// Crash states of recoveries from crash states.
    case recoveries

    /// "3 crash states in recovery".
    func counted(_ count: Int) -> String {
      switch self {
      case .states: Figures.counted(count, "crash state")
      case .failures: Figures.counted(count, "failure")
      case .recoveries: "\(Figures.counted(count, "crash state")) of recovery"
      }
    }
  }

  /// What is gone through.
  package let subject: Subject
  /// How many there are.
  package internal(set) var count: Int
  /// How many were judged.
  package internal(set) var judged = 0
  /// How many of those failed.
  package internal(set) var failing = 0
  /// How often something was judged: a state is, once for each promise that a crash may find made or not.
  package internal(set) var judgements = 0
  /// The models, in the order in which they were asked for; empty for failures.
  package internal(set) var models: [Model] = []
  /// The reasons, in the order in which they were found.
  package internal(set) var classes: [Class] = []

  /// The fewest fsyncs behind which nothing fails; nil where none were found or looked for.
  package internal(set) var fix: SweepFix?
  /// The states that were asked for by name and hold.
  package internal(set) var looked: [Example] = []
  private let isWhole: Bool
  /// How much of what is possible was made of recoveries; of models each says it by itself.
  var extent = Completeness.complete
  private var deeper: [SweepReport] = []

  /// What crashes in the course of recoveries came to; nil where none were made.
  package internal(set) var recovery: SweepReport? {
    get { deeper.first }
    set { deeper = newValue.map { [$0] } ?? [] }
  }

  /// A report of nothing yet; `isWhole` is false where more could have been gone through.
  init(_ subject: Subject, count: Int, isWhole: Bool = true, models: [Model] = []) {
    self.subject = subject
    self.count = count
    self.isWhole = isWhole
    self.models = models
  }

  /// How much was gone through, of all models together.
  package var completeness: Completeness {
    judged < count || !isWhole ? .sampled : models.map(\.completeness).max() ?? extent
  }

  /// Counts one judgement that failed; true for the first of its kind.
  mutating func note(_ finding: ReportLine, models: Set<String>, example: () -> Example) {
    let sentence = SweepReport.sentence(finding)
    let key = SweepReport.key(sentence)
    if let known = classes.firstIndex(where: { $0.key == key }) {
      classes[known].count += 1
      classes[known].models.formUnion(models)
    } else {
      classes.append(Class(sentence: sentence, key: key, count: 1, models: models, example: example()))
    }
  }

  /// What convicts, with its place: "line 5, expect fsck clean: NO: …".
  static func sentence(_ line: ReportLine) -> String {
    let place = line.line == 0 ? line.step : "line \(line.line), \(line.step)"
    return "\(place): \(line.result)"
  }

  /// Equal for sentences that differ in figures only: "1 stroke", "2 strokes".
  ///
  /// Every failing state asks for one, so it goes by bytes.
  private static func key(_ sentence: String) -> [UInt8] {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    var key: [UInt8] = []
    var isCounted = false
    for word in sentence.utf8.split(separator: UInt8(ascii: " ")) {
      key += word.filter { !digits.contains($0) }
      if isCounted, key.last == UInt8(ascii: "s") { key.removeLast() }
      isCounted = word.first.map(digits.contains) ?? false
      key.append(UInt8(ascii: " "))
    }
    return key
  }

  /// "412 states, complete; 12 fail, for 2 reasons".
  package var summary: String {
    var words = subject.counted(count)
    if judged < count { words += ", \(Figures.grouped(judged)) of them judged" }
    if subject == .failures && !isWhole { words += ", not all" }
    if subject != .failures { words += ", \(completeness.words)" }
    if failing > 0 {
      words += "; \(Figures.grouped(failing)) fail, for \(Figures.counted(classes.count, "reason"))"
    } else {
      words += judged == 0 && count > 0 ? "; whether they hold is not known" : ": all hold"
    }
    return recovery.map { "\(words); then \($0.summary)" } ?? words
  }

  /// True where nothing failed, at any depth.
  package var holds: Bool { failing == 0 && recovery?.holds ?? true }
}
