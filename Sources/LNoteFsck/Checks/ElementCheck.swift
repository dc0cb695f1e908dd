import LNoteFormat

/// Whole pages that hold what no writer means: LN3005, LN3006, LN3102, LN3104, LN3106, LN3108.
///
/// Every checksum fits, so it was written so. What is drawn is seen either way; nothing is lost or was.
enum ElementCheck {
  /// The codes whose repair writes a whole page anew.
  static let codes: Set = [
    ProblemKind.duplicateElement.code, ProblemKind.valueOutOfRange.code, ProblemKind.generationZero.code,
    ProblemKind.badCanvas.code,
  ]

  /// What can be repaired in one page that the document lists.
  ///
  /// - Parameter besides: what else was found of it. Where another version is to take its place, or its elements are
  ///   counted anew, that comes first, and what is left is repaired when the page was looked at again.
  static func problems(
    _ summary: PageSummary, _ page: PageFacts, besides found: [Problem], _ view: PackageView
  ) -> [Problem] {
    let isSettled = found.allSatisfy { $0.kind == .entryLags }
    let what = view.name(ofPage: page.id)
    func problem(
      _ kind: ProblemKind, _ amendment: PageAmendment, evidence: String, _ slots: [String: String]
    )
      -> Problem
    {
      Problem(
        kind, path: page.file.path, page: view.place(page.id), evidence: evidence,
        slots: slots.merging(["what": what]) { $1 }, action: isSettled ? .amendPage(page.id, amendment) : nil)
    }
    var problems: [Problem] = []
    let doubles = summary.doubles
    if !doubles.isNothing {
      problems.append(
        problem(
          .duplicateElement, .identities,
          evidence: "\(doubles.same) the same once more, \(doubles.different) others with an identity of another one",
          ["doubles": Sentences.doubles(doubles)]))
    }
    let odd = summary.odd
    if odd.tooStrong > 0 {
      problems.append(
        problem(
          .valueOutOfRange, .pressure, evidence: "\(odd.pointsTooStrong) points in \(odd.tooStrong) strokes",
          Sentences.tooStrong(odd)))
    }
    // A page that is older than the document knows is told as that.
    if summary.generation == 0 && !found.contains(where: { $0.kind == .pageRolledBack }) {
      problems.append(problem(.generationZero, .generation, evidence: "generation 0", [:]))
    }
    return problems
  }

  /// What is only told: one finding of each kind for the whole document.
  static func problems(in view: PackageView) -> [Problem] {
    let kinds: [(kind: ProblemKind, count: (PageSummary) -> UInt64)] = [
      (.unknownElement, { $0.unknownElements }), (.timeNotMonotonic, { $0.odd.backInTime }),
      (.emptyStroke, { $0.odd.empty }),
    ]
    let listed = view.entries.compactMap { entry in
      view.page(entry.id).flatMap { page in page.whole.map { (page, $0) } }
    }
    return kinds.compactMap { kind, count in
      let pages = listed.filter { count($0.1) > 0 }
      guard let first = pages.first?.0 else { return nil }
      let isOne = pages.count == 1
      let total = pages.reduce(UInt64(0)) { $0 + count($1.1) }
      let places = pages.map { view.place($0.0.id) }
      var problem = Problem(
        kind, path: isOne ? first.file.path : nil, page: isOne ? places.first : nil,
        evidence: "\(total) in \(pages.count) pages",
        slots: [
          "what": isOne
            ? "\(view.name(ofPage: first.id)) has" : "\(Sentences.pages(pages.count, of: view.entries.count)) have",
          "which": isOne ? "" : Sentences.which(places.compactMap(\.number)),
        ])
      if !isOne { problem.pages = places }
      return problem
    }
  }
}
