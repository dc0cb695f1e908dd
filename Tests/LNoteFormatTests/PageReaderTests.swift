import Bytes
import TestSupport
import Testing

@testable import LNoteFormat

@Suite struct PageReaderTests {
  static let whole = Samples.page.encoded()

  @Test func everyBitIsChecked() {
    for offset in PageReaderTests.whole.indices {
      for bit in 0..<8 {
        var bytes = PageReaderTests.whole
        bytes[offset] ^= 1 << bit
        let reading = PageReader.read(bytes)
        #expect(reading.verdict.condition != .whole, "bit \(bit) of byte \(offset)")
        #expect(reading.snapshot == nil, "bit \(bit) of byte \(offset)")
        guard case .versionUnknown = reading.verdict.condition else { continue }
        Issue.record("bit \(bit) of byte \(offset) passes for a newer version")
      }
    }
  }

  @Test func everyCutIsFoundAndMeasured() {
    for count in 0..<PageReaderTests.whole.count {
      let verdict = PageReader.verify(Array(PageReaderTests.whole[..<count]))
      let missing = PageReaderTests.whole.count - count
      switch count {
      case 0: #expect(verdict.condition == .zeroLength)
      case 1..<84: #expect(verdict.condition == .headerCut(missing: 84 - count))
      default:
        #expect(verdict.condition == .truncated(missing: missing), "cut at \(count)")
        #expect(verdict.missingBytes == missing)
      }
    }
  }

  @Test func everyByteLostOrAddedIsFound() {
    for offset in PageReaderTests.whole.indices {
      var bytes = PageReaderTests.whole
      bytes.remove(at: offset)
      #expect(!PageReader.verify(bytes).condition.isReadable, "without byte \(offset)")
      for extra in [0, 0x7F, 0xFF] as [UInt8] {
        bytes = PageReaderTests.whole
        bytes.insert(extra, at: offset)
        #expect(PageReader.verify(bytes).condition != .whole, "\(extra) before byte \(offset)")
      }
    }
  }

  @Test func everyByteOfOtherValueIsFound() {
    for offset in PageReaderTests.whole.indices {
      for value in [0, 0xFF] as [UInt8] where PageReaderTests.whole[offset] != value {
        var bytes = PageReaderTests.whole
        bytes[offset] = value
        #expect(PageReader.verify(bytes).condition != .whole, "\(value) at \(offset)")
      }
    }
  }

  @Test func nothingButZeros() {
    for count in [1, 83, 84, 300, 5000] {
      let verdict = PageReader.verify([UInt8](repeating: 0, count: count))
      #expect(verdict.condition == .nulFilled)
    }
  }

  @Test func trailingBytesAreCountedAndThePageIsRead() {
    let reading = PageReader.read(PageReaderTests.whole + [1, 2, 3])
    #expect(reading.verdict.condition == .trailing(bytes: 3))
    #expect(reading.snapshot == Samples.page)
  }

  @Test func anotherPagesFile() {
    let reading = PageReader.read(PageReaderTests.whole, expecting: Samples.documentID)
    #expect(reading.verdict.condition == .idDiffers)
    #expect(reading.snapshot == Samples.page)
    #expect(PageReader.read(PageReaderTests.whole, expecting: Samples.pageID).verdict.condition == .whole)
  }

  @Test func noPageAtAll() {
    for bytes in [Array("hello".utf8), [UInt8](repeating: 0xFF, count: 400), [0xFF]] {
      #expect(PageReader.verify(bytes).condition == .notAPage)
    }
  }

