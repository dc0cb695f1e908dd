import Bytes
import JSON
import LNoteFormat
import Rendering
import TestSupport

/// Draws the parts of a sound document from a seed.
struct PackageMaker {
  private var random: SeededGenerator
  private let isOdd: Bool

  init(seed: UInt64, isOdd: Bool) {
    random = SeededGenerator(seed: seed)
    self.isOdd = isOdd
  }

  private static let titles = [
    "", "Physics 3", "Übung 4 – Lösung", "الفيزياء", "数学ノート", "e\u{301}tude 🧪👩🏽‍🔬", "a\u{200E}b\u{202E}c",
    "<b>\"quoted\" & 'more'</b>", String(repeating: "long ", count: 60),
  ]

  // MARK: The document

  mutating func document() -> DocumentRecord {
    let made = time()
    var document = DocumentRecord(
      id: identity(), title: isOdd ? pick(PackageMaker.titles) : "Physics 3", created: made,
      modified: Timestamp(milliseconds: made.milliseconds + 72_480),
      generation: isOdd ? UInt64.random(in: 1...PageLimits.generationMax / 2, using: &random) : 17, pages: [])
    guard isOdd else { return document }
    if oneIn(2) { document.deleted = [DeletedPage(id: identity(), generation: 4)] }
    if oneIn(2) { document.unknown = unknown() }
    return document
  }

  mutating func entry(of page: PageSnapshot) -> PageEntry {
    var entry = PageEntry(
      id: page.id, canvas: page.canvas, created: page.created, modified: page.modified,
      elementCount: UInt64(page.elements.count), generation: page.generation)
    if isOdd, oneIn(3) { entry.unknown = unknown() }
    if isOdd, oneIn(3) { entry.canvasUnknown = unknown() }
    return entry
  }

  mutating func manifest(of document: DocumentRecord) -> ManifestRecord {
    var manifest = ManifestRecord(mirroring: document)
    if isOdd, oneIn(2) { manifest.unknown = unknown() }
    return manifest
  }

  /// What a newer app may have put there.
  private mutating func unknown() -> [String: JSONValue] {
    [
      "shelf": .array([.string(pick(PackageMaker.titles)), .null, .real(0.25), .integer(Int64.min)]),
      "Ünïcode \"key\"": .object(["deep": .array([.array([.bool(true)])])]),
    ]
  }

  // MARK: Pages

  mutating func page(
    number: Int, _ sheet: SoundPackage.Sheet, assets: inout [(id: NoteID, bytes: [UInt8])]
  ) -> PageSnapshot {
    let made = time()
    var page = PageSnapshot(
      id: identity(), generation: isOdd ? UInt64.random(in: 1...1 << 40, using: &random) : 5,
      canvas: isOdd && oneIn(4) ? CanvasSize(width: 1, height: 200_000) : CanvasSize(width: 8340, height: 11_940),
      created: made, modified: Timestamp(milliseconds: made.milliseconds + 1000), elements: [])
    switch sheet {
    case .blank: break
    case .strokes(let count, let samples):
      page.elements = (0..<count).map { _ in .stroke(stroke(samples: samples)) }
    case .pictures(let count):
      for _ in 0..<count {
        let asset = (id: identity(), bytes: picture())
        assets.append(asset)
        page.elements += [.stroke(stroke(samples: 12)), .image(image(of: asset))]
      }
    case .samePicture:
      page.elements = [.stroke(stroke(samples: 6))] + (assets.first.map { [.image(image(of: $0))] } ?? [])
    case .unknown(let count):
      page.elements = [.stroke(stroke(samples: 9))]
      for _ in 0..<count {
        let payload = (0..<Int.random(in: 1...60, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random)
        }
        page.elements.append(
          .unknown(UnknownElement(type: UInt8.random(in: 32...255, using: &random), payload: payload)))
      }
    }
    return page
  }

  /// A line as a hand draws it: it goes on from where it is, and no two points are alike.
  private mutating func stroke(samples: Int) -> Stroke {
    var samples = samples
    if isOdd, oneIn(6) { samples = 0 }
    let isExtreme = isOdd && oneIn(6)
    var place = (x: Int32.random(in: 200...8000, using: &random), y: Int32.random(in: 200...11_000, using: &random))
    var clock: UInt32 = 0
    let points = (0..<samples).map { _ -> StrokeSample in
      place.x += Int32.random(in: -40...60, using: &random)
      place.y += Int32.random(in: -40...60, using: &random)
      clock += UInt32.random(in: 3...12, using: &random)
      return StrokeSample(
        x: isExtreme ? .max : place.x, y: isExtreme ? .min : place.y, radius: UInt16.random(in: 8...20, using: &random),
        pressure: UInt16.random(in: 100...1000, using: &random), time: isExtreme ? .max : clock)
    }
    return Stroke(
      id: identity(), pen: isOdd ? UInt8.random(in: 0...255, using: &random) : 0,
      colour: UInt32.random(in: 0...0xFFFF_FFFF, using: &random) | 0xFF, baseRadius: 12, samples: points)
  }

  private mutating func image(of asset: (id: NoteID, bytes: [UInt8])) -> PlacedImage {
    let digest = XXH3.digest128(of: asset.bytes)
    return PlacedImage(
      id: identity(), asset: asset.id, x: Int32.random(in: -50...4000, using: &random), y: 300,
      width: 1200, height: 900, rotation: isOdd ? Int32.random(in: -360_000...360_000, using: &random) : 0,
      assetLength: UInt64(asset.bytes.count), assetDigest: AssetDigest(high: digest.high, low: digest.low))
  }

  /// A JPEG by libjpeg: noise, or a drawing in colours; sometimes with a second picture behind its end.
  private mutating func picture() -> [UInt8] {
    let seed = random.next()
    if oneIn(2) {
      let noise = JPEGMaker.picture(sizeBytes: Int.random(in: 900...2400, using: &random), seed: seed)
      return isOdd && oneIn(3) ? noise + noise.prefix(300) : noise
    }
    let bytes = (0..<(24 * 18 * 4)).map { place in UInt8(truncatingIfNeeded: UInt64(place) &* (seed % 23 + 1)) }
    return Pixels(width: 24, height: 18, bytes: bytes).jpeg(quality: 85)
  }

  // MARK: Numbers

  mutating func identity() -> NoteID {
    NoteID(
      high: random.next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000,
      low: random.next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
  }

  private mutating func time() -> Timestamp {
    Timestamp(
      milliseconds: isOdd
        ? Int64.random(in: -2_000_000_000_000...4_000_000_000_000, using: &random)
        : Int64.random(in: 1_700_000_000_000...1_782_898_200_000, using: &random))
  }

  private mutating func oneIn(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }

  private mutating func pick<Value>(_ values: [Value]) -> Value {
    values[Int.random(in: values.indices, using: &random)]
  }
}
