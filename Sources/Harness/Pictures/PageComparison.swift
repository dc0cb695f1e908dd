import LNoteFormat
import Rendering
import Terminal

/// Two versions of a page: in words, and as pictures of the same part of it, with frames around what differs.
struct PageComparison {
  /// The longest side of a picture, in pixels.
  static let sideMax = 220
  private static let quality = 70
  /// So many frames are drawn at the most.
  private static let framesMax = 40
  private static let (blue, red): (UInt32, UInt32) = (0x2563_A8FF, 0xC027_1DFF)

  let expected: [PageElement]
  let found: [PageElement]
  /// The page's size; zeros for the usual one.
  let canvas: CanvasSize
  /// Photos of `found` whose bytes are not those that were inserted.
  var broken: [PlacedImage] = []

  /// What should be there and is not.
  var missing: [PageElement] {
    let there = Set(found)
    return expected.filter { !there.contains($0) }
  }

  /// What is there and should not be.
  var added: [PageElement] {
    let owed = Set(expected)
    return found.filter { !owed.contains($0) }
  }

  /// "2 strokes, 1 photo".
  var wordsOfExpected: String { Self.words(expected) }

  /// "1 stroke; 1 stroke, 1 photo missing; 1 stroke that does not belong there".
  var wordsOfFound: String {
    var words = [Self.words(found)]
    if !missing.isEmpty { words.append("\(Self.words(missing)) missing") }
    if !added.isEmpty { words.append("\(Self.words(added)) that should not be there") }
    if !broken.isEmpty { words.append("the file of \(Figures.counted(broken.count, "photo")) is gone or damaged") }
    return words.joined(separator: "; ")
  }

  private static func words(_ elements: [PageElement]) -> String {
    let strokes = elements.count(where: \.isStroke)
    let parts = [(strokes, "stroke"), (elements.count - strokes, "photo")].filter { $0.0 > 0 }
    return parts.isEmpty ? "an empty page" : parts.map { Figures.counted($0.0, $0.1) }.joined(separator: ", ")
  }

  /// The page as it should be; blue frames are around what is missing in the other.
  func pictureOfExpected(_ photos: @escaping AssetSource) -> [UInt8] {
    picture(expected, frames: (missing + broken.map { .image($0) }, Self.blue), photos)
  }

  /// The page as it is; red frames are around what is missing, damaged or too much.
  func pictureOfFound(_ photos: @escaping AssetSource) -> [UInt8] {
    picture(found, frames: (missing + added + broken.map { .image($0) }, Self.red), photos)
  }

  private func picture(
    _ elements: [PageElement], frames: (around: [PageElement], colour: UInt32), _ photos: @escaping AssetSource
  ) -> [UInt8] {
    let part = part
    let pixel = max(part.width, part.height) / Double(Self.sideMax)
    var drawn = elements.map { $0.visible(radiusMin: 0.7 * pixel) }
    drawn += frames.around.prefix(Self.framesMax).compactMap { element in
      element.bounds.map { .stroke($0.grown(by: 5 * pixel).frame(radius: pixel, colour: frames.colour)) }
    }
    let (dx, dy) = (-Int32(clamping: Int(part.left)), -Int32(clamping: Int(part.top)))
    let size = CanvasSize(width: UInt32(part.width), height: UInt32(part.height))
    let scene = PageScene(canvas: size, elements: drawn.map { $0.moved(dx: dx, dy: dy) })
    return PagePicture.pixels(of: scene, fitting: Self.sideMax, Self.sideMax, assets: photos).jpeg(
      quality: Self.quality)
  }

  /// What is shown: all that is on either version, and no more of the page than that needs.
  var part: PageArea {
    let whole =
      canvas.width == 0 || canvas.height == 0
      ? PageArea(left: 0, top: 0, right: 8340, bottom: 11_940)
      : PageArea(left: 0, top: 0, right: Double(canvas.width), bottom: Double(canvas.height))
    let all = (expected + found).compactMap(\.bounds)
    guard var part = all.first else { return whole }
    for area in all.dropFirst() { part = part.joined(area) }
    // Something of the page around it, and no narrow strips.
    part = part.grown(by: max(part.width, part.height) * 0.08)
    let side = max(part.width, part.height, 1500)
    part = part.grown(width: max(part.width, side * 0.6), height: max(part.height, side * 0.6))
    return part.inside(whole)
  }
}

/// A rectangle of a page, in tenths of a point.
struct PageArea: Equatable {
  var left: Double
  var top: Double
  var right: Double
  var bottom: Double

  var width: Double { right - left }
  var height: Double { bottom - top }

  func joined(_ other: PageArea) -> PageArea {
    PageArea(
      left: min(left, other.left), top: min(top, other.top), right: max(right, other.right),
      bottom: max(bottom, other.bottom))
  }

  func grown(by margin: Double) -> PageArea {
    PageArea(left: left - margin, top: top - margin, right: right + margin, bottom: bottom + margin)
  }

  /// The same middle, at this size.
  func grown(width: Double, height: Double) -> PageArea {
    let (x, y) = ((left + right - width) / 2, (top + bottom - height) / 2)
    return PageArea(left: x, top: y, right: x + width, bottom: y + height)
  }

  /// Moved and, where it is too large, cut to lie in `whole`; an area that lies far away becomes `whole`.
  func inside(_ whole: PageArea) -> PageArea {
    let (width, height) = (min(width, whole.width), min(height, whole.height))
    let x = min(max(left, whole.left), whole.right - width)
    let y = min(max(top, whole.top), whole.bottom - height)
    return PageArea(left: x.rounded(), top: y.rounded(), right: (x + width).rounded(), bottom: (y + height).rounded())
  }

  /// A line around it.
  func frame(radius: Double, colour: UInt32) -> Stroke {
    let corners = [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)]
    let samples = corners.map { x, y in
      StrokeSample(
        x: Int32(clamping: Int(x)), y: Int32(clamping: Int(y)), radius: UInt16(clamping: Int(radius)), pressure: 1000,
        time: 0)
    }
    return Stroke(id: NoteID(high: 0, low: 0), pen: 0, colour: colour, baseRadius: 1, samples: samples)
  }
}

extension PageElement {
  /// Where it lies; nil for what has no place.
  var bounds: PageArea? {
    switch self {
    case .stroke(let stroke):
      let areas = stroke.samples.map { sample in
        PageArea(left: Double(sample.x), top: Double(sample.y), right: Double(sample.x), bottom: Double(sample.y))
          .grown(by: Double(sample.radius))
      }
      return areas.first.map { areas.dropFirst().reduce($0) { $0.joined($1) } }
    case .image(let image):
      let (x, y) = (Double(image.x), Double(image.y))
      return PageArea(left: x, top: y, right: x + Double(image.width), bottom: y + Double(image.height))
    case .unknown: return nil
    }
  }

  /// The same, with strokes no thinner than can be seen.
  func visible(radiusMin: Double) -> PageElement {
    guard case .stroke(var stroke) = self else { return self }
    let least = UInt16(clamping: Int(radiusMin))
    for place in stroke.samples.indices where stroke.samples[place].radius < least {
      stroke.samples[place].radius = least
    }
    return .stroke(stroke)
  }
}
