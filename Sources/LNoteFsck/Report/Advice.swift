import Terminal

/// What the user can do next, with lines to copy.
package enum Advice {
  static func lines(for run: RunReport) -> [String] {
    var lines: [String] = []
    let left = run.items.flatMap { item in item.report.left.map { (item, $0) } }
    let lookIn = run.lookIn.map { "--look-in \(quoted($0))" }
    let arguments = (run.selection.words + lookIn + run.arguments.map(quoted)).joined(separator: " ")
    if let failure = left.first(where: { needsAdvice($0.1, run) }) {
      if failure.1.kind == .notDownloaded {
        lines += ["  This is not a loss."]
      } else {
        lines += wrapped(failure.1.kind.cause, columns: 79, first: "  ")
      }
      lines += wrapped(adviceText(failure.1), columns: 79, first: "  ")
    }
    if !run.isCopy, left.contains(where: { $0.1.kind == .notDownloaded }) {
      lines += wrapped(
        "If this copy is all there is, save what is here; absent pages keep their place and are named:", columns: 79,
        first: "  ")
      lines += ["      lnote-fsck -y --as-is --to \(outside(run)) \(arguments)"]
    }
    if run.mode == .undo { return lines + afterUndo(run) }
    if run.isRepair { return lines + afterRepair(run) }
    if run.isPlan { return lines + afterPlan(run, arguments) }
    if run.level == .quick, left.contains(where: { $0.1.severity > .info && $0.1.repairClass != .operational }) {
      lines += [
        "  Read the pages too, to see what can be saved and what a repair would do:", "      lnote-fsck \(arguments)",
      ]
    }
    let repairable = left.filter { $0.1.action != nil }
    let consent = repairable.filter { $0.1.repairClass == .consent }
    if consent.isEmpty { lines += elsewhere(run, arguments) }
    if let item = consent.first?.0 {
      let title = item.report.title.map { "\"\(printable($0))\"" } ?? "the document"
      lines += wrapped("Leave \(title) closed in the app until it is repaired.", columns: 79, first: "  ")
      lines += elsewhere(run, arguments)
      let isArchive = consent.allSatisfy(\.0.isInArchive)
      if !isArchive {
        lines += [
          "  See each step of a repair, and what it costs, without doing it:",
          "      lnote-fsck --plan \(arguments)",
        ]
      }
      lines += [
        isArchive
          ? "  Write a repaired copy as folders; the archive stays as it is:"
          : "  Repair a copy and leave this folder as it is:",
        "      lnote-fsck -y --to \(outside(run)) \(arguments)",
      ]
      if !isArchive {
        lines += [
          "  Repair here. Nothing is deleted; what is replaced is set aside:",
          "      lnote-fsck -y \(arguments)",
        ]
      }
    }
    if repairable.contains(where: { $0.1.repairClass == .automatic && !$0.0.isInArchive }) {
      lines += [
        "  Do only the safe fixes: nothing that needs a decision, nothing that can lose:",
        "      lnote-fsck -p \(arguments)",
      ]
    }
    return lines
  }

  private static func afterRepair(_ run: RunReport) -> [String] {
    var lines: [String] = []
    for item in run.items where item.report.didChange {
      let pages = item.report.repaired.compactMap(\.page?.number)
      let title = item.report.title.map { "\"\(printable($0))\"" } ?? "the document"
      if item.report.left.contains(where: { $0.kind == .knownLoss && $0.severity == .error }) {
        let place = pages.first.map { "page \(Figures.grouped($0))" } ?? "its pages"
        lines += wrapped("Open \(title) in the app and look at \(place).", columns: 79, first: "  ")
      }
    }
    return lines + undo(run) + loss(after: run)
  }

  /// A folder for the copy that does not lie in what is repaired.
  private static func outside(_ run: RunReport) -> String {
    run.arguments.contains { $0 == "." || $0 == "./" } ? "../REPAIRED" : "REPAIRED"
  }

  private static func needsAdvice(_ problem: Problem, _ run: RunReport) -> Bool {
    if problem.saysAll { return false }
    return problem.repairClass == .operational || problem.kind == .inUse && run.isRepair
  }

  /// What the catalogue says of the repair, without its "None".
  private static func adviceText(_ problem: Problem) -> String {
    let text = problem.kind.repair
    for start in ["None. ", "None: ", "None while it is open. "] where text.hasPrefix(start) {
      return String(text.dropFirst(start.count)).capitalisedFirst
    }
    return text
  }

  /// The argument as it can be pasted into a shell.
  package static func quoted(_ text: String) -> String {
    let plain = text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "~"):
        true
      default: false
      }
    }
    if plain && !text.isEmpty { return text }
    return "'" + printable(text).replacing("'", with: "'\\''") + "'"
  }
}
