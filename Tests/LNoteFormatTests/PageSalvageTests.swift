import Bytes
import TestSupport
import Testing

@testable import LNoteFormat

@Suite struct PageSalvageTests {
  static let page = Samples.page(strokes: 5, samples: 4)
  static let whole = page.encoded()
  static let frame = 9 + 32 + 4 * 16

  private func salvage(_ bytes: [UInt8], hint: UInt64? = nil) -> SalvagedPage {
    PageSalvage.salvage(bytes, expecting: Samples.pageID, generationHint: hint)
  }

  @Test func aWholePageIsSavedWhole() {
    for page in [PageSalvageTests.page, Samples.page, Samples.page(strokes: 0, samples: 0)] {
      let saved = PageSalvage.salvage(page.encoded())
      #expect(saved.elements == page.elements)
      #expect(saved.proof == .header)
      #expect(saved.generation == page.generation)
      #expect(saved.gaps == [])
      #expect(saved.partial == nil)
      #expect(saved.elementsMissing == 0)
      #expect(!saved.isIncomplete)
    }
  }

  @Test func damageAtEachFrameCostsThatFrameOnly() {
    for index in 0..<5 {
      let start = 84 + index * PageSalvageTests.frame
      for offset in stride(from: start, to: start + PageSalvageTests.frame, by: 7) {
        var bytes = PageSalvageTests.whole
        bytes[offset] ^= 0x55
        let saved = salvage(bytes)
        var expected = PageSalvageTests.page.elements
        expected.remove(at: index)
        #expect(saved.elements == expected, "damage at \(offset)")
        #expect(saved.gaps == [start..<(start + PageSalvageTests.frame)])
        #expect(saved.elementsMissing == 1)
        #expect(saved.partial == nil)
      }
    }
  }

  @Test func unknownElementsBehindDamageAreFoundByTheirNeighbours() {
    // The stroke is damaged: the image is found by its length, the unknown element behind the image.
    var bytes = Samples.page.encoded()
    bytes[100] ^= 1
    #expect(salvage(bytes).elements == Array(Samples.page.elements[1...]))
    // The image is damaged, its length is not: the unknown element is where the image says that it ends.
    bytes = Samples.page.encoded()
    bytes[200] ^= 1
    #expect(salvage(bytes).elements == [Samples.page.elements[0], Samples.page.elements[2]])
  }

  @Test func bytesLostOrAddedMoveTheRest() {
    let middle = 84 + PageSalvageTests.frame + 50
    var expected = PageSalvageTests.page.elements
    expected.remove(at: 1)
    var bytes = PageSalvageTests.whole
    bytes.remove(at: middle)
    #expect(salvage(bytes).elements == expected)
    bytes = PageSalvageTests.whole
    bytes.insert(contentsOf: [1, 2, 3], at: middle)
    #expect(salvage(bytes).elements == expected)
  }

  @Test func aCutStrokeKeepsItsWholeSamples() throws {
    let lastStart = 84 + 4 * PageSalvageTests.frame
    for count in (lastStart + 1)..<PageSalvageTests.whole.count {
      let saved = salvage(Array(PageSalvageTests.whole[..<count]))
      #expect(saved.elements == Array(PageSalvageTests.page.elements[..<4]))
      let samples = max(0, count - lastStart - 41) / 16
      guard case .stroke(let stroke) = PageSalvageTests.page.elements[4], samples > 0 else {
        #expect(saved.partial == nil)
        continue
      }
      let partial = try #require(saved.partial)
      #expect(partial.stroke.id == stroke.id)
      #expect(partial.stroke.samples == Array(stroke.samples[..<samples]))
      #expect(partial.samplesMissing == 4 - samples)
      #expect(partial.offset == lastStart)
    }
  }

  @Test func aTailOfZeroSectorsCutsLikeAnEnd() throws {
    let page = Samples.page(strokes: 4, samples: 100)
    var bytes = page.encoded()
    for offset in 4096..<bytes.count { bytes[offset] = 0 }
    let saved = salvage(bytes)
    let start = 84 + 2 * (41 + 1600)
    #expect(saved.elements == Array(page.elements[..<2]))
    let partial = try #require(saved.partial)
    #expect(partial.offset == start)
    #expect(partial.stroke.samples.count == (4096 - start - 41) / 16)
    #expect(partial.stroke.samples.count + partial.samplesMissing == 100)
  }

