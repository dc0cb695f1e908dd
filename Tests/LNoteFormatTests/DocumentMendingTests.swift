import JSON
import Testing

@testable import LNoteFormat

@Suite struct DocumentMendingTests {
  static let whole = DocumentRecord(
    id: NoteID(high: 1, low: 2), title: "Physics", created: Timestamp(milliseconds: 5),
    modified: Timestamp(milliseconds: 9), generation: 3,
    pages: (0..<2).map { number in
      PageEntry(
        id: NoteID(high: 7, low: number), canvas: CanvasSize(width: 3, height: 4), created: Timestamp(milliseconds: 6),
        modified: Timestamp(milliseconds: 7), elementCount: 1, generation: 2)
    }, unknown: ["shelf": "left"])

  /// The document with one member changed, sealed again.
  static func changed(_ path: [String], _ value: JSONValue?) -> [UInt8] {
    var members = whole.fileMembers
    func change(_ members: inout [String: JSONValue], _ path: ArraySlice<String>) {
      guard let key = path.first else { return }
      if path.count == 1 {
        members[key] = value
      } else if case .array(var elements)? = members[key], var member = elements[1].object {
        change(&member, path.dropFirst())
        elements[1] = .object(member)
        members[key] = .array(elements)
      } else if var member = members[key]?.object {
        change(&member, path.dropFirst())
        members[key] = .object(member)
      }
    }
    change(&members, path[...])
    return RecordChecksum.sealed(JSONValue.object(members).serialized(indent: 2))
  }

  static let rows: [(path: [String], value: JSONValue?, field: MendedDocument.Field?)] = [
    (["title"], nil, .title), (["title"], 7, .title), (["title"], .null, .title),
    (["createdAt"], "soon", .created), (["modifiedAt"], nil, .modified),
    (["pages", "canvas"], nil, .canvas(page: 1)), (["pages", "canvas"], [], .canvas(page: 1)),
    (["pages", "canvas", "width"], -1, .canvas(page: 1)),
    (["pages", "canvas", "height"], 4_294_967_296, .canvas(page: 1)),
    (["pages", "createdAt"], 0, .pageCreated(page: 1)), (["pages", "modifiedAt"], nil, .pageModified(page: 1)),
    // Nothing to mend, or nothing that can be.
    (["title"], "Chemistry", nil), (["id"], nil, nil), (["pages"], nil, nil), (["pages", "id"], "../x", nil),
    (["pages", "generation"], -1, nil), (["formatVersion"], 2, nil), (["losses"], .null, nil),
  ]

  @Test func whatANewerAppPutBesideASizeStays() {
    let bytes = Self.changed(["pages", "canvas"], .object(["depth": 3, "height": 4, "width": -1]))
    #expect(DocumentRecord.mend(bytes)?.record.pages[1].canvasUnknown == ["depth": 3])
  }

  @Test(arguments: rows.indices) func onlyTheFieldOfNoUseIsReplaced(index: Int) throws {
    let row = Self.rows[index]
    let mended = DocumentRecord.mend(Self.changed(row.path, row.value))
    guard let field = row.field else {
      #expect(mended == nil)
      return
    }
    #expect(mended?.faults.map(\.field) == [field])
    #expect(mended?.hasChecksum == true)
    var record = try #require(mended?.record)
    switch field {
    case .title: record.title = Self.whole.title
    case .created: record.created = Self.whole.created
    case .modified: record.modified = Self.whole.modified
    case .canvas(let page): record.pages[page].canvas = Self.whole.pages[page].canvas
    case .pageCreated(let page): record.pages[page].created = Self.whole.pages[page].created
    case .pageModified(let page): record.pages[page].modified = Self.whole.pages[page].modified
    }
    #expect(record == Self.whole)
  }

  @Test func whatTheDiskChangedIsNotMended() {
    var bytes = Self.changed(["title"], 7)
    bytes[20] ^= 1
    #expect(DocumentRecord.mend(bytes) == nil)
    #expect(DocumentRecord.mend([]) == nil)
    #expect(DocumentRecord.mend(Array("[1]".utf8)) == nil)
    #expect(DocumentRecord.mend(Array("{\"pages\": [1]}".utf8)) == nil)
  }
}
