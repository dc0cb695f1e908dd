import JSON

/// Saves what is complete in a `document.json` that is no JSON any more. It is cut short, or damaged in one place.
package enum DocumentSalvage {
  // An entry is a few hundred bytes; a longer object is not looked at, so that the search stays linear.
  private static let entryBytesMax = 64 << 10
  // A page's entry of which one key is damaged still has the others: it is never taken for a deletion.
  private static let entryKeys = ["canvas", "createdAt", "elementCount", "losses", "modifiedAt", "pages"]
  // How much is read in all, in multiples of the file's size; only a file made to that end needs more.
  private static let passesMax = 16

  /// Every complete entry, what can be read of others, and the document's own members that are whole.
  ///
  /// Never traps.
  package static func salvage(_ bytes: [UInt8]) -> SalvagedDocument {
    var document = SalvagedDocument()
    guard bytes.count <= RecordLimits.bytesMax else { return document }
    if let record = DocumentRecord.read(bytes).record { return SalvagedDocument(record) }
    document.take(RecordSalvage(bytes))
    var budget = passesMax * bytes.count
    var offset = 0
    var before: NoteID?
    while let start = bytes[offset...].firstIndex(of: UInt8(ascii: "{")), budget > 0 {
      let end = objectEnd(in: bytes, from: start)
      budget -= (end ?? min(bytes.count, start + entryBytesMax)) - start
      let isTaken = end.map { take(Array(bytes[start..<$0]), into: &document, before: &before) } ?? false
      offset = isTaken ? end ?? start + 1 : start + 1
    }
    return document
  }

  /// Takes an object that is a page entry, a loss or a deleted page; false for any other.
  private static func take(
    _ bytes: [UInt8], into document: inout SalvagedDocument, before: inout NoteID?
  ) -> Bool {
    guard let value = try? JSONValue.parse(bytes, depthMax: RecordLimits.depthMax) else { return false }
    if let page = try? PageEntry(value: value, path: "") {
      document.pages.append(page)
      before = page.id
    } else if let entry = PartialEntry(value, after: before) {
      document.partial.append(entry)
      before = entry.id
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
}

extension SalvagedDocument {
  /// All of a record that could be read.
  package init(_ record: DocumentRecord) {
    (id, title, created, modified) = (record.id, record.title, record.created, record.modified)
    (generation, pages, deleted, losses) = (record.generation, record.pages, record.deleted, record.losses)
    (unknown, isComplete) = (record.unknown, true)
  }

  /// Takes what the document says of itself.
  fileprivate mutating func take(_ members: RecordSalvage) {
    isComplete = members.isComplete
    unknown = members.unknown(besides: DocumentRecord.keys)
    guard var fields = try? RecordFields(.object(members.members), path: "") else { return }
    id = try? fields.takeIdentity("id")
    title = try? fields.takeText("title")
    created = try? fields.takeTime("createdAt")
    modified = try? fields.takeTime("modifiedAt")
    generation = try? fields.takeCount("generation")
  }
}

extension PartialEntry {
  // An entry has these; a loss or a deleted page has at most one, and the document no size and no count.
  private static let marks = ["canvas", "createdAt", "elementCount", "losses", "modifiedAt"]

  /// What can be read of an entry; nil for what is none, or does not say of which page it is.
  fileprivate init?(_ value: JSONValue, after: NoteID?) {
    guard let members = value.object, members["canvas"] != nil || members["elementCount"] != nil,
      PartialEntry.marks.count(where: { members[$0] != nil }) >= 2,
      let id = members["id"]?.string.flatMap({ NoteID($0) })
    else { return nil }
    let missing = PageEntry.keys.filter { members[$0] == nil }
    self.id = id
    self.after = after
    losses = (members["losses"]?.array ?? []).compactMap { try? RecordedLoss(value: $0, path: "") }
    canvasUnknown = (members["canvas"]?.object ?? [:]).filter { !["height", "width"].contains($0.key) }
    unknown = members.filter { key, _ in
      !PageEntry.keys.contains(key) && !missing.contains { RecordSalvage.isNearly(key, $0) }
    }
  }
}