  @Test func doubledFramesAreTakenOnce() {
    let frames = PageSalvageTests.whole[84...]
    let saved = salvage(PageSalvageTests.whole + frames)
    #expect(saved.elements == PageSalvageTests.page.elements)
    #expect(saved.doubledFrames == 5)
  }

  @Test func anOlderSnapshotsFramesAreLeftOut() {
    let old = Samples.page(strokes: 5, samples: 4, generation: 6).encoded()
    let cut = 84 + 2 * PageSalvageTests.frame
    let saved = salvage(Array(PageSalvageTests.whole[..<cut]) + Array(old[cut...]))
    #expect(saved.elements == Array(PageSalvageTests.page.elements[..<2]))
    #expect(saved.elementsMissing == 3)
  }

  static let headerDamages: [(name: String, change: @Sendable ([UInt8]) -> [UInt8])] = [
    ("generation", { $0.changed(48, 0x40) }), ("identity", { $0.changed(20, 1) }), ("magic", { $0.changed(0, 0x80) }),
    ("zeros", { [UInt8](repeating: 0, count: 84) + $0[84...] }), ("gone", { Array($0[84...]) }),
    ("half gone", { Array($0[40...]) }), ("shifted", { [1, 2, 3] + $0 }),
    ("noise", { [UInt8](repeating: 0xA7, count: 84) + $0[84...] }),
  ]
  @Test(arguments: headerDamages.map(\.name)) func headerLost(name: String) throws {
    let damage = try #require(PageSalvageTests.headerDamages.first { $0.name == name })
    let saved = salvage(damage.change(PageSalvageTests.whole))
    #expect(saved.elements == PageSalvageTests.page.elements)
    #expect(saved.proof == .frames)
    #expect(saved.generation == 7)
    #expect(saved.id == Samples.pageID)
    #expect(saved.header == nil)
    // And with a stroke damaged too.
    let both = salvage(damage.change(PageSalvageTests.whole.changed(84 + PageSalvageTests.frame + 60, 2)))
    var expected = PageSalvageTests.page.elements
    expected.remove(at: 1)
    #expect(both.elements == expected)
    #expect(both.generation == 7)
  }

  @Test func generationsWithAnUpperHalfNeedAHint() {
    let generation: UInt64 = 5 << 32 | 77
    let bytes = Samples.page(strokes: 3, samples: 1, generation: generation).encoded().changed(60, 1)
    // The damaged header still says it, and two frames agree with it.
    #expect(salvage(bytes).generation == generation)
    let gone = Array(bytes[84...])
    #expect(salvage(gone, hint: 5 << 32 | 70).generation == generation)
    // Without a hint the frames are saved, but the generation is one with an upper half of 0.
    #expect(salvage(gone).elements.count == 3)
    #expect(salvage(gone).generation != generation)
  }

  @Test func oneFrameIsBelievedOnlyWithALikelyGeneration() {
    let page = Samples.page(strokes: 1, samples: 3, generation: 2000)
    let gone = Array(page.encoded()[84...])
    let rows: [(hint: UInt64?, saved: Bool)] = [
      (nil, false), (2000, true), (1999, true), (1936, true), (1935, false), (2001, true), (2064, true),
      (2065, false),
    ]
    for row in rows {
      let saved = salvage(gone, hint: row.hint)
      #expect(saved.elements == (row.saved ? page.elements : []), "hint \(row.hint ?? 0)")
      #expect(saved.proof == (row.saved ? .oneFrame : .none))
    }
    let small = Samples.page(strokes: 1, samples: 3, generation: 3)
    #expect(salvage(Array(small.encoded()[84...])).elements == small.elements)
    // The header's own generation, in a header that is damaged elsewhere.
    #expect(salvage(page.encoded().changed(36, 1)).generation == 2000)
  }

  @Test func twoCopiesOfOneDamagedFrameAreOneWitness() {
    let damaged = PageSalvageTests.whole[84..<(84 + PageSalvageTests.frame)].map { $0 }.changed(50, 1)
    let saved = salvage(damaged + damaged)
    #expect(saved.elements == [])
    #expect(saved.proof == .none)
  }

  @Test func nothingIsSavedOfAnUnknownVersion() {
    let bytes = PageReaderTests.withHeader(PageSalvageTests.whole, at: 8, [2, 0])
    #expect(salvage(bytes).elements == [])
    #expect(salvage(bytes).proof == .none)
  }
}

