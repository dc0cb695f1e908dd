import Bytes
import TestSupport
import Testing

@testable import LNoteFormat

/// The journal's codec: golden bytes, what a reader takes, and every kind of damage.
@Suite struct JournalTests {
  /// A journal on `Samples.page` with a change of each type.
  static let whole: [UInt8] = {
    var journal = JournalBytes(onPage: Samples.page.encoded())
    journal.append(type: 1, stroke(4))
    journal.append(type: 2, image)
    journal.append(type: 17, Samples.element(1).bytes + [1] + stroke(1))
    journal.append(type: 16, Samples.element(2).bytes)
    journal.append(type: 200, [0xDE, 0xAD, 0xBE, 0xEF, 0x00])
    return journal.bytes
  }()
  /// Where each frame of it begins, and its end.
  static let ends = [48, 113, 210, 292, 325, 347]

  static let placed: PageElement = {
    guard case .image(var image) = Samples.page.elements[1] else { preconditionFailure("no image") }
    image.id = Samples.element(5)
    return .image(image)
  }()

  static func drawn(_ number: UInt64) -> PageElement {
    .stroke(
      Stroke(
        id: Samples.element(number), pen: 2, colour: 0x1122_33FF, baseRadius: 15,
        samples: [StrokeSample(x: 100, y: 200, radius: 15, pressure: 500, time: 0)]))
  }

  static func stroke(_ number: UInt64) -> [UInt8] { payload(drawn(number)) }
  static let image = payload(placed)

  /// An element's payload as a page has it.
  static func payload(_ element: PageElement) -> [UInt8] {
    var page = Samples.page
    page.elements = [element]
    return Array(page.encoded()[93...])
  }

  private func verify(_ bytes: some Sequence<UInt8>) -> JournalVerdict {
    JournalReader.verify(Array(bytes), expecting: Samples.pageID, generationHint: 9)
  }

  @Test func goldenBytes() { #expect(JournalTests.whole == Golden.journal, "\(hexLines(JournalTests.whole))") }

  @Test func aWholeJournalTellsItsChanges() {
    let reading = JournalReader.read(JournalTests.whole, expecting: Samples.pageID)
    #expect(reading.verdict.condition == .whole)
    #expect(reading.verdict.header?.page == Samples.pageID)
    #expect(reading.verdict.header?.base == 9)
    #expect(reading.verdict.header?.baseChecksum == PageReader.verify(Samples.page.encoded()).header?.checksum)
    #expect(
      reading.changes == [
        .add(JournalTests.drawn(4)), .add(JournalTests.placed),
        .replace(Samples.element(1), with: JournalTests.drawn(1)), .remove(Samples.element(2)), .unknown(type: 200),
      ])
    #expect(reading.behind.isEmpty)
    let marks = reading.verdict.changes
    #expect(marks.map(\.sequence) == [1, 2, 3, 4, 5])
    #expect(marks.map(\.offset) + [reading.verdict.goodEnd] == JournalTests.ends)
    let (four, five, one, two) = (Samples.element(4), Samples.element(5), Samples.element(1), Samples.element(2))
    #expect(marks.map(\.adds) == [four, five, one, nil, nil])
    #expect(marks.map(\.removes) == [nil, nil, one, two, nil])
    #expect(reading.verdict.images.map { PageElement.image($0) } == [JournalTests.placed])
  }

  @Test func aJournalWithoutChangesIsWhole() {
    let verdict = verify(Array(JournalTests.whole[..<48]))
    #expect(verdict.condition == .whole && verdict.changes.isEmpty && verdict.goodEnd == 48)
  }

  /// Each beginning of a journal is the run of its whole frames, and a torn tail.
  @Test func everyBeginning() {
    for count in 0..<JournalTests.whole.count {
      let verdict = verify(Array(JournalTests.whole[..<count]))
      let end = JournalTests.ends.last { $0 <= count } ?? 0
      if count < 48 {
        #expect(verdict.condition == .headerCut)
      } else if count == end {
        #expect(verdict.condition == .whole)
      } else {
        // Of a frame of which only zeros are there nobody can say that it was one.
        let isZero = JournalTests.whole[end..<count].allSatisfy { $0 == 0 }
        #expect(verdict.condition == (isZero ? .zeroTail(bytes: count - end) : .tornTail(bytes: count - end)))
        #expect(verdict.goodEnd == end)
      }
    }
  }

