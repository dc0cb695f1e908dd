import Testing

@testable import Rendering

@Suite struct JPEGMakerTests {
  @Test(arguments: [512, 513, 514, 515, 516, 517, 600, 1_000, 4_096, 65_537, 70_001, 200_000])
  func pictureHasItsSizeAndDecodes(sizeBytes: Int) {
    let picture = JPEGMaker.picture(sizeBytes: sizeBytes, seed: UInt64(sizeBytes))
    #expect(picture.count == sizeBytes)
    #expect(JPEGCheck.walk(picture).condition == .whole)
    #expect(JPEGCheck.walk(picture).trailingBytes == 0)
    let decoding = JPEGCheck.decode(picture)
    #expect(decoding.isClean)
    #expect(decoding.goodPercent == 100)
    #expect(decoding.width == JPEGCheck.walk(picture).width)
    #expect(decoding.height == JPEGCheck.walk(picture).height)
  }

  @Test func smallestSizeHoldsForManySeeds() {
    for seed in 0..<200 as Range<UInt64> {
      let picture = JPEGMaker.picture(sizeBytes: JPEGMaker.sizeBytesMin, seed: seed)
      #expect(picture.count == JPEGMaker.sizeBytesMin)
    }
  }

  @Test func everyPaddingIsTaken() {
    for sizeBytes in 1_000..<1_100 {
      let picture = JPEGMaker.picture(sizeBytes: sizeBytes, seed: 7)
      #expect(picture.count == sizeBytes)
      #expect(JPEGCheck.decode(picture).isClean)
    }
  }

  @Test func sameSeedSameBytes() {
    #expect(JPEGMaker.picture(sizeBytes: 5_000, seed: 1) == JPEGMaker.picture(sizeBytes: 5_000, seed: 1))
    #expect(JPEGMaker.picture(sizeBytes: 5_000, seed: 1) != JPEGMaker.picture(sizeBytes: 5_000, seed: 2))
  }
}

@Suite struct JPEGCheckTests {
  private static let picture = JPEGMaker.picture(sizeBytes: 3_000, seed: 3)

  @Test func everyCutIsFound() {
    for count in 1..<JPEGCheckTests.picture.count {
      let walk = JPEGCheck.walk(Array(JPEGCheckTests.picture[..<count]))
      guard case .truncated = walk.condition else {
        Issue.record("cut at \(count): \(walk.condition)")
        continue
      }
    }
  }

  @Test func everyZeroedTailIsFound() {
    for start in 1..<JPEGCheckTests.picture.count {
      var bytes = JPEGCheckTests.picture
      for offset in start..<bytes.count { bytes[offset] = 0 }
      #expect(JPEGCheck.walk(bytes).condition != .whole, "zeros from \(start) on")
    }
  }

  @Test func trailingBytesAreCounted() {
    let walk = JPEGCheck.walk(JPEGCheckTests.picture + [0, 1, 2])
    #expect(walk.condition == .whole)
    #expect(walk.trailingBytes == 3)
  }

  static let others: [(bytes: [UInt8], condition: JPEGWalk.Condition)] = [
    ([], .zeroLength),
    ([0, 0, 0, 0], .nulFilled),
    ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0], .notJPEG(.png)),
    (Array("GIF89a......".utf8), .notJPEG(.gif)),
    (Array("RIFF....WEBPVP8 ".utf8), .notJPEG(.webp)),
    (Array("%PDF-1.7".utf8), .notJPEG(.pdf)),
    ([0, 0, 0, 0x18] + Array("ftypheic".utf8), .notJPEG(.heic)),
    ([0, 0, 0, 0x18] + Array("ftypavif".utf8), .notJPEG(.avif)),
    ([0x49, 0x49, 0x2A, 0, 8], .notJPEG(.tiff)),
    (Array("hello".utf8), .notJPEG(.unknown)),
    ([0xFF, 0xD8], .truncated(at: 2)),
    ([0xFF, 0xD8, 0x41, 0x42], .damaged(at: 2)),
    ([0xFF, 0xD8, 0xFF, 0xE0, 0x00, 0x01, 0x05], .damaged(at: 4)),
    ([0xFF, 0xD8, 0xFF, 0xD8, 0xFF, 0xD9], .damaged(at: 2)),
    ([0xFF, 0xD8, 0xFF, 0xD9], .whole),
  ]
  @Test(arguments: others) func tellsWhatItIs(bytes: [UInt8], condition: JPEGWalk.Condition) {
    #expect(JPEGCheck.walk(bytes).condition == condition)
  }

  @Test func decodingTellsHowMuchOfACutPictureIsThere() {
    let picture = JPEGMaker.picture(sizeBytes: 100_000, seed: 5)
    let half = JPEGCheck.decode(Array(picture[..<50_000]))
    #expect(half.end == .endOfData)
    // The comments that fill a picture up stand at its beginning, so less than half of the rows are there.
    #expect((30...50).contains(half.goodPercent), "\(half.goodPercent)")
    let most = JPEGCheck.decode(Array(picture.dropLast(2)))
    #expect(most.end == .endOfData)
    #expect(most.goodPercent >= 98)
    let none = JPEGCheck.decode(Array(picture[..<30]))
    #expect(none.goodPercent == 0)
  }

  @Test func garbageNeverStopsTheDecoder() {
    var state: UInt64 = 1
    for round in 0..<300 {
      var bytes = JPEGMaker.picture(sizeBytes: 600, seed: 1)
      for _ in 0...(round % 5) {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        bytes[Int(state >> 33) % bytes.count] = UInt8(truncatingIfNeeded: state >> 20)
      }
      _ = JPEGCheck.walk(bytes)
      let decoding = JPEGCheck.decode(bytes)
      #expect((0...100).contains(decoding.goodPercent))
    }
  }

  @Test func notEvenAPicture() {
    #expect(JPEGCheck.decode([]).end == .endOfData)
    #expect(JPEGCheck.decode(Array("hello".utf8)).end == .failure)
    #expect(JPEGCheck.decode(Array("hello".utf8)).message == "Not a JPEG file: starts with 0x68 0x65")
  }

  @Test func hugePicturesAreRefused() throws {
    var bytes = JPEGMaker.picture(sizeBytes: 600, seed: 1)
    let frame = try #require(bytes.indices.first { bytes[$0...].starts(with: [0xFF, 0xC0]) })
    for offset in [5, 7] { bytes[frame + offset] = 0x80 }
    #expect(JPEGCheck.decode(bytes).end == .tooLarge)
    #expect(JPEGCheck.walk(bytes).width >= 0x8000)
  }
}
