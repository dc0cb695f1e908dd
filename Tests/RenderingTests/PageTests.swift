import Glibc
import LNoteFormat
import Testing

@testable import Rendering

/// Pages for tests.
enum Sample {
  static let canvas = CanvasSize(width: 1000, height: 1000)

  static func id(_ number: UInt64) -> NoteID { NoteID(high: 0x4000, low: 0x8000_0000_0000_0000 + number) }

  /// A horizontal line through the middle.
  static func line(radius: UInt16, colour: UInt32 = 0x0000_00FF, y: Int32 = 500, pressure: UInt16 = 500) -> Stroke {
    Stroke(
      id: id(1), pen: 0, colour: colour, baseRadius: 20,
      samples: (0...80).map {
        StrokeSample(x: 100 + Int32($0) * 10, y: y, radius: radius, pressure: pressure, time: UInt32($0))
      })
  }

  static func image(x: Int32, y: Int32, width: Int32, height: Int32, rotation: Int32 = 0) -> PlacedImage {
    PlacedImage(
      id: id(2), asset: id(3), x: x, y: y, width: width, height: height, rotation: rotation, assetLength: 0,
      assetDigest: AssetDigest(high: 0, low: 0))
  }

  /// A JPEG, red in its left half and blue in its right.
  static let picture = halves(width: 64, height: 64)

  static func halves(width: Int, height: Int) -> [UInt8] {
    let row = (0..<width).flatMap { $0 < width / 2 ? [0, 0, 255, 0] : [255, 0, 0, 0] as [UInt8] }
    let rows = (0..<height).flatMap { _ in row }
    return Pixels(width: width, height: height, bytes: rows).jpeg(quality: 95)
  }

  static func draw(
    _ elements: [PageElement], canvas: CanvasSize = canvas, _ assets: @escaping AssetSource = { _ in nil }
  )
    -> Pixels
  {
    PagePicture.pixels(of: PageScene(canvas: canvas, elements: elements), fitting: 200, 200, assets: assets)
  }
}

extension Pixels {
  /// Red, green, blue.
  func colour(_ x: Int, _ y: Int) -> [UInt8] {
    let place = (y * width + x) * 4
    return [bytes[place + 2], bytes[place + 1], bytes[place]]
  }

  /// How many pixels of a column are darker than half.
  func darkRows(atColumn x: Int) -> Int { (0..<height).count { colour(x, $0)[0] < 128 } }
}

@Suite struct PagePictureTests {
  private static let white: [UInt8] = [255, 255, 255]

  @Test func aLineStandsAtItsPlaceInItsColour() {
    let pixels = Sample.draw([.stroke(Sample.line(radius: 20, colour: 0x3366_99FF))])
    #expect((pixels.width, pixels.height) == (200, 200))
    #expect(pixels.colour(100, 100) == [0x33, 0x66, 0x99])
    for (x, y) in [(100, 94), (100, 106), (14, 100), (186, 100)] {
      #expect(pixels.colour(x, y) == PagePictureTests.white, "\(x), \(y)")
    }
  }

  static let widths: [(radius: UInt16, pressure: UInt16, rows: Int)] = [
    (10, 500, 4), (20, 500, 8), (50, 100, 20), (0, 500, 8), (0, 1000, 16), (0, 250, 4),
  ]
  @Test(arguments: widths) func itsWidthIsTheRadiusOrComesFromThePressure(radius: UInt16, pressure: UInt16, rows: Int) {
    let pixels = Sample.draw([.stroke(Sample.line(radius: radius, pressure: pressure))])
    #expect(pixels.darkRows(atColumn: 100) == rows)
  }

  @Test func aMarkerThatCrossesItselfIsNotLaidOnTwice() {
    var stroke = Sample.line(radius: 40, colour: 0x0000_0080)
    stroke.samples += stroke.samples.reversed()
    let pixels = Sample.draw([.stroke(stroke)])
    #expect(abs(Int(pixels.colour(100, 100)[0]) - 127) <= 1)
    #expect(pixels.colour(60, 100) == pixels.colour(140, 100))
  }

