/// A place on the plane, x to the right and y down.
package struct PlanePoint: Hashable, Sendable {
  /// From the left.
  package var x: Double
  /// From the top.
  package var y: Double

  /// The place of these coordinates.
  package init(_ x: Double, _ y: Double) {
    self.x = x
    self.y = y
  }
}

/// A place that a pen passed, and half the width of its line there.
package struct PenPoint: Hashable, Sendable {
  /// From the left.
  package var x: Double
  /// From the top.
  package var y: Double
  /// Half the line's width.
  package var radius: Double

  /// The place of these values.
  package init(_ x: Double, _ y: Double, radius: Double) {
    self.x = x
    self.y = y
    self.radius = radius
  }
}
