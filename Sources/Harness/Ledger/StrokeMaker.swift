import LNoteFormat

/// Makes strokes and identities that are the same in every run.
package enum StrokeMaker {
  /// Mixes a number well: splitmix64, by Steele, Lea and Flood.
  package static func mixed(_ value: UInt64) -> UInt64 {
    var mixed = value &+ 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// An identity drawn from a seed and a count, marked as a random UUID (version 4).
  package static func identity(seed: UInt64, count: UInt64) -> NoteID {
    let high = mixed(seed &+ mixed(count))
    let low = mixed(high &+ count)
    return NoteID(
      high: high & 0xFFFF_FFFF_FFFF_0FFF | 0x4000, low: low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
  }

  /// A hand-drawn looking line of `points` samples from `origin`, in 0.1 pt.
  ///
  /// - Parameters:
  ///   - points: how many samples, 1 at the least.
  ///   - baseRadius: in 0.1 pt.
  ///   - origin: where it begins, in 0.1 pt.
  package static func stroke(
    id: NoteID, points: Int, pen: UInt8, baseRadius: UInt16, origin: (x: Int32, y: Int32), seed: UInt64
  ) -> Stroke {
    var state = seed
    var x = origin.x
    var y = origin.y
    let samples = (0..<max(points, 1)).map { count -> StrokeSample in
      state = mixed(state)
      x &+= Int32(truncatingIfNeeded: state & 31) - 9
      y &+= Int32(truncatingIfNeeded: (state >> 8) & 31) - 15
      let pressure = UInt16(300 + (state >> 16) % 500)
      let radius = UInt16(clamping: UInt32(baseRadius) * UInt32(pressure) / 500)
      return StrokeSample(x: x, y: y, radius: radius, pressure: pressure, time: UInt32(count * 8))
    }
    return Stroke(id: id, pen: pen, colour: 0x1A1A_2EFF, baseRadius: baseRadius, samples: samples)
  }
}
