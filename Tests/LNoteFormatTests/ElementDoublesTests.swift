import Testing

@testable import LNoteFormat

@Suite struct ElementDoublesTests {
  static func stroke(_ id: UInt64, pen: UInt8 = 0) -> PageElement {
    .stroke(Stroke(id: NoteID(high: 0, low: id), pen: pen, colour: 0, baseRadius: 0, samples: []))
  }

  static let unknown = PageElement.unknown(UnknownElement(type: 99, payload: Array(repeating: 0, count: 16)))

  static let rows: [(elements: [PageElement], same: UInt64, different: UInt64, kept: [Int])] = [
    ([], 0, 0, []),
    ([stroke(1)], 0, 0, [0]),
    ([stroke(1), stroke(2), stroke(3)], 0, 0, [0, 1, 2]),
    ([unknown, unknown, stroke(0)], 0, 0, [0, 1, 2]),
    ([stroke(1), stroke(2), stroke(1)], 1, 0, [0, 1]),
    ([stroke(1), stroke(1, pen: 1), stroke(1)], 1, 1, [0, 1]),
    ([stroke(1), stroke(1, pen: 1), stroke(1, pen: 1), stroke(1, pen: 2)], 1, 2, [0, 1, 3]),
  ]

  @Test(arguments: rows.indices) func eachIsKeptOnceWithAnIdentityOfItsOwn(index: Int) {
    let row = Self.rows[index]
    let (kept, doubles) = ElementDoubles.separated(row.elements, of: Samples.page.id)
    #expect(doubles.same == row.same && doubles.different == row.different)
    #expect(kept.map(Self.withoutIdentity) == row.kept.map { Self.withoutIdentity(row.elements[$0]) })
    #expect(Set(kept.compactMap(\.id)).count == kept.compactMap(\.id).count)
    #expect(ElementDoubles.separated(kept, of: Samples.page.id).doubles.isNothing)
    var page = Samples.page
    page.elements = row.elements
    #expect(PageReader.verify(page.encoded()).hasDoubles == !doubles.isNothing)
  }

  private static func withoutIdentity(_ element: PageElement) -> PageElement {
    guard case .stroke(var stroke) = element else { return element }
    stroke.id = NoteID(high: 0, low: 0)
    return .stroke(stroke)
  }

  @Test func aNewIdentityFollowsFromPlaceAndPage() {
    let elements = [Self.stroke(1), Self.stroke(1, pen: 1)]
    let other = NoteID(high: 7, low: 7)
    let first = ElementDoubles.separated(elements, of: Samples.page.id).elements
    #expect(first == ElementDoubles.separated(elements, of: Samples.page.id).elements)
    #expect(first != ElementDoubles.separated(elements, of: other).elements)
  }

  /// Identities that all begin in one place of the table: the work stays linear, the answer right.
  @Test(arguments: [false, true]) func identitiesMadeToComeTogether(hasDouble: Bool) {
    var marks = (1...20_000).map { number in
      ElementMark(id: NoteID(high: UInt64(number), low: UInt64(number)), type: 1, offset: 0, payloadLength: 32)
    }
    if hasDouble { marks.append(marks[7]) }
    #expect(ElementDoubles.areThere(in: marks) == hasDouble)
  }
}
