import Terminal

extension ProblemKind {
  /// Everything about this kind, for `--explain`: rule, cause, repair, loss, undo.
  package var explanation: String {
    var lines = ["\(code) \(name)"]
    let parts = [
      ("What should be", rule), ("Usual cause", cause), ("Repair", repair), ("What may be lost", loss),
      ("To take it back", undo),
    ]
    for (label, text) in parts {
      lines += ["", label] + wrapped(text, columns: 79, first: "  ")
    }
    lines += ["", "Severity: \(severity.rawValue). Repaired: \(repairedBy)."]
    return lines.map { $0 + "\n" }.joined()
  }

  /// Which option repairs it.
  var repairedBy: String {
    switch repairClass {
    case .automatic: "by -p and -y"
    case .consent: "by -y"
    case .report: "never; it is only reported"
    case .operational: "never; exit status 8"
    }
  }

  /// The page of all problems for `Docs/notes/problems.md`, printed from the table.
  package static var page: String {
    var lines = [
      "# Problems", "",
      "What `lnote-fsck` can find. This page is printed from the program's own table; `lnote-fsck --explain CODE` shows",
      "one part of it. Codes never change. A finding may be lighter or heavier than its kind: then it says so.", "",
    ]
    for kind in all {
      lines += [
        "## \(kind.code) \(kind.name)", "", "*\(kind.severity.rawValue) · repaired: \(kind.repairedBy)*", "",
        "- **What should be**: \(kind.rule)", "- **Usual cause**: \(kind.cause)", "- **Repair**: \(kind.repair)",
        "- **What may be lost**: \(kind.loss)", "- **To take it back**: \(kind.undo)", "",
      ]
    }
    return lines.dropLast().map { $0 + "\n" }.joined()
  }
}
