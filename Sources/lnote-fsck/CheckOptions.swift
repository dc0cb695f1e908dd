import LNoteFsck
import Options

/// What the options say of how closely, and at what, is looked.
struct CheckOptions {
  var level = CheckLevel.default
  var selection = RunSelection()
  /// How long to wait for a document that is open elsewhere, in seconds.
  var lockWait = 0
  /// Where lines of progress go that another program reads.
  var completion: CompletionLines?

  /// The options, or why they make no sense with this mode.
  static func read(_ reading: OptionReading, _ mode: RunReport.Mode) throws(UsageError) -> CheckOptions {
    var options = CheckOptions()
    if reading.has("quick") {
      options.level = .quick
      if reading.has("deep") { throw UsageError("--quick and --deep do not go together: say one of them.") }
      if mode != .check {
        throw UsageError("--quick reads no pages, so that nothing can be repaired or planned by it: leave it out.")
      }
      if reading.has("render") { throw UsageError("--quick reads no pages, and --render draws them: leave one out.") }
    } else if reading.has("deep") {
      options.level = .deep
    }
    let others = ["deep", "strict", "severity", "only", "subset"]
    if !mode.isOfChecks, let other = others.first(where: { reading.has($0) }) {
      throw UsageError("--\(other) is for a check, a repair or a plan: leave it out.")
    }
    let isOfAPlan = reading.has("save-plan") || reading.has("apply-plan")
    if isOfAPlan, let other = ["severity", "only"].first(where: { reading.has($0) }) {
      throw UsageError("a plan in a file is for everything that was found: leave --\(other) out, or use --plan.")
    }
    if reading.has("apply-plan") && reading.has("subset") {
      throw UsageError("a plan says itself which documents it is for: leave --subset out.")
    }
    options.selection = try selection(reading)
    options.lockWait = reading.number("lock-wait") ?? 0
    if let number = reading.number("progress-fd") {
      if number == 1 && reading.has("json") {
        throw UsageError("--json has standard output for itself: give -C another descriptor, as 3.")
      }
      options.completion = try CompletionLines(number)
    }
    return options
  }

  private static func selection(_ reading: OptionReading) throws(UsageError) -> RunSelection {
    var selection = RunSelection()
    selection.isStrict = reading.has("strict")
    for word in reading.values("severity") {
      let parts = word.text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, let weight = FindingRules.Weight(rawValue: String(parts[1])) else {
        throw UsageError(
          "--severity takes a code and what it counts as, as LN5003=ignore (error, warn or ignore), not \"\(word)\".")
      }
      let kind = try kind(String(parts[0]))
      if let refusal = FindingRules.refusal(of: kind) {
        throw UsageError("\(kind.code) keeps its weight: \(refusal).")
      }
      selection.rules.weigh(kind, as: weight)
    }
    for word in reading.values("only") {
      let kind = try kind(word.text)
      if selection.rules.weights[kind.code] == .ignore {
        throw UsageError("\(kind.code) cannot be looked for and ignored: leave --only or --severity out.")
      }
      selection.rules.tellOnly(kind)
    }
    if let word = reading.value("subset") {
      guard let part = DocumentPart(word.text) else {
        throw UsageError("--subset takes a part, as 1/3, or a share, as 2.5%, not \"\(word)\".")
      }
      selection.part = part
    }
    return selection
  }

  private static func kind(_ text: String) throws(UsageError) -> ProblemKind {
    guard let kind = ProblemKind.named(text) else {
      throw UsageError("there is no code \"\(text)\". Docs/notes/problems.md lists them all.")
    }
    return kind
  }
}

extension RunRequest {
  /// The report of a run that has not begun.
  var newReport: RunReport {
    var report = RunReport(
      mode: mode, arguments: arguments.map(\.text), level: options.level, selection: options.selection)
    report.lookIn = lookIn.map(\.text)
    return report
  }
}

extension RunReport.Mode {
  /// True where documents are checked, whatever follows.
  fileprivate var isOfChecks: Bool {
    switch self {
    case .undo, .acceptLoss: false
    default: true
    }
  }
}
