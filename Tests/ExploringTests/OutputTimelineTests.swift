import Exploring
import Testing

@Suite struct OutputTimelineTests {
  /// "a" before record 3, "bc" before record 7, "d" behind the last of 9 records.
  private var timeline: OutputTimeline {
    var timeline = OutputTimeline()
    timeline.add(Array("a".utf8), before: 3)
    timeline.add(Array("b".utf8), before: 7)
    timeline.add(Array("c".utf8), before: 7)
    timeline.add([], before: 8)
    timeline.add(Array("d".utf8), before: 10)
    return timeline
  }

  static let rows: [(moments: [ClosedRange<UInt64>], counts: [Int])] = [
    ([0...2], [0]), ([0...3], [0, 1]), ([3...6], [1]), ([7...9], [3]), ([0...UInt64.max], [0, 1, 3, 4]),
    ([UInt64.max...UInt64.max], [4]), ([1...1, 8...8], [0, 3]), ([], []),
  ]

  @Test(arguments: rows) func countsWhatWasSaid(moments: [ClosedRange<UInt64>], counts: [Int]) {
    #expect(timeline.counts(during: moments, countMax: 9).counts == counts)
    for count in counts {
      let moment = timeline.firstMoment(withCount: count, during: moments)
      #expect(moment.map { timeline.count(at: $0) } == count)
    }
    #expect(timeline.firstMoment(withCount: 2, during: moments) == nil)
  }

  @Test func keepsTheFirstAndTheLastWhereThereAreTooMany() {
    var timeline = OutputTimeline()
    for record in 1...100 { timeline.add([0x61], before: UInt64(record)) }
    let found = timeline.counts(during: [0...200], countMax: 3)
    #expect(found.counts == [0, 50, 100])
    #expect(!found.isWhole)
    #expect(timeline.counts(during: [1...3], countMax: 3).isWhole)
  }
}