  /// Each changed bit is found, and no frame is lost but the one that it is in.
  @Test func everyBit() {
    for place in JournalTests.whole.indices {
      for bit in 0..<8 {
        var bytes = JournalTests.whole
        bytes[place] ^= 1 << UInt8(bit)
        let verdict = verify(bytes)
        #expect(verdict.condition != .whole, "byte \(place), bit \(bit)")
        if place < 48 {
          #expect(verdict.condition == .headerDamaged && verdict.behind.count == 5, "byte \(place), bit \(bit)")
          continue
        }
        let hit = JournalTests.ends.lastIndex { $0 <= place } ?? 0
        #expect(verdict.changes.count == hit, "byte \(place), bit \(bit)")
        // Only where another frame begins is told by the one that is bad is a frame of an unknown type looked for.
        #expect(verdict.behind.count >= max(0, 3 - hit), "byte \(place), bit \(bit)")
      }
    }
  }

  /// The page is told by the file's name or by what is left of the header; images are found either way.
  @Test func changesBehindADamagedHeaderAreFound() {
    for (place, expecting) in [(20, Samples.pageID), (44, Samples.documentID), (44, nil)] {
      var bytes = JournalTests.whole
      bytes[place] ^= 1
      let verdict = JournalReader.verify(bytes, expecting: expecting)
      #expect(verdict.condition == .headerDamaged && verdict.behind.count == 5, "byte \(place)")
      #expect(verdict.images.count == 1)
    }
  }

  @Test func anImageBehindADamagedChangeIsFound() {
    var bytes = JournalTests.whole
    bytes[JournalTests.ends[0] + 30] ^= 1
    #expect(verify(bytes).images.map { PageElement.image($0) } == [JournalTests.placed])
  }

  /// Behind damage too no stroke is a change that says another number of points than it has.
  @Test func behindDamageAStrokeHasItsPoints() {
    var journal = JournalBytes(onPage: Samples.page.encoded())
    journal.append(type: 1, JournalTests.stroke(4))
    var stroke = JournalTests.stroke(5)
    stroke[28] += 1
    journal.append(type: 1, stroke)
    var bytes = journal.bytes
    bytes[JournalTests.ends[0] + 30] ^= 1
    #expect(verify(bytes).behind.isEmpty)
  }

  @Test func bytesAddedOrLost() {
    for place in JournalTests.whole.indices {
      var bytes = JournalTests.whole
      bytes.remove(at: place)
      #expect(verify(bytes).condition != .whole, "byte \(place) lost")
      bytes = JournalTests.whole
      bytes.insert(0x20, at: place)
      #expect(verify(bytes).condition != .whole, "a byte added at \(place)")
    }
  }

  typealias Row = (name: String, condition: JournalCondition, fault: FrameFault?, tail: [UInt8])

  /// What follows two good frames. The lengths are those that cases from life have.
  static let tails: [Row] = [
    ("zeros", .zeroTail(bytes: 4096), .zeroLength, [UInt8](repeating: 0, count: 4096)),
    ("one zero", .zeroTail(bytes: 1), .cut, [0]),
    ("a length of 2^31", .tornTail(bytes: 40), .lengthImplausible(0x7FFF_FFFF), [255, 255, 255, 127] + noise(36)),
    ("a length of 2^32", .tornTail(bytes: 40), .lengthImplausible(.max), [255, 255, 255, 255] + noise(36)),
    ("a length beyond the end", .tornTail(bytes: 40), .cut, [251, 0, 0, 0] + noise(36)),
    ("no length and no checksum", .tornTail(bytes: 9), .zeroLength, [0, 0, 0, 0, 0, 0, 0, 0, 1]),
    ("noise of a frame's length", .tornTail(bytes: 13), .checksum, [4, 0, 0, 0] + noise(9)),
  ]

