import Files

/// LN0001, LN0002, LN0012, and a package whose folder cannot be read.
enum PackageCheck {
  static func problems(of refusal: PackageRefusal, in facts: PackageFacts) -> [Problem] {
    let what = "\(facts.path.name)"
    switch refusal {
    case .notAPackage(let reason):
      return [Problem(.notAPackage, evidence: reason, slots: ["what": what, "reason": reason])]
    case .unreadable(let failure):
      return [ObstacleCheck.problem(of: failure, path: nil, what: what)]
    case .changing:
      return [Problem(.changedDuringCheck, slots: ["what": what])]
    }
  }

  static func problems(in view: PackageView) -> [Problem] {
    view.facts.lock == .free ? [] : [problem(of: view.facts.lock)]
  }

  /// The problem of a lock that is not free.
  static func problem(of lock: PackageLock) -> Problem {
    let evidence = "flock of the package's folder"
    guard case .held(let process) = lock else { return Problem(.lockUnavailable, evidence: evidence) }
    return Problem(
      .inUse, evidence: evidence, slots: ["holder": process.map { " (process \($0))" } ?? ""],
      details: ["It was checked as it stands; it is not repaired while it is open."])
  }
}
