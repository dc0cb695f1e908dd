/// All checks of one package: pure functions from facts to problems, in the order in which they are reported.
enum Checks {
  static func problems(in facts: PackageFacts) -> [Problem] {
    if let refusal = facts.refusal { return PackageCheck.problems(of: refusal, in: facts) }
    let view = PackageView(facts)
    let found = problems(in: view)
    return facts.level == .quick ? found.map { $0.withoutRepair() } : found
  }

  private static func problems(in view: PackageView) -> [Problem] {
    var found = PackageCheck.problems(in: view)
    if case .unknownVersion = view.facts.document.content { return found + DocumentCheck.problems(in: view) }
    found += ObstacleCheck.problems(in: view)
    found += AbsentCheck.problems(in: view)
    found += DirectoryCheck.problems(in: view)
    found += DocumentCheck.problems(in: view)
    found += FieldCheck.problems(in: view)
    found += PageCheck.problems(in: view)
    found += ElementCheck.problems(in: view)
    found += JournalCheck.problems(in: view)
    switch view.facts.level {
    case .quick: found += GlanceCheck.emptyImages(in: view)
    case .default: found += AssetCheck.problems(in: view)
    case .deep: found += AssetCheck.problems(in: view) + ImageCheck.problems(in: view)
    }
    found += ManifestCheck.problems(in: view)
    found += ThumbnailCheck.problems(in: view)
    found += StrayCheck.problems(in: view)
    found += LinkCheck.problems(in: view)
    found += LossCheck.problems(in: view)
    return JournalGuard.problems(ElsewhereChoice.problems(found, in: view), in: view)
  }
}