  @Test func theHigherElementHidesTheLower() {
    let both: [PageElement] = [
      .stroke(Sample.line(radius: 40, colour: 0xFF00_00FF)), .stroke(Sample.line(radius: 40, colour: 0x0000_FFFF)),
    ]
    #expect(Sample.draw(both).colour(100, 100) == [0, 0, 255])
    #expect(Sample.draw(both.reversed()).colour(100, 100) == [255, 0, 0])
  }

  @Test func anImageStandsAtItsPlaceAndIsTurnedClockwiseAroundItsMiddle() {
    func near(_ colour: [UInt8], _ other: [UInt8]) -> Bool {
      zip(colour, other).allSatisfy { abs(Int($0) - Int($1)) < 30 }
    }
    let (red, blue): ([UInt8], [UInt8]) = ([255, 0, 0], [0, 0, 255])
    let upright = Sample.draw([.image(Sample.image(x: 200, y: 400, width: 400, height: 200))]) { _ in Sample.picture }
    #expect(near(upright.colour(50, 100), red) && near(upright.colour(110, 100), blue))
    for (x, y) in [(38, 100), (122, 100), (80, 78), (80, 122)] {
      #expect(upright.colour(x, y) == PagePictureTests.white, "\(x), \(y)")
    }
    // A quarter turn: left becomes top, the middle stays.
    let turned = Sample.draw([.image(Sample.image(x: 200, y: 400, width: 400, height: 200, rotation: 90_000))]) { _ in
      Sample.picture
    }
    #expect(near(turned.colour(80, 70), red) && near(turned.colour(80, 130), blue))
    #expect(turned.colour(50, 100) == PagePictureTests.white)
  }

  @Test func aMissingImageIsAGreyBox() {
    let pixels = Sample.draw([.image(Sample.image(x: 200, y: 400, width: 400, height: 200))])
    #expect(pixels.colour(60, 105) == [0xEE, 0xEE, 0xEE])
    #expect(pixels.colour(80, 100)[0] < 0xC0)
    #expect(pixels.colour(130, 100) == PagePictureTests.white)
  }

  @Test func theSamePageGivesTheSamePixels() {
    let elements: [PageElement] = [
      .image(Sample.image(x: 0, y: 0, width: 900, height: 900, rotation: 12_345)), .stroke(Sample.line(radius: 33)),
    ]
    #expect(Sample.draw(elements) { _ in Sample.picture } == Sample.draw(elements) { _ in Sample.picture })
  }

  @Test func valuesThatNoWriterWritesDoNoHarm() {
    var wild = Sample.line(radius: .max)
    for (place, value) in [Int32.min, .max, 0, .min, .max].enumerated() {
      wild.samples[place].x = value
      wild.samples[place].y = value &* 3
    }
    let elements: [PageElement] = [
      .stroke(wild), .image(Sample.image(x: .min, y: .max, width: .max, height: .max, rotation: .min)),
      .image(Sample.image(x: 5, y: 5, width: -3, height: 0)), .unknown(UnknownElement(type: 9, payload: [1])),
      .stroke(Stroke(id: Sample.id(9), pen: 9, colour: 0, baseRadius: 0, samples: [])),
    ]
    let canvases = [(0, 0), (1, UInt32.max), (UInt32.max, 1), (UInt32.max, UInt32.max)].map {
      CanvasSize(width: UInt32($0.0), height: UInt32($0.1))
    }
    for canvas in canvases {
      let pixels = Sample.draw(elements, canvas: canvas) { _ in Sample.picture }
      #expect((1...200).contains(pixels.width) && (1...200).contains(pixels.height))
    }
  }

