import Terminal

extension ScenarioReport {
  /// The report as a terminal shows it: the title, each line that has something to tell, and the verdict.
  ///
  /// - Parameters:
  ///   - again: the command line that repeats the run; shown where it did not pass.
  ///   - kept: where packages were kept; nil for nowhere.
  package func text(again: String, kept: String?) -> String {
    var text = ReportLayout.row("", title, setting)
    let named = cases.contains { $0.name != nil }
    for one in cases {
      if named { text += ReportLayout.row("", "in case \(one.name ?? "without a fault"):", "") }
      text += one.lines.map { ReportLayout.row($0.line == 0 ? " " : "\($0.line)", $0.step, $0.resultText) }.joined()
      text += one.sweep?.text ?? ""
    }
    text += drawn?.sentence ?? ""
    for store in storesLeftOut { text += "store \(store): not run, it comes with a later version\n" }
    for (what, isReached) in sometimes { text += "sometimes \"\(what)\": \(isReached ? "reached" : "not reached")\n" }
    let counts = named ? ", \(Figures.counted(cases.count, "case"))" : ""
    switch verdictOfCases {
    case .failed where knownFailing != nil:
      text += "failed in \(seconds), as known (\(knownFailing ?? "")): this passes\n"
    case .passed where knownFailing != nil:
      text += "FAILED: it passed in \(seconds), and is known to fail (\(knownFailing ?? "")) - is that mended? "
      text += "Then take 'known-failing' out\n"
    case .passed: text += "passed in \(seconds)\(counts)\n"
    case .failed:
      let failed = cases.filter { $0.verdict == .failed }.count
      text += "FAILED in \(seconds)" + (named ? ": \(failed) of \(Figures.counted(cases.count, "case"))" : "") + "\n"
    case .inconclusive: text += "inconclusive after \(seconds): nothing is proved either way\n"
    }
    for trouble in cases.flatMap(\.trouble) { text += "  \(trouble)\n" }
    if promised != self.kept { text += "promised \(promised.sentence); kept \(self.kept.sentence)\n" }
    if let kept { text += "kept: \(kept)\n" }
    if verdict != .passed { text += "run again: \(again)\n" }
    return text
  }

  /// The words that repeat the run: those that were given, and the seed of the case that is shown.
  ///
  /// - Parameter command: "lnote-scenario run".
  package func again(_ command: String, file: String) -> String {
    drawn.map { "\(command) --seed \($0.shownSeed) \(file)" } ?? "\(command) \(file)"
  }

  /// "0.4 s".
  private var seconds: String { "\(milliseconds / 1000).\(milliseconds % 1000 / 100) s" }
}

extension DrawnCases {
  /// "seed 7, 12 cases from there on; 1 made no sense and was left out", with its line's end.
  fileprivate var sentence: String {
    var parts = ["seed \(shownSeed)"]
    if count > 1 || refused > 0 { parts.append("\(Figures.counted(count, "case")) drawn from seed \(firstSeed) on") }
    if refused > 0 { parts.append("\(refused) left out that made no sense") }
    if inconclusive > 0, count > 1 { parts.append("\(inconclusive) proved nothing") }
    return parts.joined(separator: ", ") + "\n"
  }
}

/// The columns of a report: line, step, result.
enum ReportLayout {
  private static let resultColumn = 47

  /// One line: the number to the right of its column, the step, and the result where there is one.
  static func row(_ line: String, _ step: String, _ result: String) -> String {
    var row = line.isEmpty ? step : String(repeating: " ", count: max(4 - line.count, 0)) + line + "  " + step
    if result.isEmpty { return row + "\n" }
    row += row.count < resultColumn ? String(repeating: " ", count: resultColumn - row.count) : "  "
    return row + result + "\n"
  }
}
