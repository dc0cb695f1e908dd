import LNoteFormat

/// The way of a pen, in the unit of whoever draws it.
package struct PenPath: Sendable {
  /// The places it passed, in order.
  package private(set) var points: [PenPoint]

  /// Farther away than any page, so that coordinates made up by damage or malice do no harm.
  static let coordinateMax = 1e6
  // What a pen draws at a pressure of 500 has the radius that the stroke names.
  private static let pressureOfBaseRadius = 500.0
  // Bounds the work for a stroke of any length to this many comparisons a point.
  private static let windowPointsMax = 256

  /// The way of these points.
  package init(points: [PenPoint]) { self.points = points }

  /// The way of a stroke, `scale` units to a tenth of a point. A radius of 0 is taken from the pressure.
  package init(_ stroke: Stroke, scale: Double) {
    func place(_ coordinate: Int32) -> Double {
      min(max(Double(coordinate) * scale, -PenPath.coordinateMax), PenPath.coordinateMax)
    }
    let base = Double(stroke.baseRadius) / PenPath.pressureOfBaseRadius
    points = stroke.samples.map { sample in
      let radius = sample.radius > 0 ? Double(sample.radius) : base * Double(sample.pressure)
      return PenPoint(place(sample.x), place(sample.y), radius: min(radius * scale, PenPath.coordinateMax))
    }
  }

  /// The way with as few points as show the same line, to within `tolerance` in place and width.
  package func simplified(tolerance: Double) -> PenPath {
    // What the two steps leave out adds up.
    let spaced = spaced(tolerance: tolerance / 4)
    guard spaced.count > 2 else { return PenPath(points: spaced) }
    var kept: [PenPoint] = [spaced[0]]
    var start = 0
    while start + 1 < spaced.count {
      let end = min(start + PenPath.windowPointsMax, spaced.count - 1)
      PenPath.keep(&kept, of: spaced, start, end, tolerance * 3 / 4)
      start = end
    }
    return PenPath(points: kept)
  }

  /// Without points that hardly differ from the one before; the last one stays.
  private func spaced(tolerance: Double) -> [PenPoint] {
    guard var last = points.first else { return [] }
    var kept = [last]
    for (place, point) in points.enumerated().dropFirst() {
      let (dx, dy) = (point.x - last.x, point.y - last.y)
      let isClose = dx * dx + dy * dy < tolerance * tolerance && abs(point.radius - last.radius) < tolerance
      if isClose && (place < points.count - 1 || point == last) { continue }
      kept.append(point)
      last = point
    }
    return kept
  }

  /// Douglas and Peucker's rule between two points: the farthest one stays where it is too far away; the first is not
  /// appended, the last is.
  private static func keep(
    _ kept: inout [PenPoint], of points: [PenPoint], _ start: Int, _ end: Int, _ tolerance: Double
  ) {
    var farthest = start
    var distanceMax = tolerance
    for place in (start + 1)..<max(end, start + 1) {
      let distance = points[place].distance(from: points[start], to: points[end])
      if distance > distanceMax { (farthest, distanceMax) = (place, distance) }
    }
    if farthest == start {
      kept.append(points[end])
    } else {
      keep(&kept, of: points, start, farthest, tolerance)
      keep(&kept, of: points, farthest, end, tolerance)
    }
  }
}

extension PenPoint {
  /// How far the point is, in place and in radius, from where a straight line would pass it.
  fileprivate func distance(from start: PenPoint, to end: PenPoint) -> Double {
    let (dx, dy, growth) = (end.x - start.x, end.y - start.y, end.radius - start.radius)
    let (px, py) = (x - start.x, y - start.y)
    let length2 = dx * dx + dy * dy
    let along = length2 > 0 ? min(max((px * dx + py * dy) / length2, 0), 1) : 0
    let (ex, ey) = (px - along * dx, py - along * dy)
    return max((ex * ex + ey * ey).squareRoot(), abs(radius - start.radius - along * growth))
  }
}
