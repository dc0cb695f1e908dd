extension Fsck {
  /// The problems that are repaired in this round: all of them, or those whose repair the user permits.
  ///
  /// Each is asked for once, before anything of the round is done. Where what everything else waits for is to stay,
  /// nothing of the package is repaired.
  func permitted(
    _ problems: [Problem], in facts: PackageFacts, mode: RepairMode, stamp: RepairStamp,
    _ declined: inout Set<DeclinedRepair>
  ) -> [Problem] {
    guard let permits else { return problems }
    let open = problems.filter { !declined.contains(DeclinedRepair($0)) }
    if problems.contains(where: { $0.comesFirst && declined.contains(DeclinedRepair($0)) }) { return [] }
    var chosen: [Problem] = []
    for group in RepairPlan(for: open, in: facts, mode: mode, stamp: stamp).groups {
      var question = PackageReport(package: facts.path)
      question.take(facts)
      (question.found, question.left) = (group, group)
      let plan = RepairPlan(for: group, in: facts, mode: mode, stamp: stamp)
      if plan.isEmpty { continue }
      question.plan = plan
      if permits(question) { chosen += group } else { declined.formUnion(group.map { DeclinedRepair($0) }) }
    }
    return chosen
  }
}
