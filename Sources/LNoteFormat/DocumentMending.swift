import JSON

/// A `document.json` in which only single fields are of no use: a title, times, sizes of pages.
package struct MendedDocument: Hashable, Sendable {
  /// A field of no use; pages are counted from 0.
  package enum Field: Hashable, Sendable {
    case title
    case created
    case modified
    case canvas(page: Int)
    case pageCreated(page: Int)
    case pageModified(page: Int)
  }

  /// One of them, and what is wrong with it.
  package struct Fault: Hashable, Sendable {
    /// Which.
    package let field: Field
    /// What is wrong with it.
    package let fault: RecordFault
  }

  /// Everything else that it says. In each field of no use stands what stands for nothing: "", 1970, 0 by 0.
  package let record: DocumentRecord
  /// The fields of no use, in the order of the file; at least one.
  package let faults: [Fault]
  /// False where it has no checksum.
  package let hasChecksum: Bool
}

extension DocumentRecord {
  /// Reads a `document.json` that `read` refuses since single fields are of no use; nil for every other.
  ///
  /// Never traps. What a checksum shows to be changed is not mended: then nobody knows what else is wrong.
  package static func mend(_ bytes: [UInt8]) -> MendedDocument? {
    guard bytes.count <= RecordLimits.bytesMax,
      let value = try? JSONValue.parse(bytes, depthMax: RecordLimits.depthMax), var members = value.object
    else { return nil }
    let checksum = RecordChecksum.check(bytes)
    if case .differs = checksum { return nil }
    var mending = Mending()
    mending.mend(&members, "title", "", .title, with: "") { fields, key throws(RecordFault) in
      _ = try fields.takeText(key)
    }
    mending.mendTime(&members, "createdAt", "", .created)
    mending.mendTime(&members, "modifiedAt", "", .modified)
    let pages = members["pages"]?.array ?? []
    var mended: [JSONValue] = []
    for (place, page) in pages.enumerated() {
      guard var entry = page.object else { return nil }
      let path = "pages[\(place)]"
      mending.mendCanvas(&entry, path, place)
      mending.mendTime(&entry, "createdAt", path, .pageCreated(page: place))
      mending.mendTime(&entry, "modifiedAt", path, .pageModified(page: place))
      mended.append(.object(entry))
    }
    if members["pages"]?.array != nil { members["pages"] = .array(mended) }
    guard !mending.faults.isEmpty, let record = try? DocumentRecord(file: .object(members)) else { return nil }
    return MendedDocument(record: record, faults: mending.faults, hasChecksum: checksum == .fits)
  }
}

/// What was found while a document is mended.
private struct Mending {
  var faults: [MendedDocument.Fault] = []

  /// Puts a stand-in where `take` finds fault.
  mutating func mend(
    _ members: inout [String: JSONValue], _ key: String, _ path: String, _ field: MendedDocument.Field,
    with standIn: JSONValue, _ take: (inout RecordFields, String) throws(RecordFault) -> Void
  ) {
    do throws(RecordFault) {
      var fields = try RecordFields(.object(members), path: path)
      try take(&fields, key)
    } catch {
      faults.append(MendedDocument.Fault(field: field, fault: error))
      members[key] = standIn
    }
  }

  mutating func mendTime(
    _ members: inout [String: JSONValue], _ key: String, _ path: String, _ field: MendedDocument.Field
  ) {
    let standIn = JSONValue.time(Timestamp(milliseconds: 0))
    mend(&members, key, path, field, with: standIn) { fields, key throws(RecordFault) in _ = try fields.takeTime(key) }
  }

  mutating func mendCanvas(_ entry: inout [String: JSONValue], _ path: String, _ place: Int) {
    // Members that a newer app put beside the two stay.
    let standIn = JSONValue.object((entry["canvas"]?.object ?? [:]).with(["height": 0, "width": 0]))
    mend(&entry, "canvas", path, .canvas(page: place), with: standIn) { fields, key throws(RecordFault) in
      var canvas = try RecordFields(try fields.take(key), path: fields.keyPath(key))
      _ = try canvas.takeCount("width", max: UInt64(UInt32.max))
      _ = try canvas.takeCount("height", max: UInt64(UInt32.max))
    }
  }
}

extension CanvasSize {
  /// True where nothing can be drawn on it.
  package var isNothing: Bool { width == 0 || height == 0 }
}
