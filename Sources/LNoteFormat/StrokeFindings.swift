/// What the strokes of a page hold that no writer means, though every checksum fits.
///
/// Counted while the page is verified, so each point is looked at once; nothing is allocated.
package struct StrokeFindings: Hashable, Sendable {
  /// Strokes without a point.
  package private(set) var empty: UInt64 = 0
  /// Strokes in which a point is earlier than the one before it.
  package private(set) var backInTime: UInt64 = 0
  /// Strokes with a point whose pressure is beyond `PageLimits.pressureMax`.
  package private(set) var tooStrong: UInt64 = 0
  /// How many points these are.
  package private(set) var pointsTooStrong: UInt64 = 0

  /// Nothing yet.
  package init() {}

  /// True where the strokes are as a writer means them.
  package var isNothing: Bool { self == StrokeFindings() }

  /// Takes the samples of one stroke, 16 bytes each, the last of them perhaps cut.
  mutating func take(samples: UnsafeRawBufferPointer) {
    if samples.count < PageLimits.sampleBytes {
      empty += 1
      return
    }
    let limit = UInt64(PageLimits.pressureMax)
    var strong: UInt64 = 0
    var back: UInt64 = 0
    var before: UInt64 = 0
    var offset = 8
    // The second half of a sample: radius, pressure, time. A difference below zero sets the highest bit.
    while offset + 8 <= samples.count {
      let half = UInt64(littleEndian: samples.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      strong |= limit &- (half &>> 16 & 0xFFFF)
      back |= (half &>> 32) &- before
      before = half &>> 32
      offset &+= PageLimits.sampleBytes
    }
    if back &>> 63 != 0 { backInTime += 1 }
    if strong &>> 63 != 0 {
      tooStrong += 1
      pointsTooStrong += StrokeFindings.pointsTooStrong(in: samples)
    }
  }

  private static func pointsTooStrong(in samples: UnsafeRawBufferPointer) -> UInt64 {
    stride(from: 10, through: samples.count - 6, by: PageLimits.sampleBytes).reduce(0) { count, offset in
      samples.number(at: offset, as: UInt16.self) > PageLimits.pressureMax ? count + 1 : count
    }
  }
}

extension Stroke {
  /// The same stroke with no pressure beyond `PageLimits.pressureMax`.
  package var withPressureInRange: Stroke {
    var stroke = self
    for place in stroke.samples.indices where stroke.samples[place].pressure > PageLimits.pressureMax {
      stroke.samples[place].pressure = PageLimits.pressureMax
    }
    return stroke
  }
}
