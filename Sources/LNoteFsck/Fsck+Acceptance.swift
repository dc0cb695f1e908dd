import Files
import LNoteFormat

extension Fsck {
  /// Writes into the document that the user accepts the known losses at `place`.
  ///
  /// What is damaged is repaired first: a package with any other error, or with trouble, is left as it is.
  package func acceptLoss(_ package: BytePath, at place: LossPlace) -> PackageReport {
    withLock(of: package, for: .all) { (_) throws(FileCallError) in
      acceptLoss(package, at: place, try LostAndFound.freeStamp(at: now, in: self.place(for: package)))
    }
  }

  private func acceptLoss(_ package: BytePath, at place: LossPlace, _ stamp: RepairStamp) -> PackageReport {
    let facts = survey(package, holdsLock: true)
    let view = PackageView(facts)
    var report = PackageReport(package: package)
    report.take(facts)
    report.found = Checks.problems(in: facts)
    report.left = report.found
    report.accepted = false
    let others = report.found.filter { $0.severity >= .error && $0.kind != .knownLoss }
    guard others.isEmpty, var document = view.document?.accepting(place, in: view) else { return report }
    document.generation = view.highestDocumentGeneration + 1
    perform(Fsck.steps(accepting: document, in: facts), package, stamp, &report)
    return report
  }

  private static func steps(accepting document: DocumentRecord, in facts: PackageFacts) -> [RepairStep] {
    let manifest = ManifestRecord(
      mirroring: document, after: facts.manifest.record, keeping: facts.manifest.unknown)
    let works: [(RepairStep.Work, BytePath)] = [
      (.writeDocument(document), PackagePaths.document), (.writeManifest(manifest), PackagePaths.manifest),
    ]
    return works.map { work, path in
      RepairStep(work: work, path: path, code: ProblemKind.knownLoss.code, why: "The user accepted a known loss.")
    }
  }

  private func perform(
    _ steps: [RepairStep], _ package: BytePath, _ stamp: RepairStamp, _ report: inout PackageReport
  ) {
    let lostAndFound = LostAndFound(volume: volume, package: package, place: place(for: package), stamp: stamp)
    defer { lostAndFound.close() }
    guard perform(RepairWork(steps: steps, stamp: stamp, round: 0), lostAndFound, &report) else { return }
    report.accepted = true
    report.finish(lostAndFound)
    let facts = survey(package, holdsLock: true)
    report.left = Checks.problems(in: facts)
  }
}
