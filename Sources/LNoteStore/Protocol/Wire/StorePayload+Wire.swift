import JSON
import LNoteFormat

extension StorePayload {
  var wireValue: JSONValue {
    switch self {
    case .document(let outline):
      return [
        "type": "document", "document": JSONValue(outline.document), "title": .string(outline.title),
        "pages": .array(outline.pages.map { JSONValue($0) }),
      ]
    case .page(let content):
      let fields: [String: JSONValue] = [
        "type": "page", "width": JSONValue(content.canvas.width), "height": JSONValue(content.canvas.height),
        "elements": .array(content.elements.map(\.wireValue)),
      ]
      return .object(content.page.wireFields.merging(fields) { $1 })
    case .library(let items):
      return ["type": "library", "documents": .array(items.map(\.wireValue))]
    }
  }

  static func reading(wire value: JSONValue) throws(WireError) -> StorePayload {
    let fields = try WireFields(value, name: "'payload'")
    switch try fields.text("type") {
    case "document":
      let pages = try fields.list("pages") { value throws(WireError) -> NoteID in
        guard let id = value.string.flatMap({ NoteID($0) }) else { throw WireError("a page must be a UUID") }
        return id
      }
      return .document(
        DocumentOutline(document: try fields.id("document"), title: try fields.text("title"), pages: pages))
    case "page":
      return .page(
        PageContent(
          page: try fields.pageName(),
          canvas: CanvasSize(width: try fields.integer("width"), height: try fields.integer("height")),
          elements: try fields.list("elements", PageElement.reading(wire:))))
    case "library": return .library(try fields.list("documents", LibraryItem.reading(wire:)))
    case let type: throw WireError("a payload's type cannot be '\(type)'")
    }
  }
}

extension LibraryItem {
  fileprivate var wireValue: JSONValue {
    var fields: [String: JSONValue] = ["document": JSONValue(document), "hasCover": .bool(hasCover)]
    if let manifest {
      fields["manifest"] = [
        "title": .string(manifest.title), "modified": JSONValue(manifest.modified.milliseconds),
        "pageCount": JSONValue(manifest.pageCount), "coverPage": JSONValue(manifest.coverPage?.description),
        "documentGeneration": JSONValue(manifest.documentGeneration),
      ]
    }
    return .object(fields)
  }

  fileprivate static func reading(wire value: JSONValue) throws(WireError) -> LibraryItem {
    let fields = try WireFields(value, name: "a library item")
    let id = try fields.id("document")
    var manifest: ManifestRecord?
    if fields.has("manifest") {
      let inner = try WireFields(try fields.value("manifest"), name: "'manifest'")
      manifest = ManifestRecord(
        id: id, title: try inner.text("title"), modified: Timestamp(milliseconds: try inner.integer("modified")),
        pageCount: try inner.integer("pageCount"),
        coverPage: inner.has("coverPage") ? try inner.id("coverPage") : nil,
        documentGeneration: try inner.integer("documentGeneration"))
    }
    return LibraryItem(document: id, manifest: manifest, hasCover: try fields.flag("hasCover"))
  }
}
