/// All checks of one package: pure functions from facts to problems, in the order in which they are reported.
enum Checks {
  static func problems(in facts: PackageFacts) -> [Problem] {
    if let refusal = facts.refusal { return PackageCheck.problems(of: refusal, in: facts) }
    let view = PackageView(facts)
    var found = PackageCheck.problems(in: view)
    if case .unknownVersion = facts.document.content { return found + DocumentCheck.problems(in: view) }
    found += ObstacleCheck.problems(in: view)
    found += AbsentCheck.problems(in: view)
    found += DirectoryCheck.problems(in: view)
    found += DocumentCheck.problems(in: view)
    found += PageCheck.problems(in: view)
    found += AssetCheck.problems(in: view)
    found += ManifestCheck.problems(in: view)
    found += StrayCheck.problems(in: view)
    found += LossCheck.problems(in: view)
    return found
  }
}
