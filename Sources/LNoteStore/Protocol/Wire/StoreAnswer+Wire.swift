import Files
import JSON
import LNoteFormat

extension StoreAnswer {
  /// The answer as one JSON object.
  package var wireValue: JSONValue {
    var fields: [String: JSONValue] = [
      "number": JSONValue(number), "errors": .array(failures.map(\.wireValue)), "durable": durable.wireValue,
      "unsaved": unsaved.wireValue,
    ]
    if let payload { fields["payload"] = payload.wireValue }
    return .object(fields)
  }

  /// The answer that this JSON object gives.
  package static func reading(wire value: JSONValue) throws(WireError) -> StoreAnswer {
    let fields = try WireFields(value, name: "an answer")
    return StoreAnswer(
      number: try fields.integer("number"), failures: try fields.list("errors", StoreFailure.reading(wire:)),
      durable: try DurableNews.reading(wire: try fields.value("durable")),
      unsaved: try UnsavedWork.reading(wire: try fields.value("unsaved")),
      payload: fields.has("payload") ? try StorePayload.reading(wire: try fields.value("payload")) : nil)
  }
}

extension StoreFailure {
  /// The failure as one JSON object; `call` and `errno` only where a system call failed.
  package var wireValue: JSONValue {
    var fields: [String: JSONValue] = ["kind": .string(kind.rawValue), "message": .string(message)]
    if let call { fields["call"] = .string(call) }
    if let errno { fields["errno"] = .string(errno.name) }
    return .object(fields)
  }

  /// The failure that this JSON object tells.
  package static func reading(wire value: JSONValue) throws(WireError) -> StoreFailure {
    let fields = try WireFields(value, name: "an error")
    var errno: Errno?
    if fields.has("errno") {
      let name = try fields.text("errno")
      guard let known = Errno(name: name) else { throw WireError("'errno' of an error cannot be '\(name)'") }
      errno = known
    }
    return StoreFailure(
      kind: try fields.word("kind"), call: fields.has("call") ? try fields.text("call") : nil, errno: errno,
      message: try fields.text("message"))
  }
}

extension DurableNews {
  fileprivate var wireValue: JSONValue {
    [
      "pages": .array(pages.map { .object($0.page.wireFields.merging(["upTo": JSONValue($0.upTo)]) { $1 }) }),
      "documents": .array(documents.map { ["document": JSONValue($0.document), "upTo": JSONValue($0.upTo)] }),
      "assets": .array(assets.map { ["document": JSONValue($0.document), "asset": JSONValue($0.asset)] }),
    ]
  }

  fileprivate static func reading(wire value: JSONValue) throws(WireError) -> DurableNews {
    let fields = try WireFields(value, name: "'durable'")
    return DurableNews(
      pages: try fields.list("pages") { value throws(WireError) in
        let item = try WireFields(value, name: "a durable page")
        return DurablePage(try item.pageName(), upTo: try item.integer("upTo"))
      },
      documents: try fields.list("documents") { value throws(WireError) in
        let item = try WireFields(value, name: "a durable document")
        return DurableDocument(try item.id("document"), upTo: try item.integer("upTo"))
      },
      assets: try fields.list("assets") { value throws(WireError) in
        let item = try WireFields(value, name: "a durable asset")
        return DurableAsset(document: try item.id("document"), asset: try item.id("asset"))
      })
  }
}

extension UnsavedWork {
  fileprivate var wireValue: JSONValue {
    ["pages": .array(pages.map { .object($0.wireFields) }), "documents": .array(documents.map { JSONValue($0) })]
  }

  fileprivate static func reading(wire value: JSONValue) throws(WireError) -> UnsavedWork {
    let fields = try WireFields(value, name: "'unsaved'")
    return UnsavedWork(
      pages: try fields.list("pages") { value throws(WireError) in
        try WireFields(value, name: "an unsaved page").pageName()
      },
      documents: try fields.list("documents") { value throws(WireError) in
        guard let id = value.string.flatMap({ NoteID($0) }) else {
          throw WireError("an unsaved document must be a UUID")
        }
        return id
      })
  }
}
