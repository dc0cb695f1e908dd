import LNoteFsck
import Options

/// What the options say of how closely, and at what, is looked.
struct CheckOptions {
  var level = CheckLevel.default

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
      if !mode.isOfChecks { throw UsageError("--deep is for a check, a repair or a plan: leave it out.") }
    }
    return options
  }
}

extension RunRequest {
  /// The report of a run that has not begun.
  var newReport: RunReport { RunReport(mode: mode, arguments: arguments.map(\.text), level: options.level) }
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
