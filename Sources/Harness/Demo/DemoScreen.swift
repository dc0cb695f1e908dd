import Terminal

/// The last screen of the demonstration: a pure function of what the runs came to.
package struct DemoScreen: Sendable {
  /// The reports of `DemoPlan.all`, in its order.
  package let reports: [ScenarioReport]
  /// The report of the control.
  package let control: ScenarioReport
  /// How long all of it took, in milliseconds.
  package let milliseconds: Int
  /// Why it ran in process; nil for live mounts.
  package let obstacle: String?

  /// A screen of these reports.
  package init(reports: [ScenarioReport], control: ScenarioReport, milliseconds: Int, obstacle: String?) {
    self.reports = reports
    self.control = control
    self.milliseconds = milliseconds
    self.obstacle = obstacle
  }

  /// True where everything promised was kept and the control was convicted.
  package var isGood: Bool {
    reports.allSatisfy { $0.verdict == .passed } && promised == kept && controlIsConvicted
  }

  private var promised: Promise { reports.reduce(Promise()) { $0 + $1.promised } }
  private var kept: Promise { reports.reduce(Promise()) { $0 + $1.kept } }
  private var controlIsConvicted: Bool { control.verdict == .failed && control.promised != control.kept }

  /// The screen, at most 80 columns wide, with a newline at its end.
  package var text: String {
    let rule = String(repeating: "-", count: DemoScreen.columns)
    var lines = [rule]
    if !isGood { lines += complaint + [""] }
    lines +=
      [headline] + (obstacle.map { wrapped("(in process, without a mount: \($0))", columns: DemoScreen.columns) } ?? [])
    lines += ["", row("", "what you did", "what the disk did", "what the check found")]
    for (number, (plan, report)) in zip(DemoPlan.all, reports).enumerated() {
      lines += rows(number + 1, plan, report)
    }
    lines += ["", "Promised   the app said \"saved\" for \(promised.sentence)"]
    lines += ["Kept       after every fault: \(kept.sentence)"] + controlLines + [""] + next + [rule]
    return lines.map { $0 + "\n" }.joined()
  }

  private static let columns = 80

  private var headline: String {
    let faults = reports.reduce(0) { sum, report in
      sum + report.faultsFired + report.cases.reduce(0) { $0 + $1.refused }
    }
    let figures = [
      Figures.counted(reports.count, "scenario"), Figures.counted(faults, "fault"),
      Figures.time(milliseconds: milliseconds),
    ]
    return "A notes app wrote to a disk that failed on purpose: " + figures.joined(separator: ", ")
  }

  /// What is not as it should be, in words.
  private var complaint: [String] {
    var sentences: [String] = []
    if promised != kept {
      sentences.append("LOST: the app said \"saved\" for \(promised.sentence); only \(kept.sentence) are there.")
    }
    for (plan, report) in zip(DemoPlan.all, reports) where report.verdict != .passed {
      let reasons = report.cases.flatMap {
        $0.lines.filter { !$0.holds }.map { "\($0.step): \($0.result)" } + $0.trouble
      }
      sentences.append(
        "Scenarios/\(plan.file) \(report.verdict == .failed ? "FAILED" : "is inconclusive")"
          + (reasons.first.map { ": \($0)" } ?? "."))
    }
    if !controlIsConvicted {
      sentences.append(
        "The control was not convicted: a store that never syncs passed. Until that is mended, no result here"
          + " means anything.")
    }
    return sentences.flatMap { wrapped($0, columns: DemoScreen.columns) }
  }

  private var controlLines: [String] {
    guard controlIsConvicted else { return [] }
    let strokes = control.promised.strokes - control.kept.strokes
    let photos = control.promised.photos - control.kept.photos
    let lost = [(strokes, "stroke"), (photos, "photo")].filter { $0.0 > 0 }.map { Figures.counted($0.0, $0.1) }
    return wrapped(
      "the photo scenario with a store that never syncs: \(lost.joined(separator: " and ")) lost, and the run"
        + " said so. (A test that cannot fail proves nothing.)",
      columns: DemoScreen.columns, first: "Control    ", rest: "           ")
  }

  private var next: [String] {
    [
      "Look       ls demo-kept/                     what crash and repair left",
      "           bin/lnote-fsck demo-kept/3-torn-rename/target-empty/crashed",
      "Change     edit Scenarios/photo-power-cut.scn, then",
      "           bin/lnote-scenario run Scenarios/photo-power-cut.scn",
      "Your app   bin/faultfs lint -- python3 save.py     what did it leave unsynced?",
      "Your notes bin/lnote-fsck FOLDER             looks only, changes nothing",
      "Read on    Docs/README.md",
    ]
  }

  // MARK: The table

  private func rows(_ number: Int, _ plan: DemoPlan, _ report: ScenarioReport) -> [String] {
    let refused = report.cases.reduce(0) { $0 + $1.refused }
    let disk = plan.diskDid.replacing("#cases", with: "\(report.cases.count)")
      .replacing("#refused", with: Figures.counted(refused, "write"))
    let cells = [
      wrapped(plan.did, columns: 28), wrapped(disk, columns: 26),
      DemoScreen.found(report).flatMap { wrapped($0, columns: 22) },
    ]
    return (0..<(cells.map(\.count).max() ?? 0)).map { line in
      let texts = cells.map { line < $0.count ? $0[line] : "" }
      return row(line == 0 ? "\(number)" : "", texts[0], texts[1], texts[2])
    }
  }

  private func row(_ number: String, _ did: String, _ disk: String, _ found: String) -> String {
    let text = padded(number, columns: 2) + padded(did, columns: 29) + padded(disk, columns: 27) + found
    return String(text.reversed().drop { $0 == " " }.reversed())
  }

  /// What the checks of all cases found, in a few words; each part begins a line of its own.
  static func found(_ report: ScenarioReport) -> [String] {
    if report.cases.count == 1 {
      let repairs = report.cases[0].repairs
      return repairs.isEmpty ? ["nothing"] : repairs
    }
    let damaged = report.cases.filter { $0.found.contains(where: \.isDamage) }.count
    let whole = report.cases.count - damaged
    return ["\(Figures.counted(whole, "time")) no damage,", "\(Figures.counted(damaged, "time")) repaired it"]
  }
}
