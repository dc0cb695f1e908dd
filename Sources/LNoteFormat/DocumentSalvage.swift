import JSON

/// Saves what is complete in a `document.json` that is no JSON any more. It is cut short, or damaged in one place.
package enum DocumentSalvage {
  // An entry is a few hundred bytes; a longer object is not looked at, so that the search stays linear.
  private static let entryBytesMax = 64 << 10
  // A page's entry of which one key is damaged still has the others: it is never taken for a deletion.
  private static let entryKeys = ["canvas", "createdAt", "elementCount", "losses", "modifiedAt", "pages"]
  // How much is read in all, in multiples of the file's size; only a file made to that end needs more.
  private static let passesMax = 16

  /// Every complete entry, and every line of the document itself that is whole. Never traps.
  package static func salvage(_ bytes: [UInt8]) -> SalvagedDocument {
    var document = SalvagedDocument()
    guard bytes.count <= RecordLimits.bytesMax else { return document }
    if let record = DocumentRecord.read(bytes).record { return SalvagedDocument(record) }
    takeLines(of: bytes, into: &document)
    var budget = passesMax * bytes.count
    var offset = 0
    while let start = bytes[offset...].firstIndex(of: UInt8(ascii: "{")), budget > 0 {
      let end = objectEnd(in: bytes, from: start)
      budget -= (end ?? min(bytes.count, start + entryBytesMax)) - start
      let isTaken = end.map { take(Array(bytes[start..<$0]), into: &document) } ?? false
      offset = isTaken ? end ?? start + 1 : start + 1
    }
    return document
  }

  /// Takes an object that is a page entry, a loss or a deleted page; false for any other.
  private static func take(_ bytes: [UInt8], into document: inout SalvagedDocument) -> Bool {
    guard let value = try? JSONValue.parse(bytes, depthMax: RecordLimits.depthMax) else { return false }
    if let page = try? PageEntry(value: value, path: "") {
      document.pages.append(page)
    } else if let loss = try? RecordedLoss(value: value, path: "") {
      document.losses.append(loss)
    } else if !entryKeys.contains(where: { value[$0] != nil }), let page = try? DeletedPage(value: value, path: "") {
      document.deleted.append(page)
    } else {
      return false
    }
    return true
  }

  /// Behind the brace that closes the object at `start`; nil where none does within `entryBytesMax`.
  private static func objectEnd(in bytes: [UInt8], from start: Int) -> Int? {
    var depth = 0
    var isInText = false
    var isEscaped = false
    for offset in start..<min(bytes.count, start + entryBytesMax) {
      let byte = bytes[offset]
      if isInText {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInText = false
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isInText = true
      case UInt8(ascii: "{"):
        depth += 1
        if depth > RecordLimits.depthMax { return nil }
      case UInt8(ascii: "}"):
        depth -= 1
        if depth == 0 { return offset + 1 }
      default: break
      }
    }
    return nil
  }

  /// The lines of the outermost object, which begin with two spaces and a quotation mark.
  private static func takeLines(of bytes: [UInt8], into document: inout SalvagedDocument) {
    for line in bytes.split(separator: UInt8(ascii: "\n")) where line.starts(with: "  \"".utf8) {
      var text = Array(line)
      // A line without its comma is whole only where it is the object's last, which the title is.
      if text.last == UInt8(ascii: ",") { text.removeLast() }
      guard let member = try? JSONValue.parse([UInt8(ascii: "{")] + text + [UInt8(ascii: "}")]),
        var fields = try? RecordFields(member, path: "")
      else { continue }
      if let id = try? fields.takeIdentity("id") { document.id = id }
      if let title = try? fields.takeText("title") { document.title = title }
      if let created = try? fields.takeTime("createdAt") { document.created = created }
      if let modified = try? fields.takeTime("modifiedAt") { document.modified = modified }
    }
    takeGeneration(of: bytes, into: &document)
  }

  /// The generation's line counts only with its comma: a number that is cut is another number.
  private static func takeGeneration(of bytes: [UInt8], into document: inout SalvagedDocument) {
    let beginning = Array("  \"generation\": ".utf8)
    for line in bytes.split(separator: UInt8(ascii: "\n")) where line.starts(with: beginning) {
      guard line.last == UInt8(ascii: ",") else { continue }
      document.generation = UInt64(String(decoding: line.dropFirst(beginning.count).dropLast(), as: UTF8.self))
    }
  }
}

extension SalvagedDocument {
  /// All of a record that could be read.
  init(_ record: DocumentRecord) {
    (id, title, created, modified) = (record.id, record.title, record.created, record.modified)
    (generation, pages, deleted, losses) = (record.generation, record.pages, record.deleted, record.losses)
  }
}
