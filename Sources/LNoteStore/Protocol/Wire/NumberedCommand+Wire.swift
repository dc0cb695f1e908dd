import Bytes
import JSON
import LNoteFormat

extension NumberedCommand {
  /// The command as one JSON object: `number`, `do` and the fields that the word needs.
  package var wireValue: JSONValue {
    var fields = command.wireFields
    fields["number"] = JSONValue(number)
    fields["do"] = .string(command.word)
    return .object(fields)
  }

  /// The command that this JSON object asks for.
  package static func reading(wire value: JSONValue) throws(WireError) -> NumberedCommand {
    let fields = try WireFields(value, name: "a command")
    let word = try fields.text("do")
    let number: UInt64 = try fields.integer("number")
    return NumberedCommand(number, try StoreCommand.reading(wire: value, word: word))
  }
}

extension StoreCommand {
  /// The command's word on the wire, "add-stroke".
  package var word: String {
    switch self {
    case .createDocument: "create-document"
    case .open: "open"
    case .close: "close"
    case .letGo: "let-go"
    case .addPage: "add-page"
    case .deletePage: "delete-page"
    case .movePage: "move-page"
    case .addStroke: "add-stroke"
    case .erase: "erase"
    case .moveElement: "move-element"
    case .deleteElement: "delete-element"
    case .insertImage: "insert-image"
    case .undo: "undo"
    case .redo: "redo"
    case .setTitle: "title"
    case .advance: "advance"
    case .advanceUntilSaved: "advance-until-saved"
    case .background: "background"
    case .foreground: "foreground"
    case .list: "list"
    case .readPage: "read-page"
    }
  }

  fileprivate var wireFields: [String: JSONValue] {
    switch self {
    case .createDocument(let document, let title), .setTitle(let document, let title):
      return ["document": JSONValue(document), "title": .string(title)]
    case .open(let document), .close(let document), .letGo(let document), .undo(let document), .redo(let document):
      return ["document": JSONValue(document)]
    case .deletePage(let page), .readPage(let page):
      return page.wireFields
    case .addPage(let page, let canvas, let place):
      var fields = page.with(["width": JSONValue(canvas.width), "height": JSONValue(canvas.height)])
      if let place { fields["at"] = JSONValue(place) }
      return fields
    case .movePage(let page, let place):
      return page.with(["to": JSONValue(place)])
    case .addStroke(let page, let stroke):
      return page.with(["stroke": .object(stroke.wireFields)])
    case .erase(let page, let element, let pieces):
      return page.with([
        "element": JSONValue(element), "pieces": .array(pieces.map { .object($0.wireFields) }),
      ])
    case .moveElement(let page, let element, let dx, let dy):
      return page.with(["element": JSONValue(element), "dx": JSONValue(dx), "dy": JSONValue(dy)])
    case .deleteElement(let page, let element):
      return page.with(["element": JSONValue(element)])
    case .insertImage(let page, let place, let jpeg):
      return page.with([
        "element": JSONValue(place.element), "asset": JSONValue(place.asset), "x": JSONValue(place.x),
        "y": JSONValue(place.y), "width": JSONValue(place.width), "height": JSONValue(place.height),
        "jpeg": .string(Base64.text(of: jpeg)),
      ])
    case .advance(let milliseconds):
      return ["milliseconds": JSONValue(milliseconds)]
    case .advanceUntilSaved, .background, .foreground, .list:
      return [:]
    }
  }

  fileprivate static func reading(wire value: JSONValue, word: String) throws(WireError) -> StoreCommand {
    let fields = try WireFields(value, name: word)
    switch word {
    case "create-document": return .createDocument(try fields.id("document"), title: try fields.text("title"))
    case "open": return .open(try fields.id("document"))
    case "close": return .close(try fields.id("document"))
    case "let-go": return .letGo(try fields.id("document"))
    case "undo": return .undo(try fields.id("document"))
    case "redo": return .redo(try fields.id("document"))
    case "title": return .setTitle(try fields.id("document"), try fields.text("title"))
    case "advance": return .advance(milliseconds: try fields.integer("milliseconds"))
    case "advance-until-saved": return .advanceUntilSaved
    case "background": return .background
    case "foreground": return .foreground
    case "list": return .list
    default: return try reading(pageCommand: word, fields)
    }
  }

  private static func reading(pageCommand word: String, _ fields: WireFields) throws(WireError) -> StoreCommand {
    switch word {
    case "add-page":
      return .addPage(
        try fields.pageName(),
        canvas: CanvasSize(width: try fields.integer("width"), height: try fields.integer("height")),
        at: fields.has("at") ? try fields.integer("at") : nil)
    case "delete-page": return .deletePage(try fields.pageName())
    case "move-page": return .movePage(try fields.pageName(), to: try fields.integer("to"))
    case "read-page": return .readPage(try fields.pageName())
    case "add-stroke":
      return .addStroke(try fields.pageName(), try Stroke.reading(wire: try fields.value("stroke")))
    case "erase":
      return .erase(
        try fields.pageName(), element: try fields.id("element"),
        pieces: try fields.list("pieces", Stroke.reading(wire:)))
    case "move-element":
      return .moveElement(
        try fields.pageName(), element: try fields.id("element"), dx: try fields.integer("dx"),
        dy: try fields.integer("dy"))
    case "delete-element": return .deleteElement(try fields.pageName(), element: try fields.id("element"))
    case "insert-image":
      let place = ImagePlacement(
        element: try fields.id("element"), asset: try fields.id("asset"), x: try fields.integer("x"),
        y: try fields.integer("y"), width: try fields.integer("width"), height: try fields.integer("height"))
      return .insertImage(try fields.pageName(), place, jpeg: try fields.bytes("jpeg"))
    default: throw WireError("this store does not know the command '\(word)'")
    }
  }
}

extension PageName {
  fileprivate func with(_ more: [String: JSONValue]) -> [String: JSONValue] {
    wireFields.merging(more) { $1 }
  }
}
