import Files

/// LN0001, LN0002, and a package whose folder cannot be read.
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
    view.facts.lock == .free ? [] : inUse(view.facts.lock)
  }

  static func inUse(_ lock: PackageLock) -> [Problem] {
    [
      Problem(
        .inUse, evidence: "flock of the package's folder",
        slots: ["holder": Sentences.isOpen(lock)],
        details: ["It was checked as it stands; it is not repaired while it is open."])
    ]
  }
}
