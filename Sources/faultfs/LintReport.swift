import FileTracing
import Files
import JSON
import Linting
import Processes
import Terminal

/// The judgement of a run: as text for people, as JSON, as an exit status.
struct LintReport {
  private let run: LintedRun
  private let findings: [LintFinding]
  private let changeCount: Int
  private let syncCount: Int
  private let isCut: Bool
  private let showsAll: Bool

  /// Follows the log up to the moment that is judged.
  init(_ run: LintedRun, _ start: [LintStart], _ log: OperationLog, showsAll: Bool) {
    var lint = Lint(start)
    for record in log.records where record.number <= run.lastRecord { lint.follow(record) }
    self.run = run
    findings = lint.findings
    changeCount = lint.changeCount
    syncCount = lint.syncCount
    isCut = log.droppedCount > 0
    self.showsAll = showsAll
  }

  /// What the exit status says.
  enum Verdict: String {
    case clean, findings, unknown
  }

  /// Syncs that could not be seen could only have made findings vanish.
  var verdict: Verdict {
    if isCut { return .unknown }
    if findings.isEmpty { return run.wantsMarker && !run.markerCame ? .unknown : .clean }
    return run.isWatched ? .findings : .unknown
  }

  /// 0 clean, 1 findings, 3 unknown.
  var status: CInt {
    switch verdict {
    case .clean: ExitCode.pass
    case .findings: ExitCode.difference
    case .unknown: ExitCode.unknown
    }
  }

  // MARK: - Text

  /// The whole report.
  var text: String {
    var lines = wrapped(printable(firstLine))
    for kind in [LintFinding.Kind.order, .data, .name] {
      let some = findings.filter { $0.kind == kind }
      if some.isEmpty { continue }
      lines += ["", LintReport.heading(kind)]
      let shown = showsAll ? some : Array(some.prefix(LintReport.shownMax))
      for finding in shown { lines += LintReport.lines(finding) }
      if shown.count < some.count { lines.append("  and \(some.count - shown.count) more like these: --all") }
    }
    let notes = notes
    if !notes.isEmpty { lines.append("") }
    for note in notes { lines += wrapped(printable(note)) }
    return lines.joined(separator: "\n") + "\n"
  }

  private static let shownMax = 10

  private var moment: String {
    if run.markerCame { return "when it printed the marker" }
    return run.interruption == nil ? "when it ended" : "when it was interrupted"
  }

  private var firstLine: String {
    let failure = run.ending.isSuccess || run.interruption != nil ? "" : "\(run.program) failed with \(run.ending). "
    if findings.isEmpty && changeCount == 0 {
      return failure
        + "\(run.program) changed nothing on the disk, so there is nothing to judge. Its working directory "
        + "and FAULTFS_DIR lead to the disk: did it write elsewhere?"
    }
    if findings.isEmpty {
      return failure + "\(run.program) left nothing unsynced: all it changed was durable \(moment), "
        + "in an order that is safe."
    }
    let things = findings.count == 1 ? "1 thing" : "\(findings.count) things"
    return failure + "\(run.program) left \(things) to chance \(moment). A power cut could show each."
  }

  private static func heading(_ kind: LintFinding.Kind) -> String {
    switch kind {
    case .order: "Steps in an order that nothing enforces"
    case .data: "Bytes that no fsync made durable"
    case .name: "Names whose directory was not synced"
    }
  }

  private static func lines(_ finding: LintFinding) -> [String] {
    var lines = ["  \(printable(finding.path.isRoot ? "." : finding.path.description))"]
    for (index, step) in finding.steps.enumerated() {
      let words = "line \(step.number), \(step.words)"
      let more = index == 0 && finding.alikeCount > 0 ? "; and \(finding.alikeCount) more alike" : ""
      lines += row(index == 0 ? "trace" : "", words + more)
    }
    lines += row("lost", finding.loss)
    lines += row("fix", finding.remedy)
    if let hiddenBy = finding.hiddenBy { lines += row("kinder", hiddenBy) }
    return lines
  }

  private static func row(_ label: String, _ words: String) -> [String] {
    wrapped(printable(words), first: "    " + padded(label, columns: 8))
  }

  private var notes: [String] {
    var notes: [String] = []
    if run.wantsMarker && !run.markerCame {
      notes.append("The marker was never printed, so this is the state at the end. Does the program flush its output?")
    }
    if isCut { notes.append("Unknown: it did more than can be kept, and the beginning of the log is gone.") }
    if !run.isWatched && !findings.isEmpty {
      notes.append(
        "Unknown: sync(2) and syncfs(2) cannot be watched here. If it calls them, what stands here may be wrong.")
    }
    if syncCount > 0 {
      notes.append("It called sync or syncfs (\(syncCount) times seen): everything before counts as durable.")
    }
    if run.callsRange { notes.append("It called sync_file_range, which makes nothing durable (see its manual page).") }
    if !findings.isEmpty {
      notes.append(
        "Judged by what POSIX promises at the least; what most file systems add is under 'kinder'. Lines are those of "
          + "the log: --log FILE, then faultfs trace show FILE.")
    }
    return notes
  }

  // MARK: - JSON

  /// The findings and what they rest on.
  var json: JSONValue {
    .object([
      "program": .string(run.program), "ending": .string(run.ending.description),
      "moment": .string(run.markerCame ? "marker" : run.interruption == nil ? "end" : "interruption"),
      "verdict": .string(verdict.rawValue),
      "changes": .integer(Int64(changeCount)), "syncs": .integer(Int64(syncCount)),
      "syncsWatched": .bool(run.isWatched), "findings": .array(findings.map(LintReport.json)),
    ])
  }

  private static func json(_ finding: LintFinding) -> JSONValue {
    .object([
      "kind": .string(finding.kind.rawValue), "cause": .string(finding.cause.rawValue),
      "path": .string(finding.path.description), "steps": .array(finding.steps.map(json)),
      "loss": .string(finding.loss), "fix": .string(finding.remedy),
      "kinder": finding.hiddenBy.map { .string($0) } ?? .null, "alike": .integer(Int64(finding.alikeCount)),
    ])
  }

  private static func json(_ step: LintStep) -> JSONValue {
    .object([
      "number": .integer(Int64(step.number)), "operation": .string(step.operation.rawValue),
      "path": .string(step.path.description), "otherPath": step.otherPath.map { .string($0.description) } ?? .null,
    ])
  }
}
