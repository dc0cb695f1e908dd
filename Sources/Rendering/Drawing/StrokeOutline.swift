import Glibc

/// What a round pen covers on its way, in pieces that all turn the same way.
///
/// Filled together by the nonzero rule they leave nothing out where a line crosses itself, and nothing is laid on twice.
/// A piece is a run of the way without a sharp turn, or a disc at an end or a turn.
package struct StrokeOutline: Sendable {
  /// The corners of all pieces, one piece after the other.
  package private(set) var corners: [PlanePoint] = []
  /// Where each piece begins in `corners`.
  package private(set) var starts: [Int] = []

  private static let discCornersMax = 48
  private let tolerance: Double

  /// The outline of a way; round parts differ by no more than `tolerance` from round.
  package init(of path: PenPath, tolerance: Double) {
    self.tolerance = tolerance
    if !path.points.contains(where: { $0.radius > 0 }) { return }
    // Of neighbours at one place the widest is enough.
    var points: [PenPoint] = []
    for point in path.points {
      if let last = points.last, last.x == point.x, last.y == point.y {
        points[points.count - 1].radius = max(last.radius, point.radius)
      } else {
        points.append(point)
      }
    }
    cover(points)
  }

  /// The pieces, each as its corners.
  package var pieces: [ArraySlice<PlanePoint>] {
    starts.indices.map { corners[starts[$0]..<($0 + 1 < starts.count ? starts[$0 + 1] : corners.count)] }
  }

  private mutating func cover(_ points: [PenPoint]) {
    guard let first = points.first else { return }
    addDisc(first)
    guard points.count > 1 else { return }
    let steps = points.indices.dropLast().map { Step(from: points[$0], to: points[$0 + 1]) }
    var (left, right) = ([first.moved(steps[0].normal)], [first.moved(steps[0].normal, by: -1)])
    for (place, step) in steps.enumerated() {
      let end = points[place + 1]
      let next = place + 1 < steps.count ? steps[place + 1] : nil
      let mean = next.flatMap { common(step, $0, radius: end.radius) }
      left.append(end.moved(mean ?? step.normal))
      right.append(end.moved(mean ?? step.normal, by: -1))
      if mean != nil { continue }
      starts.append(corners.count)
      corners += left + right.reversed()
      addDisc(end)
      if let next { (left, right) = ([end.moved(next.normal)], [end.moved(next.normal, by: -1)]) }
    }
  }

  /// The one direction in which both steps may end; nil for a sharp turn, or one too wide for steps so short.
  private func common(_ one: Step, _ other: Step, radius: Double) -> PlanePoint? {
    let cosine = one.normal.x * other.normal.x + one.normal.y * other.normal.y
    // Half of a step stays free of the corner's slant at either end.
    let sine = abs(one.normal.x * other.normal.y - one.normal.y * other.normal.x)
    guard cosine > 0, radius * sine < min(one.length, other.length) / 2 else { return nil }
    // The corner stands out by this factor, from 1 to the root of 2.
    let reach = (2 / (1 + cosine)).squareRoot()
    guard radius * (reach - 1) <= tolerance else { return nil }
    let factor = 1 / (1 + cosine)
    return PlanePoint((one.normal.x + other.normal.x) * factor, (one.normal.y + other.normal.y) * factor)
  }

  private mutating func addDisc(_ point: PenPoint) {
    guard point.radius > 0 else { return }
    let ratio = min(tolerance / point.radius, 1)
    let count = min(max(Int((Double.pi / acos(1 - ratio)).rounded(.up)), 6), StrokeOutline.discCornersMax)
    starts.append(corners.count)
    for corner in 0..<count {
      let angle = 2 * Double.pi * Double(corner) / Double(count)
      corners.append(PlanePoint(point.x + cos(angle) * point.radius, point.y + sin(angle) * point.radius))
    }
  }
}

extension PenPoint {
  /// A corner of the line here: a radius away in this direction, or against it.
  fileprivate func moved(_ direction: PlanePoint, by factor: Double = 1) -> PlanePoint {
    PlanePoint(x + direction.x * radius * factor, y + direction.y * radius * factor)
  }
}

/// From one point to another one.
private struct Step {
  let length: Double
  /// Of length 1, a quarter turn from the step's direction, so that pieces turn the way discs do.
  let normal: PlanePoint

  init(from: PenPoint, to: PenPoint) {
    let (dx, dy) = (to.x - from.x, to.y - from.y)
    length = (dx * dx + dy * dy).squareRoot()
    normal = PlanePoint(dy / length, -dx / length)
  }
}