  /// Header bytes changed by a writer that sets the checksum right.
  static let writersFaults: [(offset: Int, bytes: [UInt8], condition: PageCondition)] = [
    (8, [2, 0], .versionUnknown(2)), (8, [0, 7], .versionUnknown(0x700)), (10, [85, 0], .headerFault(.headerLength)),
    (12, [0, 0, 0, 1], .headerFault(.flags)), (55, [0x80], .headerFault(.generation)),
    (32, [0x41, 0x42, 0x0F, 0], .limitExceeded(.elements)), (60, [1], .limitExceeded(.fileBytes)),
    (32, [4], .countDiffers), (80, [1, 2, 3, 4], .frameListDiffers), (56, [0xC1], .truncated(missing: 1)),
  ]
  @Test(arguments: writersFaults) func whatNoWriterWrites(offset: Int, bytes: [UInt8], condition: PageCondition) {
    let file = PageReaderTests.withHeader(PageReaderTests.whole, at: offset, bytes)
    #expect(PageReader.verify(file).condition == condition)
    #expect(PageReader.read(file).snapshot == nil)
  }

  @Test func aVersionIsUnknownOnlyWhereNothingSpeaksForDamage() {
    var bytes = PageReaderTests.whole
    bytes[8] = 2
    #expect(PageReader.verify(bytes).condition == .headerDamaged)
    bytes[20] ^= 1
    #expect(PageReader.verify(bytes).condition == .versionUnknown(2))
    bytes[9] = 3
    #expect(PageReader.verify(bytes).condition == .headerDamaged)
  }

