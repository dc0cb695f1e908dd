import Files
import Terminal

/// The small pictures of pages, in the user's words.
extension Sentences {
  /// How many page numbers one sentence names.
  private static let numbersMax = 8

  /// ": pages 1, 4 and 7"; the first few where they are many.
  static func which(_ numbers: [Int]) -> String {
    if numbers.isEmpty { return "" }
    if numbers.count <= numbersMax { return ": " + pageNumbers(numbers) }
    return ": pages " + numbers.prefix(numbersMax).map { Figures.grouped($0) }.joined(separator: ", ") + ", …"
  }

  /// - Parameter what: "picture of page 3 of 40 is".
  static func laterPicture(_ count: Int, _ what: String) -> String {
    let version = count == 1 ? "a later version of it than is" : "later versions of them than are"
    let subject = what.hasSuffix(" is") ? what.dropLast(3) : what.dropLast(4)
    return "The small \(subject) \(count == 1 ? "shows" : "show") \(version) here."
  }

  static let laterPictureAdvice =
    "What was drawn last may be missing: look at the small picture before it is drawn anew, and for a backup."

  static func drawn(_ problem: Problem) -> String {
    let count = max(problem.pages.count, 1)
    if count > 1 { return "\(Figures.grouped(count)) small pictures were drawn from their pages." }
    return "The small picture of \(problem.page?.number.map { "page \(Figures.grouped($0))" } ?? "a page")"
      + " was drawn from the page."
  }

  /// More drawings in a row than these are told in one sentence.
  static let picturesPlannedMax = 3

  /// Many drawings in a row, all for the same reason as this one.
  static func drawings(_ count: Int, _ step: RepairStep) -> String {
    let isMissing = step.code == ProblemKind.thumbnailMissing.code
    return "Draw the small pictures of \(pages(count)) from the pages"
      + (isMissing ? "." : ", and set the old ones aside.")
  }
}

extension RepairStep {
  /// True where both draw a small picture of a whole page for the same reason.
  func isDrawing(like other: RepairStep) -> Bool {
    guard case .drawThumbnail = work else { return false }
    return code == other.code && ThumbnailCheck.codes.contains(code)
  }
}

extension PackageReport {
  /// What was set aside, in the user's words.
  var asidesTold: String {
    let drawn = actions.filter { ThumbnailCheck.codes.contains($0.step.code) }
    let unused = actions.filter { $0.step.code == ProblemKind.thumbnailUnused.code }
    return Sentences.asides(
      asides.map(\.from), numbers: pageNumbers, outdated: Set((drawn + unused).map(\.step.path)))
  }
}