@Suite struct CRCAlgebraTests {
  @Test func forwardsAndBackwardsAgreeWithTheChecksum() {
    var random = SeededGenerator(seed: 3)
    for count in [1, 2, 3, 8, 13, 64, 255, 1000] {
      let front = (0..<(count % 7 + 1)).map { _ in UInt8.random(in: 0...255, using: &random) }
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      let after = CRC32C.checksum(of: front + bytes)
      let alone = CRC32C.checksum(of: bytes)
      #expect(CRCAlgebra.valueBefore(count: count, after: after, alone: alone) == CRC32C.checksum(of: front))
      #expect(CRCAlgebra.advanced(CRC32C.checksum(of: front), byBytes: count) ^ alone == after)
    }
  }

  @Test func generationsComeBackFromPrefixes() {
    for generation in [0, 1, 9, 0xFFFF_FFFF, 0x1_0000_0000, 0x0123_4567_89AB_CDEF] as [UInt64] {
      let codec = FrameCodec(magic: PageHeader.magic, page: Samples.pageID, generation: generation)
      let body = BodyPrefix(page: Samples.pageID, upper: generation >> 32)
      #expect(body.generation(prefix: codec.prefix.value) == generation)
    }
  }
}

extension [UInt8] {
  /// These bytes with the bits of `mask` turned over in one of them.
  func changed(_ offset: Int, _ mask: UInt8) -> [UInt8] {
    var bytes = self
    bytes[offset] ^= mask
    return bytes
  }
}

/// Frames tell of which page and generation they are; what is another page's is never taken for this one's.
@Suite struct ForeignFramesTests {
  static let other: PageSnapshot = {
    var page = Samples.page(strokes: 4, samples: 6)
    page.id = Samples.documentID
    return page
  }()

  private func withHeader(_ change: (inout PageSnapshot) -> Void) -> [UInt8] {
    var page = PageSalvageTests.page
    change(&page)
    return Array(page.encoded()[..<84]) + PageSalvageTests.whole[84...]
  }

  @Test func aSealedHeaderThatFitsNoFrameIsPassedOver() {
    for bytes in [withHeader { $0.id = Samples.assetID }, withHeader { $0.generation = 90 }] {
      let saved = PageSalvage.salvage(bytes, expecting: Samples.pageID, generationHint: 7)
      #expect(saved.elements == PageSalvageTests.page.elements)
      #expect(saved.id == Samples.pageID)
      #expect(saved.generation == 7)
      #expect(saved.proof == .frames)
      #expect(saved.header == nil)
    }
  }

  @Test func anotherPagesFramesAreTold() {
    let noHeader = [UInt8](repeating: 0xEE, count: 84) + ForeignFramesTests.other.encoded()[84...]
    for hint in [nil, 7, 1 << 33] as [UInt64?] {
      let saved = PageSalvage.salvage(noHeader, expecting: Samples.pageID, generationHint: hint)
      #expect(saved.elements.count == 4)
      #expect(saved.id == nil)
      #expect(saved.generation == nil)
    }
    let damaged = ForeignFramesTests.other.encoded().changed(100, 1)
    #expect(PageSalvage.salvage(damaged, expecting: Samples.pageID).id == Samples.documentID)
  }

  @Test func anotherPagesFramesBetweenThisOnesAreLeftOut() {
    let frame = PageSalvageTests.frame
    var bytes = PageSalvageTests.whole
    bytes.replaceSubrange((84 + frame)..<(84 + 2 * frame), with: ForeignFramesTests.other.encoded()[84...])
    var expected = PageSalvageTests.page.elements
    expected.remove(at: 1)
    #expect(PageSalvage.salvage(bytes, expecting: Samples.pageID).elements == expected)
  }

  @Test func aVersionInADamagedHeaderIsBelievedOnlyWithoutOurFrames() {
    let ours = PageSalvageTests.whole.changed(8, 8).changed(36, 1)
    #expect(PageReader.verify(ours, expecting: Samples.pageID).condition == .headerDamaged)
    #expect(PageSalvage.salvage(ours, expecting: Samples.pageID).elements == PageSalvageTests.page.elements)
    let header = Array(ours[..<84])
    for bytes in [header, header.changed(10, 4) + PageSalvageTests.whole[84...]] {
      #expect(PageReader.verify(bytes, expecting: Samples.pageID).condition == .versionUnknown(9))
      #expect(PageSalvage.salvage(bytes, expecting: Samples.pageID).elements == [])
    }
  }
}