  @Test func aFullPageIsDrawnFromFewCorners() {
    // 1,500 strokes of 160 points, as the app's full pages have them: loops of 16 points' height.
    var corners = 0
    for number in 0..<1500 {
      let (left, top) = (Double(number % 30) * 250, Double(number / 30) * 220)
      let samples = (0..<160).map { count in
        let turn = Double(count) / 8
        let (x, y) = (left + turn * 10 + 60 * cos(turn), top + 80 + 80 * sin(turn))
        return StrokeSample(x: Int32(x), y: Int32(y), radius: 12, pressure: 500, time: UInt32(count))
      }
      let stroke = Stroke(id: Sample.id(1), pen: 0, colour: 0, baseRadius: 12, samples: samples)
      let path = PenPath(stroke, scale: 0.1).simplified(tolerance: 0.25)
      corners += StrokeOutline(of: path, tolerance: 0.25).corners.count
    }
    #expect(corners < 1500 * 160, "\(corners)")
  }
}

@Suite struct PixelsTests {
  @Test func aPictureIsScaledDownToFitAndKeepsItsColours() throws {
    for (width, height, room, expected) in [
      (64, 64, (64, 64), (64, 64)), (300, 200, (30, 30), (30, 20)), (1000, 10, (100, 100), (100, 1)),
      (64, 64, (500, 500), (64, 64)), (640, 480, (100, 100), (100, 75)),
    ] {
      let pixels = try #require(Pixels.decoding(Sample.halves(width: width, height: height), fitting: room.0, room.1))
      #expect((pixels.width, pixels.height) == expected)
      let middle = pixels.height / 2
      #expect(pixels.colour(pixels.width / 4, middle)[0] > 200)
      #expect(pixels.colour(pixels.width * 3 / 4, middle)[2] > 200)
    }
  }

  @Test func ofACutPictureTheRowsBeforeTheCutAreThere() throws {
    let whole = JPEGMaker.picture(sizeBytes: 40_000, seed: 3)
    let cut = try #require(Pixels.decoding(Array(whole.dropLast(20_000)), fitting: 50, 50))
    let all = try #require(Pixels.decoding(whole, fitting: 50, 50))
    #expect(cut.bytes.prefix(cut.width * 4 * 8) == all.bytes.prefix(cut.width * 4 * 8))
    #expect(cut.colour(20, cut.height - 1) == [Pixels.missingGrey, Pixels.missingGrey, Pixels.missingGrey])
    #expect(Pixels.decoding([], fitting: 10, 10) == nil)
    #expect(Pixels.decoding(Array("hello".utf8), fitting: 10, 10) == nil)
  }

  /// The sizes that the header tells, and its first byte: C0 baseline, C2 progressive.
  static func hostile(side: UInt16, frame: UInt8) throws -> [UInt8] {
    var bytes = JPEGMaker.picture(sizeBytes: 600, seed: 1)
    let place = try #require(bytes.indices.first { bytes[$0...].starts(with: [0xFF, 0xC0]) })
    bytes[place + 1] = frame
    for offset in [5, 7] { (bytes[place + offset], bytes[place + offset + 1]) = (UInt8(side >> 8), UInt8(side & 0xFF)) }
    return bytes
  }

  @Test(arguments: [0xC0, 0xC2] as [UInt8]) func aPictureThatSaysItIsHugeTakesNoMemory(frame: UInt8) throws {
    let before = peakBytes()
    #expect(try Pixels.decoding(PixelsTests.hostile(side: 65_000, frame: frame), fitting: 100, 100) == nil)
    // Few enough pixels to be tried; progressive, all its coefficients would take 512 MB.
    let tried = try PixelsTests.hostile(side: 16_000, frame: frame)
    _ = Pixels.decoding(tried, fitting: 100, 100)
    #expect(JPEGCheck.decode(tried).isClean == false)
    #expect(peakBytes() - before < 300 << 20)
  }
}

@Suite struct ThumbnailTests {
  private static let scene = PageScene(canvas: Sample.canvas, elements: [.stroke(Sample.line(radius: 20))])
  private static let mark = Thumbnail(page: Sample.id(7), generation: 12)
  private static let file = mark.file(showing: scene) { _ in nil }

