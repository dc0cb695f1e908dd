import Glibc
import Testing

@testable import Rendering

@Suite struct OutlineTests {
  private static let tolerance = 0.25

  /// Ways of a pen from a fixed generator: gentle, sharp, doubling back, with points close together.
  static func path(_ seed: UInt64) -> PenPath {
    var random = SplitMix(state: seed)
    var points: [PenPoint] = []
    var (x, y, radius) = (100.0, 100.0, 1 + random.unit() * 6)
    var angle = random.unit() * 6
    let sharpness = seed % 3 == 0 ? 6.0 : 0.6
    for _ in 0..<(2 + Int(random.unit() * 60)) {
      points.append(PenPoint(x, y, radius: radius))
      angle += (random.unit() - 0.5) * sharpness
      let step = random.unit() * (seed % 2 == 0 ? 12 : 3)
      (x, y) = (x + cos(angle) * step, y + sin(angle) * step)
      radius = max(0.5, radius + (random.unit() - 0.5) * 0.1 * step)
    }
    return PenPath(points: points)
  }

  /// Covered is what lies within the pen's radius of its way, and nothing else.
  @Test(arguments: 0..<30 as Range<UInt64>) func coversWhatThePenCovers(seed: UInt64) {
    let path = OutlineTests.path(seed)
    let outline = StrokeOutline(of: path, tolerance: OutlineTests.tolerance)
    var random = SplitMix(state: seed ^ 0xFFFF)
    var inside = 0
    for _ in 0..<250 {
      let near = path.points[Int(random.unit() * Double(path.points.count))]
      let place = PlanePoint(near.x + (random.unit() - 0.5) * 24, near.y + (random.unit() - 0.5) * 24)
      let excess = path.excess(at: place)
      if excess < -0.6 {
        #expect(outline.winding(around: place) > 0, "\(place) is \(excess) from the edge and not covered")
        inside += 1
      } else if excess > 0.6 {
        #expect(outline.winding(around: place) == 0, "\(place) is \(excess) from the edge and covered")
      }
    }
    #expect(inside > 8)
  }

  @Test(arguments: 0..<30 as Range<UInt64>) func everyPieceTurnsTheSameWay(seed: UInt64) {
    for piece in StrokeOutline(of: OutlineTests.path(seed), tolerance: 0.25).pieces {
      #expect(piece.area >= -1e-9, "\(Array(piece))")
    }
  }

  @Test func aPointIsADiscAndNothingIsNothing() {
    let disc = StrokeOutline(of: PenPath(points: [PenPoint(5, 5, radius: 2)]), tolerance: 0.01)
    #expect(disc.pieces.count == 1)
    #expect(abs(disc.pieces[0].area - Double.pi * 4) < 0.2)
    #expect(StrokeOutline(of: PenPath(points: []), tolerance: 0.25).pieces.isEmpty)
    #expect(StrokeOutline(of: PenPath(points: [PenPoint(5, 5, radius: 0)]), tolerance: 0.25).pieces.isEmpty)
  }

  @Test func aStraightLineNeedsFewPointsAndAWidthItsOwn() {
    let line = (0...1000).map { PenPoint(Double($0) / 7, 3, radius: 1) }
    #expect(PenPath(points: line).simplified(tolerance: 0.25).points.count <= 2 + 1000 / 256)
    var bulge = line
    for place in 400...600 { bulge[place].radius = 4 }
    let kept = PenPath(points: bulge).simplified(tolerance: 0.25).points
    #expect(kept.contains { $0.radius == 4 })
    #expect(kept.count < 20)
  }

  @Test(arguments: 0..<30 as Range<UInt64>) func whatIsLeftOutIsWithinTheTolerance(seed: UInt64) {
    let path = OutlineTests.path(seed)
    let simple = path.simplified(tolerance: 0.25)
    #expect(simple.points.first == path.points.first)
    #expect(simple.points.last == path.points.last)
    for point in path.points {
      #expect(simple.distance(to: PlanePoint(point.x, point.y)) <= 0.251)
    }
  }

  /// Also a stroke made to be slow is done in time: work grows with its points and not with their square.
  @Test func pointsThatAllStayAreDoneInTime() {
    let zigzag = (0..<200_000).map { (count: Int) -> PenPoint in
      let y = count % 2 == 0 ? 0.0 : Double(count % 97)
      return PenPoint(Double(count), y, radius: 1)
    }
    #expect(PenPath(points: zigzag).simplified(tolerance: 0.25).points.count > 180_000)
  }
}

/// A generator of numbers for tests.
struct SplitMix {
  var state: UInt64

  /// From 0 to 1.
  mutating func unit() -> Double {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return Double((word ^ (word >> 31)) >> 11) / Double(1 << 53)
  }
}

extension ArraySlice<PlanePoint> {
  /// Positive for corners that go clockwise as y goes down.
  fileprivate var area: Double {
    sides.reduce(0) { sum, side in
      let product: Double = side.0.x * side.1.y - side.1.x * side.0.y
      return sum + product / 2
    }
  }

  /// Each corner with the next one, the last with the first.
  fileprivate var sides: [(PlanePoint, PlanePoint)] { Array(zip(self, Array(dropFirst()) + Array(prefix(1)))) }
}

extension StrokeOutline {
  /// How often the pieces go around the place.
  fileprivate func winding(around place: PlanePoint) -> Int {
    var count = 0
    for piece in pieces {
      for (one, other) in piece.sides {
        let right: Double = (other.x - one.x) * (place.y - one.y)
        let left: Double = (place.x - one.x) * (other.y - one.y)
        let side = right - left
        if one.y <= place.y, other.y > place.y, side > 0 { count += 1 }
        if one.y > place.y, other.y <= place.y, side < 0 { count -= 1 }
      }
    }
    return count
  }
}

extension PenPath {
  /// How far outside of the pen's trace the place is; negative inside.
  fileprivate func excess(at place: PlanePoint) -> Double { nearest(to: place) { $0 - $1 } }

  /// How far the place is from the way's middle.
  fileprivate func distance(to place: PlanePoint) -> Double { nearest(to: place) { distance, _ in distance } }

  private func nearest(to place: PlanePoint, _ measure: (Double, Double) -> Double) -> Double {
    var least = Double.infinity
    for (one, other) in zip(points, Array(points.dropFirst()) + Array(points.suffix(1))) {
      // The nearest place of the step, and some others, since the radius changes along it.
      let (dx, dy) = (other.x - one.x, other.y - one.y)
      let length2 = max(dx * dx + dy * dy, 1e-12)
      let nearest = ((place.x - one.x) * dx + (place.y - one.y) * dy) / length2
      for along in [min(max(nearest, 0), 1)] + (0...20).map({ Double($0) / 20 }) {
        let (ex, ey) = (one.x + dx * along - place.x, one.y + dy * along - place.y)
        let distance = (ex * ex + ey * ey).squareRoot()
        least = min(least, measure(distance, one.radius + (other.radius - one.radius) * along))
      }
    }
    return least
  }
}
