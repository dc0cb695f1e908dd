/// Which findings a run is about, and how much they weigh: `--only` and `--severity`.
package struct FindingRules: Hashable, Sendable {
  /// What a code counts as.
  package enum Weight: String, CaseIterable, Sendable {
    case error
    case warn
    case ignore
  }

  /// What these codes count as; all others as the catalogue says.
  package private(set) var weights: [String: Weight] = [:]
  /// The only codes that are told and repaired; empty for all.
  package private(set) var only: Set<String> = []

  /// Every finding, as the catalogue weighs it.
  package init() {}

  /// True where nothing is said but what the catalogue says.
  package var isAll: Bool { weights.isEmpty && only.isEmpty }

  /// Why a code cannot be weighed anew; nil where it can.
  package static func refusal(of kind: ProblemKind) -> String? {
    if kind == .knownLoss { return "what is known to be lost counts until it is accepted, by --accept-loss" }
    if kind.repairClass == .operational { return "it says that something could not be looked at" }
    return nil
  }

  /// Makes a kind count as this. Precondition: `refusal` has nothing against it.
  package mutating func weigh(_ kind: ProblemKind, as weight: Weight) {
    precondition(FindingRules.refusal(of: kind) == nil, kind.code)
    weights[kind.code] = weight
  }

  /// Adds a kind to those that the run is about.
  package mutating func tellOnly(_ kind: ProblemKind) { only.insert(kind.code) }

  /// What is told, with its weight, and what is not.
  ///
  /// Trouble that keeps from looking, and what is known to be lost, is told in any case.
  func applied(to found: [Problem]) -> (told: [Problem], hidden: [Problem]) {
    if isAll { return (found, []) }
    var (told, hidden): ([Problem], [Problem]) = ([], [])
    for problem in found {
      if problem.repairClass == .operational || problem.kind == .knownLoss {
        told.append(problem)
      } else if !only.isEmpty && !only.contains(problem.kind.code) && !problem.isOfThePackage {
        hidden.append(problem)
      } else {
        var problem = problem
        switch weights[problem.kind.code] {
        case .ignore: hidden.append(problem)
        case .error:
          problem.severity = .error
          told.append(problem)
        case .warn:
          problem.severity = .warning
          told.append(problem)
        case nil: told.append(problem)
        }
      }
    }
    return (told, hidden)
  }
}

extension Problem {
  /// True for what says that the rest of the package was not looked at, or may be changing.
  fileprivate var isOfThePackage: Bool { [.notAPackage, .unknownFormatVersion, .inUse].contains(kind) }

  /// True where the repair of everything else has to wait for this one's.
  var comesFirst: Bool { action?.decidesDocument == true || kind == .nameIdentityDiffers && action != nil }
}
