import LNoteFormat
import Terminal

/// What no writer means on a page, in the user's words.
extension Sentences {
  /// What a header alone tells of a page without a version number.
  static func unnumbered(_ what: String) -> String {
    "\(what) has no version number; an older one could not be told from it."
  }

  /// "1 stroke or image is there twice, and 2 others have the identity of another".
  static func doubles(_ doubles: ElementDoubles) -> String {
    var parts: [String] = []
    if doubles.same > 0 {
      parts.append(
        Figures.counted(Int(clamping: doubles.same), "stroke or image is", "strokes or images are")
          + " there more than once")
    }
    if doubles.different > 0 {
      parts.append(
        Figures.counted(
          Int(clamping: doubles.different), "stroke or image has", "strokes or images have")
          + " the identity of another one")
    }
    return parts.joined(separator: ", and ")
  }

  static func tooStrong(_ odd: StrokeFindings) -> [String: String] {
    [
      "points": points(odd.pointsTooStrong),
      "strokes": elements(odd.tooStrong, strokesOnly: true) + (odd.pointsTooStrong == 1 ? " has" : " have"),
    ]
  }

  /// What a repair put right on a whole page.
  static func amended(_ amendment: PageAmendment, _ problem: Problem) -> String {
    switch amendment {
    case .identities: "each stroke and image is there once now, with an identity of its own."
    case .pressure: "the pressure of \(problem.slots["points"] ?? "its points") was put right."
    case .canvas: "it has a size now."
    case .generation: "it has a version number now."
    }
  }
}
