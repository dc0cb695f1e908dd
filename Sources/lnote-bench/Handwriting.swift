import LNoteFormat

/// Strokes with the lengths and the steps of somebody's handwriting: 162 samples on average, as the app's figure has.
struct Handwriting {
  /// The fewest and the most samples of a stroke; their mean is that of the app's 21 strokes with 3,400 samples.
  private static let samples = 24...300
  /// Between two samples of a pen that is asked 240 times a second, in milliseconds.
  private static let sampleMilliseconds: UInt32 = 4

  // SplitMix64 (Steele, Lea, Flood 2014).
  private var state: UInt64

  /// The strokes of this seed.
  init(seed: UInt64) { state = seed }

  /// The next stroke, somewhere on the canvas.
  mutating func stroke(on canvas: CanvasSize) -> Stroke {
    let id = NoteID(high: next(), low: next())
    let count = Handwriting.samples.lowerBound + number(below: Handwriting.samples.count)
    var x = number(below: Int(canvas.width))
    var y = number(below: Int(canvas.height))
    var pressure = 400
    let samples = (0..<count).map { index in
      x += number(below: 31) - 14
      y += number(below: 31) - 15
      pressure = min(1000, max(50, pressure + number(below: 41) - 20))
      return StrokeSample(
        x: Int32(x), y: Int32(y), radius: UInt16(8 + pressure / 50), pressure: UInt16(pressure),
        time: UInt32(index) * Handwriting.sampleMilliseconds)
    }
    return Stroke(id: id, pen: 0, colour: 0x1A1A_1AFF, baseRadius: 12, samples: samples)
  }

  private mutating func number(below bound: Int) -> Int { Int(next() >> 33) % bound }

  private mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}
