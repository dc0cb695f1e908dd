import Terminal

extension CampaignSummary {
  /// How many failures the short reports tell in full.
  static let toldMax = 3

  /// The failures that need somebody today.
  var urgent: [Bucket] { buckets.filter { [.new, .back, .flaky].contains($0.state) } }

  /// summary.txt: at most 20 lines, the verdict first. Its last line is the only one with what differs between runs.
  package func text(_ facts: RunFacts) -> String {
    var lines = ["lnote nightly \(facts.day) \(plan.build): \(headline)", ""]
    for bucket in urgent.prefix(Self.toldMax) {
      lines.append("\(bucket.state.label)\(bucket.known.sentence)")
      lines.append("       \(bucket.standing)")
      lines.append("       run     \(bucket.runCommand(facts))")
    }
    if urgent.count > Self.toldMax {
      lines.append(
        "       and \(Figures.grouped(urgent.count - Self.toldMax)) more: \(facts.folder)/merged/report.html")
    }
    for state in [Bucket.State.known, .parked, .fixed] {
      let some = buckets.filter { $0.state == state }
      if some.isEmpty { continue }
      let names = some.map { bucket in
        bucket.known.signature + (bucket.parked.map { " (\($0.issue))" } ?? "")
      }
      lines.append("\(state.label)\(some.count): \(Self.few(names))")
    }
    if lines.count > 2 { lines.append("") }
    lines.append(totals)
    lines += warnings.prefix(4)
    let canaryWord = canary == .none ? "not run" : canary == .found ? "yes" : "NO"
    lines.append("canary found: \(canaryWord); \(facts.sentence)")
    return lines.map { printable($0) }.joined(separator: "\n") + "\n"
  }

  /// summary.md: the same for a chat, a mail or a phone.
  package func markdown(_ facts: RunFacts) -> String {
    var text = "## lnote nightly \(facts.day): \(headline)\n\nBuild `\(plan.build)`, \(totals).\n"
    for warning in warnings { text += "\n> \(Self.plain(warning))\n" }
    for bucket in urgent.prefix(Self.toldMax * 3) {
      text += "\n### \(bucket.state.rawValue): \(Self.plain(bucket.known.sentence))\n\n\(bucket.standing)\n\n"
      if let scenario = bucket.finding?.scenario { text += "```\n\(Self.fenced(scenario))\n```\n" }
      text += "\n    \(bucket.runCommand(facts))\n"
    }
    let rest = buckets.filter { [.known, .parked, .fixed].contains($0.state) }
    if !rest.isEmpty { text += "\n| | failure | since |\n|---|---|---|\n" }
    for bucket in rest.prefix(100) {
      text += "| \(bucket.state.rawValue) | \(Self.plain(bucket.known.sentence)) | \(bucket.known.since) |\n"
    }
    if rest.count > 100 { text += "\nAnd \(Figures.grouped(rest.count - 100)) more in the report.\n" }
    return text + "\n\(facts.sentence)\n"
  }

  /// Words that Markdown shows as they are.
  private static func plain(_ words: String) -> String {
    var text = ""
    for character in printable(words) {
      if "\\`*_[]<>|#".contains(character) { text += "\\" }
      text.append(character)
    }
    return text
  }

  /// Lines for a fence, which no fence inside of them may end.
  private static func fenced(_ lines: String) -> String {
    lines.split(separator: "\n").map { $0.hasPrefix("```") ? " \($0)" : "\($0)" }.joined(separator: "\n")
  }
}

extension CampaignSummary.Bucket.State {
  /// The word at the beginning of a line of summary.txt, seven columns wide; capitals need somebody.
  fileprivate var label: String {
    let word =
      switch self {
      case .new, .back, .flaky: rawValue.uppercased()
      case .known, .parked, .fixed: rawValue
      }
    return word + String(repeating: " ", count: max(1, 7 - word.count))
  }
}
