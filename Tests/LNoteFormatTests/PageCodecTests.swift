import Bytes
import TestSupport
import Testing

@testable import LNoteFormat

@Suite struct PageCodecTests {
  @Test func aSampleInMemoryIsASampleInTheFile() {
    #expect(MemoryLayout<StrokeSample>.size == 16)
    #expect(MemoryLayout<StrokeSample>.stride == 16)
    #expect(MemoryLayout<StrokeSample>.offset(of: \.x) == 0)
    #expect(MemoryLayout<StrokeSample>.offset(of: \.y) == 4)
    #expect(MemoryLayout<StrokeSample>.offset(of: \.radius) == 8)
    #expect(MemoryLayout<StrokeSample>.offset(of: \.pressure) == 10)
    #expect(MemoryLayout<StrokeSample>.offset(of: \.time) == 12)
    #expect(UInt16(1).littleEndian == 1)
  }

  @Test func goldenBytes() {
    let bytes = Samples.page.encoded()
    #expect(bytes == Golden.page, "\(hexLines(bytes))")
  }

  @Test func roundTrip() {
    let pages = [
      Samples.page, Samples.page(strokes: 0, samples: 0), Samples.page(strokes: 3, samples: 0),
      Samples.page(strokes: 12, samples: 17, generation: PageLimits.generationMax),
    ]
    for page in pages {
      let bytes = page.encoded()
      #expect(bytes.count == page.encodedSize)
      let reading = PageReader.read(bytes, expecting: page.id)
      #expect(reading.verdict.condition == .whole)
      #expect(reading.snapshot == page)
      #expect(reading.snapshot?.encoded() == bytes)
      #expect(reading.verdict.elements.map(\.id) == page.elements.map(\.id))
      #expect(reading.verdict.elements.map(\.type) == page.elements.map(\.type))
    }
  }

  @Test func verdictTellsCountsAndImages() {
    let verdict = PageReader.verify(Samples.page.encoded())
    #expect(verdict.header?.generation == 9)
    #expect(verdict.elements.map(\.sampleCount) == [3, 0, 0])
    guard case .image(let image) = Samples.page.elements[1] else { return }
    #expect(verdict.images == [image])
  }

  @Test func theAppsFigure() {
    // 21 strokes with 3,400 points together take about 55 KB.
    var page = Samples.page(strokes: 20, samples: 162)
    page.elements += Samples.page(strokes: 21, samples: 160).elements.suffix(1)
    let samples = PageReader.verify(page.encoded()).elements.reduce(0) { $0 + $1.sampleCount }
    #expect(samples == 3_400)
    #expect(page.encoded().count == 55_345)
  }

  @Test func limitsOfWhatCanBeWritten() {
    #expect(Samples.page.limitExceeded == nil)
    var page = Samples.page(strokes: 0, samples: 0)
    page.elements = Array(
      repeating: .unknown(UnknownElement(type: 9, payload: [1])), count: PageLimits.elementsMax + 1)
    #expect(page.limitExceeded == .elements)
    page.elements = [
      .unknown(UnknownElement(type: 9, payload: Array(repeating: 0, count: PageLimits.framePayloadBytesMax + 1)))
    ]
    #expect(page.limitExceeded == .frameBytes)
    page.elements[0] = .unknown(
      UnknownElement(type: 9, payload: Array(repeating: 0, count: PageLimits.framePayloadBytesMax)))
    #expect(page.limitExceeded == nil)
    page.elements = Array(repeating: page.elements[0], count: 4)
    #expect(page.limitExceeded == .fileBytes)
  }
}