  @Test func itIsAJPEGThatSaysWhatItShows() throws {
    let file = ThumbnailTests.file
    #expect(JPEGCheck.decode(file).isClean)
    #expect(JPEGCheck.decode(file).width == Thumbnail.sideMax)
    #expect(Thumbnail.read(file) == ThumbnailTests.mark)
    #expect(ThumbnailTests.mark.file(showing: ThumbnailTests.scene) { _ in nil } == file)
    let pixels = try #require(Pixels.decoding(file, fitting: 320, 320))
    #expect(pixels.colour(160, 160)[0] < 60)
    #expect(pixels.colour(160, 100)[0] > 240)
  }

  @Test func everyChangedByteAndEveryCutIsFound() {
    for place in ThumbnailTests.file.indices {
      var changed = ThumbnailTests.file
      changed[place] ^= 0x20
      #expect(Thumbnail.read(changed) == nil, "byte \(place)")
    }
    for count in 0..<ThumbnailTests.file.count {
      #expect(Thumbnail.read(Array(ThumbnailTests.file.prefix(count))) == nil)
    }
  }

  @Test func anotherPictureIsNone() { #expect(Thumbnail.read(JPEGMaker.picture(sizeBytes: 2000, seed: 1)) == nil) }
}

@Suite struct PagesFileTests {
  private static func file(_ scenes: [PageScene], piecesMax: Int = .max) throws -> [UInt8] {
    var bytes: [UInt8] = []
    var pieces = 0
    let file = PagesFile(title: "Physics (3) \u{1F4D3}", created: "2026-11-30T14:02:12Z") { piece in
      bytes += piece
      pieces += 1
      return pieces <= piecesMax
    }
    for scene in scenes { file.add(scene) { _ in Sample.picture } }
    try file.finish()
    return bytes
  }

  private static let scene = PageScene(
    canvas: CanvasSize(width: 8340, height: 11_940),
    elements: [.stroke(Sample.line(radius: 20)), .image(Sample.image(x: 0, y: 0, width: 500, height: 500))])

  private static func boxes(_ pdf: [UInt8]) -> [String] {
    String(decoding: pdf, as: UTF8.self).split(separator: "/MediaBox [ ").dropFirst()
      .map { String($0.prefix { $0 != "]" }) }
  }

  @Test func onePageAPageOfTheCanvasSize() throws {
    var other = PagesFileTests.scene
    other.canvas = CanvasSize(width: 5000, height: 2000)
    let pdf = try PagesFileTests.file([PagesFileTests.scene, other])
    #expect(pdf.starts(with: Array("%PDF-1.".utf8)))
    #expect(PagesFileTests.boxes(pdf) == ["0 0 834 1194 ", "0 0 500 200 "])
    #expect(try PagesFileTests.file([PagesFileTests.scene, other]) == pdf)
  }

  @Test func noticesStandAboveThePage() throws {
    var scene = PagesFileTests.scene
    scene.notices = ["Page 1 of 2 is cut off: 4,721 bytes are missing at its end."]
    #expect(try PagesFileTests.boxes(PagesFileTests.file([scene])) == ["0 0 834 1225.2 "])
    scene.notices = [String(repeating: "so many words ", count: 40)]
    let box = try #require(try PagesFileTests.boxes(PagesFileTests.file([scene])).first)
    #expect(try #require(Double(box.split(separator: " ")[3])) > 1250)
  }

  @Test func aCanvasOfAnySizeFitsIntoAPDFPage() throws {
    for (width, height) in [(UInt32.max, UInt32.max), (1, .max), (.max, 1), (0, 0)] {
      var scene = PagesFileTests.scene
      scene.canvas = CanvasSize(width: width, height: height)
      scene.notices = ["Something is missing."]
      let box = try #require(try PagesFileTests.boxes(PagesFileTests.file([scene])).first)
      for side in box.split(separator: " ").compactMap({ Double($0) }) { #expect(side <= 14_400) }
    }
  }

  @Test func aFileThatCannotBeWrittenFails() {
    #expect(throws: PagesFile.Failure.self) { try PagesFileTests.file([PagesFileTests.scene], piecesMax: 2) }
  }
}
