import Files
import LNoteFormat

extension Fsck {
  /// Looks at a package and says what a repair would do, step by step; changes nothing.
  ///
  /// What a repair does after it has looked again is not in it: where `document.json` itself is of no use, everything
  /// else waits for that.
  package func plan(_ package: BytePath, mode: RepairMode) -> PackageReport {
    var (report, facts) = looked(at: package)
    if report.found.contains(where: { $0.isTrouble(isAsIs) }) || report.isWaiting(mode) { return report }
    let plan = RepairPlan(for: report.found, in: facts, mode: mode, stamp: RepairStamp(at: now))
    if plan.isEmpty { return report }
    do throws(FileCallError) {
      report.planned = try PlannedDocument(plan, of: facts, in: volume)
      report.plan = plan
    } catch {
      report.refuseBegin(error)
    }
    return report
  }

  /// Does what a plan says with a package, with its lock held; nothing where it is not what it was.
  package func apply(_ saved: PlannedDocument, of plan: SavedPlan, to package: BytePath) -> PackageReport {
    withLock(of: package, for: plan.mode) { (holdsLock) throws(FileCallError) in
      let facts = survey(package, holdsLock: holdsLock)
      var report = PackageReport(package: package)
      report.take(facts)
      report.found = Checks.problems(in: facts)
      report.left = report.found
      if report.found.contains(where: { $0.isTrouble(isAsIs) }) {
        report.refusal = .operational
        return report
      }
      // The plan as it would have been made then, of what is there now.
      let same = RepairPlan(for: report.found, in: facts, mode: plan.mode, stamp: RepairStamp(at: plan.made))
      if same.isEmpty {
        report.isPlanDone = true
        return report
      }
      guard try PlannedDocument(same, of: facts, in: volume).steps == saved.steps else {
        report.refuse(.planDiffers(try saved.changedPlaces(of: package, in: volume)))
        return report
      }
      let place = place(for: package)
      let stamp = try LostAndFound.freeStamp(at: now, in: place)
      let lostAndFound = LostAndFound(volume: volume, package: package, place: place, stamp: stamp)
      defer { lostAndFound.close() }
      let repair = RepairPlan(for: report.found, in: facts, mode: plan.mode, stamp: stamp)
      if let refusal = obstacle(to: repair, for: report.found, in: facts, mode: plan.mode) {
        report.refuse(refusal)
        return report
      }
      let work = RepairWork(steps: repair.steps, inputs: saved.steps.map(\.inputs), stamp: stamp, round: 0)
      guard perform(work, lostAndFound, &report) else { return report }
      report.repaired = repair.problems
      report.finish(lostAndFound)
      let after = survey(package, holdsLock: true)
      report.take(after)
      report.left = Checks.problems(in: after)
      return report
    }
  }

  /// Steps of one round, and what each of them has to find; nothing is asked where that is empty.
  struct RepairWork {
    let steps: [RepairStep]
    var inputs: [[PlanInput]] = []
    let stamp: RepairStamp
    let round: Int
  }

  /// Does the steps; false where one failed, or the user ended it: the report says so.
  func perform(_ work: RepairWork, _ lostAndFound: LostAndFound, _ report: inout PackageReport) -> Bool {
    let package = report.package
    var executor = RepairExecutor(
      volume: volume, package: package, lostAndFound: lostAndFound,
      sources: sources,
      stamp: work.stamp,
      round: work.round)
    var touched: Set<BytePath> = []
    for (place, step) in work.steps.enumerated() {
      if isStopped() {
        report = cancelled(report, lostAndFound)
        return false
      }
      do throws(RepairFailure) {
        if !work.inputs.isEmpty {
          try executor.expect(work.inputs[place].filter { !touched.contains($0.path) })
        }
        try executor.perform(step)
        report.actions.append(RepairRecord(step: step, didSucceed: true))
      } catch {
        report.actions.append(RepairRecord(step: step, didSucceed: false))
        report.refuse(.failed(step, error))
        report.finish(lostAndFound)
        return false
      }
      touched.formUnion(step.inputPaths)
    }
    return true
  }
}
