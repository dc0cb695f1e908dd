import Files
import LNoteFsck

/// What a check of all packages found.
struct CheckSummary {
  /// One kind of problem, and how often it was found.
  struct Found {
    let code: String
    let name: String
    let severity: Severity
    let count: Int

    var isError: Bool { severity == .error || severity == .fatal }
    var isWarningOrError: Bool { severity != .info }
  }

  /// The kinds, sorted by code.
  let problems: [Found]

  /// Nothing above a note.
  var isClean: Bool { !problems.contains(where: \.isWarningOrError) }

  /// "found asset-orphan (LN4002) x1", or "found nothing".
  var sentence: String {
    if problems.isEmpty { return "found nothing" }
    return "found " + problems.map { "\($0.name) (\($0.code)) x\($0.count)" }.joined(separator: ", ")
  }
}

/// What a repair of all packages came to.
struct RepairOutcome {
  /// What was done, as sentences.
  var repairs: [String] = []
  /// How many elements the repairs had to record as lost.
  var lostElements = 0
  /// Why nothing was repaired, where it was refused.
  var refusal: String?
}
