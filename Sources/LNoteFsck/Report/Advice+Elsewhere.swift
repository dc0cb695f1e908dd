import LNoteFormat
import Terminal

/// Where what is lost may still be.
extension Advice {
  /// That another copy may have what this one lacks; nothing where that was looked for already, or nothing is lacking.
  static func elsewhere(_ run: RunReport, _ arguments: String) -> [String] {
    let missed = run.items.flatMap { $0.report.left.filter(\.isMissed) }
    if missed.isEmpty || run.level == .quick || !run.lookIn.isEmpty { return [] }
    return wrapped(
      "If another device or a backup has \(Sentences.better(than: missed)), all of it can be saved:", columns: 79,
      first: "  ") + ["      lnote-fsck --look-in OTHER \(arguments)"]
  }

  /// The same after a repair that could not bring everything back, and how to put up with it.
  static func loss(after run: RunReport) -> [String] {
    let lacking = run.items.filter { $0.report.left.contains(where: \.isOpenLoss) }
    guard let first = lacking.first else { return [] }
    let folders = if case .copy(let target) = run.mode { [target] } else { run.arguments }
    let arguments = (run.selection.words + folders.map(quoted)).joined(separator: " ")
    let pages = Set(first.report.left.filter(\.isOpenLoss).map { $0.page?.number })
    let page = pages.count == 1 ? pages.first?.map { "page-\($0)" } : nil
    let document = lacking.count == 1 ? quoted(first.prefix + first.report.package.description) : "DOCUMENT"
    return [
      "  If a better copy turns up:",
      "      lnote-fsck -y --look-in OTHER \(arguments)",
      "  Every check will name this loss until it is healed, or accepted with",
      "      lnote-fsck --accept-loss \(lacking.count == 1 ? page ?? "all" : "all") \(document)",
    ]
  }
}

extension Problem {
  /// A loss on record that the user has not accepted.
  fileprivate var isOpenLoss: Bool { kind == .knownLoss && severity == .error }

  /// True where content is missing that another copy may have.
  fileprivate var isMissed: Bool {
    kind == .knownLoss ? isOpenLoss : repairClass != .operational && !loss.isNothing
  }
}

extension Sentences {
  /// "a better page 12": what would be of use in the place of what is damaged or missing.
  static func better(than missed: [Problem]) -> String {
    let pages = Set(missed.map { $0.asset == nil ? $0.page : nil })
    let images = Set(missed.map(\.asset))
    if pages.count == 1, let page = pages.first, let page {
      return page.number.map { "a better page \(Figures.grouped($0))" } ?? "a better copy of the page"
    }
    if images.count == 1, let image = images.first, image != nil { return "the whole image" }
    return "better copies of these files"
  }
}
