import LNoteFormat

/// `manifest.json` against the document: LN5001, LN5002, LN5003.
enum ManifestCheck {
  static func problems(in view: PackageView) -> [Problem] {
    // While the document itself is in doubt, its cache says nothing.
    guard let document = view.document else { return [] }
    let facts = view.facts.manifest
    if view.isAbsent(PackagePaths.manifest) { return [] }
    guard let file = facts.file else {
      return [Problem(.manifestMissing, path: PackagePaths.manifest, action: .writeManifest)]
    }
    if file.obstacle != nil { return [] }
    guard let record = facts.record else {
      let reason = facts.damage ?? "it cannot be read"
      return [
        Problem(
          .manifestDamaged, path: file.path, evidence: reason, slots: ["reason": reason], action: .writeManifest)
      ]
    }
    // A manifest that knows a later document is the document's problem.
    if view.isLater(record, than: document) { return [] }
    let fields = differences(record, document)
    if fields.isEmpty { return [] }
    return [
      Problem(
        .manifestStale, path: file.path,
        evidence: "mirrors generation \(record.documentGeneration), document.json has \(document.generation)",
        slots: ["fields": fields.joined(separator: ", ")], action: .writeManifest)
    ]
  }

  private static func differences(_ manifest: ManifestRecord, _ document: DocumentRecord) -> [String] {
    let wanted = ManifestRecord(mirroring: document, after: manifest)
    var fields: [String] = []
    if manifest.id != wanted.id { fields.append("its identity is not the document's") }
    if manifest.title != wanted.title { fields.append("it has the title \"\(manifest.title)\"") }
    if manifest.pageCount != wanted.pageCount {
      fields.append("it counts \(Sentences.pages(Int(clamping: manifest.pageCount))) of \(wanted.pageCount)")
    }
    if manifest.coverPage != wanted.coverPage { fields.append("it names another first page") }
    if manifest.modified != wanted.modified { fields.append("it has another time of change") }
    if manifest.losses != wanted.losses { fields.append("it tells of other losses") }
    if fields.isEmpty && manifest.documentGeneration != wanted.documentGeneration {
      fields.append("it mirrors another version")
    }
    return fields
  }
}
