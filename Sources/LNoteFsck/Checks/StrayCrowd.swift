import Files

/// Many files of no use in one folder are one finding: who reads a thousand lines reads none.
enum StrayCrowd {
  /// So many files of a folder are told one by one.
  static let toldMax = 50
  /// So many names stand for the others.
  private static let namesTold = 3

  /// The findings as they are told: those of a crowd, which stay and hold nothing of the document, are one.
  static func gathered(_ problems: [Problem]) -> [Problem] {
    var crowds = Dictionary(grouping: problems.filter(isOfNoUse), by: Crowd.init).filter { $0.value.count > toldMax }
    if crowds.isEmpty { return problems }
    let all = Set(crowds.keys)
    return problems.compactMap { problem in
      let crowd = Crowd(problem)
      guard isOfNoUse(problem), all.contains(crowd) else { return problem }
      // The first of them stands for all.
      return crowds.removeValue(forKey: crowd).map { told(problem, with: $0) }
    }
  }

  private struct Crowd: Hashable {
    let folder: BytePath
    let code: String

    init(_ problem: Problem) {
      folder = problem.path?.parent ?? .root
      code = problem.kind.code
    }
  }

  private static func isOfNoUse(_ problem: Problem) -> Bool {
    [ProblemKind.unknownFile, .foreignFile, .appleDouble].contains(problem.kind) && problem.details.isEmpty
  }

  private static func told(_ first: Problem, with all: [Problem]) -> Problem {
    let folder = Crowd(first).folder
    var problem = first
    problem.path = folder
    problem.evidence = "\(all.count) files"
    problem.statement = Sentences.crowd(all.count, of: first.kind, in: folder)
    let names = all.prefix(namesTold).compactMap { $0.path.map { "\($0.name)" } }
    problem.details = [Sentences.crowdNames(names)]
    return problem
  }
}
