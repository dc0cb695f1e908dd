import JSON

extension DocumentRecord {
  /// The bytes of `document.json`.
  ///
  /// Counts beyond 2^63-1 and times outside the years 0 to 9999 are written as the nearest that can be.
  package func encoded() -> [UInt8] { sealedBytes }

  /// Reads `document.json`. Never traps, whatever the bytes are.
  package static func read(_ bytes: [UInt8]) -> RecordReading<DocumentRecord> { reading(bytes) }
}

extension DocumentRecord: FileRecord {
  init(file: JSONValue) throws(RecordFault) {
    var fields = try RecordFields(file, path: "")
    fields.drop("checksum")
    try fields.takeVersion()
    let id = try fields.takeIdentity("id")
    let title = try fields.takeText("title")
    let created = try fields.takeTime("createdAt")
    let modified = try fields.takeTime("modifiedAt")
    let generation = try fields.takeCount("generation")
    let pages = try fields.takeArray("pages", of: PageEntry.init(value:path:))
    let deleted = try fields.takeArray("deleted", of: DeletedPage.init(value:path:))
    let losses = try fields.takeArray("losses", of: RecordedLoss.init(value:path:))
    self.init(
      id: id, title: title, created: created, modified: modified, generation: generation, pages: pages,
      deleted: deleted, losses: losses, unknown: fields.rest)
  }

  var fileMembers: [String: JSONValue] {
    unknown.with([
      "createdAt": .time(created), "deleted": .array(deleted.map(\.value)), "formatVersion": .integer(1),
      "generation": .count(generation), "id": .identity(id), "losses": .array(losses.map(\.value)),
      "modifiedAt": .time(modified), "pages": .array(pages.map(\.value)), "title": .text(title),
    ])
  }
}

extension PageEntry {
  init(value: JSONValue, path: String) throws(RecordFault) {
    var fields = try RecordFields(value, path: path)
    var canvas = try RecordFields(try fields.take("canvas"), path: fields.keyPath("canvas"))
    let size = CanvasSize(
      width: UInt32(try canvas.takeCount("width", max: UInt64(UInt32.max))),
      height: UInt32(try canvas.takeCount("height", max: UInt64(UInt32.max))))
    let id = try fields.takeIdentity("id")
    let created = try fields.takeTime("createdAt")
    let modified = try fields.takeTime("modifiedAt")
    let elementCount = try fields.takeCount("elementCount")
    let generation = try fields.takeCount("generation")
    let losses = try fields.takeArray("losses", of: RecordedLoss.init(value:path:))
    self.init(
      id: id, canvas: size, created: created, modified: modified, elementCount: elementCount, generation: generation,
      losses: losses, unknown: fields.rest)
    canvasUnknown = canvas.rest
  }

  var value: JSONValue {
    let canvas = canvasUnknown.with(["height": .count(UInt64(canvas.height)), "width": .count(UInt64(canvas.width))])
    return .object(
      unknown.with([
        "canvas": .object(canvas), "createdAt": .time(created), "elementCount": .count(elementCount),
        "generation": .count(generation), "id": .identity(id), "losses": .array(losses.map(\.value)),
        "modifiedAt": .time(modified),
      ]))
  }
}

extension DeletedPage {
  init(value: JSONValue, path: String) throws(RecordFault) {
    var fields = try RecordFields(value, path: path)
    let id = try fields.takeIdentity("id")
    let generation = try fields.takeCount("generation")
    self.init(id: id, generation: generation, unknown: fields.rest)
  }

  var value: JSONValue { .object(unknown.with(["generation": .count(generation), "id": .identity(id)])) }
}

extension RecordedLoss {
  init(value: JSONValue, path: String) throws(RecordFault) {
    var fields = try RecordFields(value, path: path)
    let at = try fields.takeTime("at")
    let code = try fields.takeText("code")
    let elements = try fields.takeCount("elements")
    let stamp = try fields.takeText("stamp")
    let isAccepted = try fields.takeBool("accepted")
    self.init(
      at: at, code: code, elements: elements, stamp: stamp, isAccepted: isAccepted, unknown: fields.rest)
  }

  var value: JSONValue {
    .object(
      unknown.with([
        "accepted": .bool(isAccepted), "at": .time(at), "code": .text(code), "elements": .count(elements),
        "stamp": .text(stamp),
      ]))
  }
}

extension [String: JSONValue] {
  /// These unknown members and the known ones; a known one wins.
  func with(_ known: [String: JSONValue]) -> [String: JSONValue] { merging(known) { $1 } }
}
