import Testing

@testable import LNoteFormat

@Suite struct StrokeFindingsTests {
  typealias Row = (samples: [(pressure: UInt16, time: UInt32)], strong: UInt64, back: UInt64, empty: UInt64)

  static let rows: [Row] = [
    ([], 0, 0, 1),
    ([(0, 0)], 0, 0, 0),
    ([(1000, .max)], 0, 0, 0),
    ([(1001, 0)], 1, 0, 0),
    ([(.max, 0), (32768, 0), (1000, 0)], 2, 0, 0),
    ([(0, 5), (0, 5), (0, 6)], 0, 0, 0),
    ([(0, 5), (0, 4)], 0, 1, 0),
    ([(0, .max), (0, 0)], 0, 1, 0),
    ([(0, 0), (0, .max), (0, .max - 1), (0, .max)], 0, 1, 0),
    ([(0, 0x8000_0000), (0, 0x7FFF_FFFF)], 0, 1, 0),
    ([(1001, 3), (1001, 2)], 2, 1, 0),
  ]

  static func stroke(_ row: Row) -> Stroke {
    Stroke(
      id: Samples.page.id, pen: 0, colour: 0xFF, baseRadius: 3,
      samples: row.samples.map { StrokeSample(x: .min, y: .max, radius: .max, pressure: $0.pressure, time: $0.time) })
  }

  @Test(arguments: rows.indices) func countsExactly(index: Int) throws {
    let row = Self.rows[index]
    var page = Samples.page
    page.elements = [.stroke(Self.stroke(row))]
    let verdict = PageReader.verify(page.encoded())
    #expect(verdict.condition == .whole)
    #expect(verdict.strokes.pointsTooStrong == row.strong)
    #expect(verdict.strokes.tooStrong == (row.strong > 0 ? 1 : 0))
    #expect(verdict.strokes.backInTime == row.back)
    #expect(verdict.strokes.empty == row.empty)
    #expect(verdict.strokes.isNothing == (row.strong + row.back + row.empty == 0))
  }

  @Test(arguments: rows.indices) func pressureIsPutInRangeAndNothingElseIs(index: Int) {
    let stroke = Self.stroke(Self.rows[index])
    var expected = stroke
    for place in expected.samples.indices {
      expected.samples[place].pressure = min(1000, expected.samples[place].pressure)
    }
    #expect(stroke.withPressureInRange == expected)
  }
}
