/// A scenario that was made up, in parts, so that a crash in it can be made a step of its own.
package struct InventedScenario: Hashable, Sendable {
  /// What stands in the middle.
  package enum Middle: Hashable, Sendable {
    /// Steps, and nothing around them.
    case plain([String])
    /// A line that ends in a brace, the steps in it, and steps behind it.
    case block(String, [String], after: [String])
    /// A sweep: its line, the steps in it, and those of the check.
    case sweep(String, [String], check: [String])
  }

  /// A document before the first step.
  package struct Document: Hashable, Sendable {
    /// Its pages, a line each.
    package var pages: [String] = []
  }

  /// What documents are called, in their order, and by steps where there are several.
  static let names = [("Notes", "notes"), ("Diary", "diary"), ("Physics", "physics")].map {
    (title: $0.0, alias: $0.1)
  }
  /// How many documents there are at the most.
  static var documentsMax: Int { names.count }

  /// Settings, a line each: "model ext4-ordered".
  package var settings: [String]
  /// The documents.
  package var documents: [Document]
  /// Steps in front.
  package var steps: [String]
  /// What the scenario is about.
  package var middle: Middle
  /// The steps that judge, where the middle does not.
  package var ending: [String]

  /// The scenario as a file of this title, with lines of comment behind it.
  package func text(title: String, comments: [String] = []) -> String {
    var lines = ["scenario v1 \"\(title)\""] + comments.map { "# \($0)" }
    if !settings.isEmpty { lines += [""] + settings }
    lines.append("")
    for (document, name) in zip(documents, Self.names) {
      let alias = documents.count > 1 ? " as \(name.alias)" : ""
      lines += ["document \"\(name.title)\"\(alias) {"] + document.pages.map { "  \($0)" } + ["}"]
    }
    lines.append("")
    lines += steps
    switch middle {
    case .plain(let steps): lines += steps
    case .block(let head, let steps, let after): lines += [head] + steps.map { "  \($0)" } + ["}"] + after
    case .sweep(let head, let steps, let check):
      lines += [head] + steps.map { "  \($0)" } + ["}", "check {"] + check.map { "  \($0)" } + ["}"]
    }
    return (lines + ending).joined(separator: "\n") + "\n"
  }

  /// The scenario with one crash of its sweep in the place of the sweep.
  ///
  /// `line` is what a report of the sweep prints behind "again": up to a brace, or a step of its own.
  package func concrete(_ line: String) -> InventedScenario? {
    guard case .sweep(_, let steps, let check) = middle else { return nil }
    var concrete = self
    concrete.middle = line.hasSuffix("{") ? .block(line, steps, after: check) : .plain(steps + [line] + check)
    return concrete
  }
}