  @Test func aDamagedFrameIsNamedWithItsNeighbours() {
    let page = Samples.page(strokes: 5, samples: 4).encoded()
    let frame = 9 + 32 + 4 * 16
    for index in 0..<5 {
      var bytes = page
      bytes[84 + index * frame + 50] ^= 0x10
      let verdict = PageReader.verify(bytes)
      #expect(verdict.condition == .frameDamaged)
      #expect(
        verdict.damage
          == FrameDamage(index: index, offset: 84 + index * frame, fault: .checksum, goodBehind: 4 - index))
      #expect(verdict.elements.count == index)
    }
  }

  @Test func faultsOfFrames() {
    let page = Samples.page(strokes: 3, samples: 1).encoded()
    let second = 84 + 57
    let rows: [(offset: Int, bytes: [UInt8], fault: FrameFault)] = [
      (0, [0, 0, 0, 0], .zeroLength), (3, [0x7F], .lengthImplausible(0x7F00_0030)), (4, [0, 0, 0, 0], .checksum),
      (0, [0x31], .checksum), (0, [0xFF], .lengthImplausible(0xFF)), (8, [2], .checksum),
    ]
    for row in rows {
      var bytes = page
      bytes.replaceSubrange((second + row.offset)..<(second + row.offset + row.bytes.count), with: row.bytes)
      let damage = PageReader.verify(bytes).damage
      #expect(damage == FrameDamage(index: 1, offset: second, fault: row.fault, goodBehind: 1))
    }
  }

  @Test func payloadsThatAreNoneOfTheirType() {
    let stroke = Samples.page(strokes: 1, samples: 1).encoded()[93...]
    var reserved = Array(stroke)
    reserved[18] = 1
    let rows: [(type: UInt8, payload: [UInt8], fault: PayloadFault)] = [
      (1, [1, 2, 3], .length), (1, Array(stroke.dropLast()), .sampleCount), (1, reserved, .reserved),
      (2, Array(repeating: 0, count: 79), .length), (2, Array(repeating: 1, count: 80), .reserved),
    ]
    for row in rows {
      let file = PageReaderTests.page(of: [(row.type, row.payload)])
      #expect(PageReader.verify(file).damage?.fault == .malformed(row.fault))
      #expect(PageReader.verify(file).condition == .frameDamaged)
    }
    #expect(PageReader.verify(PageReaderTests.page(of: [(1, Array(stroke)), (77, [0])])).condition == .whole)
  }

  @Test func framesSwappedDoubledOrLost() {
    let page = Samples.page(strokes: 4, samples: 2).encoded()
    let frames = (0..<4).map { Array(page[(84 + $0 * 73)..<(84 + ($0 + 1) * 73)]) }
    func file(_ order: [Int]) -> [UInt8] { page[..<84] + order.flatMap { frames[$0] } }
    #expect(PageReader.verify(file([0, 1, 2, 3])).condition == .whole)
    #expect(PageReader.verify(file([0, 2, 1, 3])).condition == .frameListDiffers)
    #expect(PageReader.verify(file([0, 0, 2, 3])).condition == .frameListDiffers)
    #expect(PageReader.verify(file([0, 1, 1, 2, 3])).condition == .frameListDiffers)
    #expect(PageReader.verify(file([0, 1, 2, 3, 3])).condition == .trailing(bytes: 73))
    // Of frames that differ in length, the body's end lies inside one when others are doubled.
    let mixed = Samples.page.encoded()
    #expect(PageReader.verify(Array(mixed[..<173]) + mixed[84...]).condition == .frameListDiffers)
    #expect(PageReader.verify(Array(mixed[..<262]) + mixed[173...]).condition == .frameListDiffers)
    // A lost frame cannot be told from a cut end: both leave a file that is too short and whole frames.
    #expect(PageReader.verify(file([0, 1, 3])).condition == .truncated(missing: 73))
    #expect(PageReader.verify(file([])).condition == .truncated(missing: 292))
  }

  @Test func anOlderSnapshotsFramesAreNotTaken() {
    let old = Samples.page(strokes: 4, samples: 2, generation: 6).encoded()
    let new = Samples.page(strokes: 4, samples: 2, generation: 7).encoded()
    let verdict = PageReader.verify(Array(new[..<230]) + Array(old[230...]))
    #expect(verdict.condition == .frameDamaged)
    #expect(verdict.damage == FrameDamage(index: 2, offset: 230, fault: .checksum, goodBehind: 0))
  }

  @Test func runsOfZeroSectorsAreTold() {
    let page = Samples.page(strokes: 8, samples: 40).encoded()
    #expect(PageReader.verify(page).nulRun == nil)
    var bytes = page
    for offset in 1024..<2048 { bytes[offset] = 0 }
    let verdict = PageReader.verify(bytes)
    #expect(verdict.condition == .frameDamaged)
    #expect(verdict.nulRun?.lowerBound == 1024)
    #expect(verdict.nulRun.map { $0.upperBound >= 2048 && $0.upperBound < 2052 } == true)
    bytes = page
    bytes[1500] ^= 1
    #expect(PageReader.verify(bytes).nulRun == nil)
  }

  /// A page of these frames, all checksums right.
  static func page(of frames: [(type: UInt8, payload: [UInt8])]) -> [UInt8] {
    let codec = FrameCodec(magic: PageHeader.magic, page: Samples.pageID, generation: 1)
    var writer = ByteWriter()
    var list = CRC32C()
    for frame in frames {
      let start = writer.count
      codec.append(type: frame.type, to: &writer) { $0.write(bytes: frame.payload) }
      list.update(writer.bytes[start..<(start + 8)])
    }
    let header = PageHeader(
      id: Samples.pageID, generation: 1, canvas: CanvasSize(width: 1, height: 1), created: Timestamp(milliseconds: 0),
      modified: Timestamp(milliseconds: 0), elementCount: UInt32(frames.count), bodyLength: UInt64(writer.count),
      frameListChecksum: list.value)
    return header.encoded() + writer.bytes
  }

  /// The file with these header bytes, and the header's checksum set right.
  static func withHeader(_ file: [UInt8], at offset: Int, _ bytes: [UInt8]) -> [UInt8] {
    var file = file
    file.replaceSubrange(offset..<(offset + bytes.count), with: bytes)
    file.replaceSubrange(44..<48, with: [0, 0, 0, 0])
    let crc = CRC32C.checksum(of: file[..<84])
    for index in 0..<4 { file[44 + index] = UInt8(truncatingIfNeeded: crc >> (8 * index)) }
    return file
  }
}