  private static func noise(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: 77 + 31 * $0) } }

  @Test(arguments: tails) func whatFollowsTheLastGoodFrame(row: Row) {
    let verdict = verify(Array(JournalTests.whole[..<210]) + row.tail)
    #expect(verdict.condition == row.condition, "\(row.name)")
    #expect(verdict.damage == row.fault.map { FrameDamage(index: 2, offset: 210, fault: $0, goodBehind: 0) })
    #expect(verdict.changes.count == 2 && verdict.goodEnd == 210)
    let before = Array(JournalTests.whole[..<210]) + row.tail
    let inside = verify(before + JournalTests.whole[210..<292])
    #expect(inside.condition == .damagedInside && inside.behind.count == 1, "\(row.name)")
  }

  @Test func framesOutOfTheirOrder() {
    let frames = (0..<4).map { Array(JournalTests.whole[JournalTests.ends[$0]..<JournalTests.ends[$0 + 1]]) }
    func file(_ order: [Int]) -> [UInt8] { JournalTests.whole[..<48] + order.flatMap { frames[$0] } }
    let rows: [(order: [Int], good: Int, found: UInt64, behind: Int)] = [
      ([1, 2], 0, 2, 2), ([0, 2, 3], 1, 3, 2), ([0, 0, 1], 1, 1, 2), ([0, 1, 0], 2, 1, 1), ([1, 0], 0, 2, 2),
    ]
    for row in rows {
      let verdict = verify(file(row.order))
      #expect(verdict.condition == .damagedInside, "\(row.order)")
      #expect(verdict.damage?.fault == .outOfOrder(row.found), "\(row.order)")
      #expect(verdict.changes.count == row.good && verdict.behind.count == row.behind, "\(row.order)")
    }
  }

  /// A checksum that fits makes no payload of what is none.
  @Test func payloadsThatAreNone() {
    let stroke = JournalTests.stroke(4)
    let rows: [(type: UInt8, payload: [UInt8], fault: PayloadFault)] = [
      (1, [], .length), (1, Array(stroke.dropLast()), .sampleCount), (2, Array(JournalTests.image.dropLast()), .length),
      (16, [], .length), (16, Samples.element(1).bytes + [0], .length), (17, Samples.element(1).bytes, .length),
      (17, Samples.element(1).bytes + [3] + stroke, .replacementType),
      (17, Samples.element(1).bytes + [16] + stroke, .replacementType),
      (17, Samples.element(1).bytes + [2] + stroke, .length),
    ]
    for row in rows {
      var journal = JournalBytes(onPage: Samples.page.encoded())
      journal.append(type: row.type, row.payload)
      #expect(verify(journal.bytes).damage?.fault == .malformed(row.fault), "\(row.type) \(row.payload)")
    }
    var unknown = JournalBytes(onPage: Samples.page.encoded())
    unknown.append(type: 99, [])
    #expect(verify(unknown.bytes).condition == .whole)
    #expect(verify(unknown.bytes).changes.first?.isKnown == false)
  }

  @Test func framesOfAnotherBaseOrPageAreNotTaken() {
    var old = JournalBytes(page: Samples.pageID.bytes, base: 8, baseChecksum: 0)
    var other = JournalBytes(page: Samples.documentID.bytes, base: 9, baseChecksum: 0)
    for number in 1...3 as ClosedRange<UInt64> {
      old.append(type: 1, JournalTests.stroke(number))
      other.append(type: 1, JournalTests.stroke(number))
    }
    // A page's frame does not fit either: its magic is another.
    for frames in [old.bytes[48...], other.bytes[48...], Samples.page.encoded()[84...]] {
      let verdict = verify(JournalTests.whole[..<48] + frames)
      #expect(verdict.condition == .tornTail(bytes: frames.count))
      #expect(verdict.behind.isEmpty)
    }
  }

  @Test func headersThatAreNone() {
    let rows: [(offset: Int, bytes: [UInt8], condition: JournalCondition)] = [
      (8, [2, 0], .versionUnknown(2)), (10, [49, 0], .headerFault(.headerLength)), (12, [1], .headerFault(.flags)),
      (32, [UInt8](repeating: 255, count: 8), .headerFault(.generation)),
    ]
    for row in rows {
      var bytes = JournalTests.whole
      bytes.replaceSubrange(row.offset..<(row.offset + row.bytes.count), with: row.bytes)
      #expect(verify(bytes).condition == .headerDamaged)
      let crc = CRC32C.checksum(of: bytes[..<44])
      for index in 0..<4 { bytes[44 + index] = UInt8(truncatingIfNeeded: crc >> (8 * index)) }
      #expect(verify(bytes).condition == row.condition)
    }
    #expect(verify([UInt8](repeating: 0, count: 48)).condition == .nulFilled)
    #expect(verify([0]).condition == .nulFilled)
    #expect(verify([]).condition == .headerCut)
  }

  @Test func moreThanIsRead() {
    var bytes = JournalTests.whole
    bytes.reserveCapacity(PageLimits.fileBytesMax + 1)
    bytes += [UInt8](repeating: 0, count: PageLimits.fileBytesMax + 1 - bytes.count)
    #expect(verify(bytes).condition == .limitExceeded(.fileBytes))
    #expect(verify(bytes.dropLast()).condition == .zeroTail(bytes: PageLimits.fileBytesMax - 347))
  }

  @Test func garbageIsRead() {
    var random = SeededGenerator(seed: 31)
    for round in 0..<800 {
      var bytes = round % 2 == 0 ? JournalTests.whole : Array(JournalTests.whole[..<48])
      if round % 2 == 1 { bytes += (0..<round % 90).map { _ in UInt8.random(in: 0...255, using: &random) } }
      for _ in 0..<(round % 5) {
        bytes[Int.random(in: bytes.indices, using: &random)] =
          [0, 1, 2, 16, 17, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0
      }
      let reading = JournalReader.read(bytes, expecting: Samples.pageID, generationHint: 9)
      #expect(reading.changes.count == reading.verdict.changes.count)
      #expect(reading.verdict.goodEnd <= bytes.count || reading.verdict.header == nil)
    }
  }
}
