import Files
import LNoteFormat

/// `document.json` itself: LN0003, LN1203 to LN1205, LN1502, LN1503, LN2001 to LN2004, LN2014 to LN2016.
enum DocumentCheck {
  static func problems(in view: PackageView) -> [Problem] {
    let facts = view.facts.document
    if view.isAbsent(PackagePaths.document) { return [] }
    if view.facts.hasForeignDocument { return [foreign(view)] + copies(view) }
    guard let file = facts.file else {
      // A whole copy of it is better than any waiting, unless something is plainly on its way.
      if let arrival = view.facts.arrival, !arrival.files.isEmpty || view.documentCandidate == nil {
        return [unsettled(arrival)]
      }
      return [decided(Problem(.documentMissing), view)] + copies(view)
    }
    switch facts.content {
    case nil: return copies(view)
    case .whole(let record): return copied(record, view) + newer(than: record, view) + doubles(view)
    case .faulty(let mended):
      let record = view.document ?? mended.record
      return (mended.hasChecksum ? [] : [unverified(file)]) + copied(record, view) + newer(than: record, view)
        + doubles(view)
    case .unverified(let record):
      return [unverified(file)] + copied(record, view) + newer(than: record, view) + doubles(view)
    case .unknownVersion(let version):
      return [
        Problem(
          .unknownFormatVersion, path: file.path, evidence: "formatVersion \(version)",
          slots: ["what": "\(file.path)", "version": "\(version)"])
      ]
    case .empty:
      return [decided(Problem(.zeroLength, slots: ["what": "\(file.path)"]), view)] + copies(view)
    case .zeros: return [decided(Problem(file.zeros, slots: ["what": "\(file.path)"]), view)] + copies(view)
    case .mismatched: return [decided(Problem(.checksumMismatch), view)] + copies(view)
    case .damaged(let reason, let offset, let isAnomaly, let salvaged):
      var problem = Problem(
        isAnomaly ? .jsonAnomaly : .documentDamaged, offset: offset, evidence: reason,
        slots: [isAnomaly ? "anomaly" : "reason": reason])
      if !salvaged.pages.isEmpty {
        problem.details = ["Can be read: the entries of \(Sentences.pages(salvaged.pages.count))."]
      }
      return [decided(problem, view)] + copies(view)
    }
  }

  /// The problem with what a repair would do: a whole copy, else everything that is left.
  private static func decided(_ problem: Problem, _ view: PackageView) -> Problem {
    var problem = problem
    problem.path = PackagePaths.document
    if let candidate = view.documentCandidate {
      problem.details += ["A whole copy is there: \(candidate.file.path)."]
      problem.action = .restore(from: candidate.file.path, to: PackagePaths.document)
    } else if view.isListed(PackagePaths.pages) {
      problem.details += [Sentences.rebuild(pages: view.facts.pages.count, manifest: view.facts.manifest.record)]
      problem.action = .rebuildDocument
    }
    return problem
  }

  /// `document.json` is missing and more is on its way: nothing is decided before it is here.
  private static func unsettled(_ arrival: Arrival) -> Problem {
    var problem = Problem(
      .documentMissing, repairClass: .operational, path: PackagePaths.document, evidence: arrival.evidence,
      details: [Sentences.isArriving(arrival.files)])
    problem.saysAll = true
    return problem
  }

  /// The copy that takes the place of a document that cannot be used.
  private static func copies(_ view: PackageView) -> [Problem] {
    guard let candidate = view.documentCandidate else { return [] }
    return [
      Problem(
        view.kind(ofCopyAt: candidate.file.path, for: PackagePaths.document), severity: .error, repairClass: .consent,
        path: candidate.file.path,
        slots: ["file": "\(candidate.file.path)", "target": "\(PackagePaths.document)"],
        action: .restore(from: candidate.file.path, to: PackagePaths.document))
    ]
  }

  // MARK: LN2003

  /// The package was copied under another name: the document takes that over.
  private static func copied(_ record: DocumentRecord, _ view: PackageView) -> [Problem] {
    guard let folder = view.facts.folderID, folder != record.id else { return [] }
    return [
      Problem(
        .documentIdentityDiffers, path: PackagePaths.document, evidence: "\(record.id) in the folder \(folder)",
        slots: ["state": "says that it is \(record.id), but its folder has another name"],
        details: [Sentences.newIdentity], action: .adoptIdentity(folder))
    ]
  }

  /// `document.json` came from elsewhere: it says nothing of these pages.
  private static func foreign(_ view: PackageView) -> Problem {
    let title = view.facts.document.trusted.map { "\"\($0.title)\"" } ?? "another one"
    let problem = Problem(
      .documentIdentityDiffers, evidence: "\(view.facts.document.trusted?.id.description ?? "")",
      slots: ["state": "is that of another document, \(title), and lists none of the pages here"])
    return decided(problem, view)
  }

  private static func doubles(_ view: PackageView) -> [Problem] {
    view.doubled.map { id in
      Problem(
        .duplicatePageEntry, path: PackagePaths.document, page: view.place(id), slots: ["what": view.name(ofPage: id)],
        action: .dropDoubles)
    }
  }

  private static func unverified(_ file: FileFacts) -> Problem {
    var problem = Problem(
      .checksumMismatch, severity: .info, repairClass: .report, path: file.path, evidence: "no checksum")
    problem.statement = "\(file.path) was written without a checksum: only its structure was checked."
    return problem
  }

  private static func newer(than record: DocumentRecord, _ view: PackageView) -> [Problem] {
    var found: [Problem] = []
    let manifest = view.facts.manifest.record
    if let manifest, view.isLater(manifest, than: record) {
      found.append(
        Problem(
          .documentRolledBack, path: PackagePaths.document,
          evidence: "generation \(record.generation), manifest.json mirrors \(manifest.documentGeneration)",
          slots: ["found": "\(record.generation)", "expected": "\(manifest.documentGeneration)"],
          action: .keepOlderDocument))
    }
    guard let candidate = view.documentCandidate, candidate.record.generation > record.generation,
      view.isTemporary(candidate.file)
    else { return found }
    let restore = RepairAction.restore(from: candidate.file.path, to: PackagePaths.document)
    if let manifest, candidate.record.generation >= manifest.documentGeneration {
      for place in found.indices { found[place].action = restore }
    }
    found.append(
      Problem(
        .temporaryNewer, path: candidate.file.path,
        evidence: "generation \(candidate.record.generation), document.json has \(record.generation)",
        slots: ["file": "\(candidate.file.path)", "target": "\(PackagePaths.document)"], action: restore))
    return found
  }
}
