import JSON

extension ManifestRecord {
  /// The bytes of `manifest.json`.
  ///
  /// Counts beyond 2^63-1 and times outside the years 0 to 9999 are written as the nearest that can be.
  package func encoded() -> [UInt8] { sealedBytes }

  /// Reads `manifest.json`. Never traps, whatever the bytes are.
  package static func read(_ bytes: [UInt8]) -> RecordReading<ManifestRecord> { reading(bytes) }
}

extension ManifestRecord: FileRecord {
  init(file: JSONValue) throws(RecordFault) {
    var fields = try RecordFields(file, path: "")
    fields.drop("checksum")
    try fields.takeVersion()
    let id = try fields.takeIdentity("id")
    let title = try fields.takeText("title")
    let modified = try fields.takeTime("modifiedAt")
    let pageCount = try fields.takeCount("pageCount")
    let coverPage = try fields.takeOptionalIdentity("coverPage")
    let documentGeneration = try fields.takeCount("documentGeneration")
    let losses = try fields.takeOptionalArray("losses", of: MirroredLoss.init(value:path:))
    self.init(
      id: id, title: title, modified: modified, pageCount: pageCount, coverPage: coverPage,
      documentGeneration: documentGeneration, losses: losses, unknown: fields.rest)
  }

  var fileMembers: [String: JSONValue] {
    var members = unknown.with([
      "coverPage": coverPage.map { .identity($0) } ?? .null, "documentGeneration": .count(documentGeneration),
      "formatVersion": .integer(1), "id": .identity(id), "modifiedAt": .time(modified),
      "pageCount": .count(pageCount), "title": .text(title),
    ])
    if let losses { members["losses"] = .array(losses.map(\.ofDocument.value)) }
    return members
  }
}

extension MirroredLoss {
  init(value: JSONValue, path: String) throws(RecordFault) {
    self.init(page: nil, try RecordedLoss(value: value, path: path))
  }
}
