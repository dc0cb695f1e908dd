/// What a run was told to leave out, and how it counts what it finds.
package struct RunSelection: Sendable {
  /// Which findings it is about.
  package var rules = FindingRules()
  /// True where warnings count as errors in the exit status.
  package var isStrict = false
  /// The part of the documents that is looked at; nil for all.
  package var part: DocumentPart?
  /// How many documents there are in all, with those outside of the part.
  package var documentsInAll = 0

  /// Everything, counted as the catalogue says.
  package init() {}

  /// The options that say the same again, for lines to copy.
  var words: [String] {
    rules.only.sorted().map { "--only \($0)" }
      + rules.weights.sorted { $0.key < $1.key }.map { "--severity \($0.key)=\($0.value.rawValue)" }
      + (part.map { ["--subset \($0)"] } ?? [])
  }
}

extension RunReport {
  /// What was found and is not told, from this weight on.
  func hidden(from severity: Severity = .info) -> [Problem] {
    items.flatMap { $0.report.hidden.filter { $0.severity >= severity } }
  }

  /// How often each code was found and not told.
  var hiddenByCode: [String: Int] {
    var counts: [String: Int] = [:]
    for problem in hidden() { counts[problem.kind.code, default: 0] += 1 }
    return counts
  }

  /// True where only warnings make the status what it is.
  var isStrictAlone: Bool {
    selection.isStrict && exit.contains(.errorsLeft) && !items.contains { $0.report.exit.contains(.errorsLeft) }
  }
}
