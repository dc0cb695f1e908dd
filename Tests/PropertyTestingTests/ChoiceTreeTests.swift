import Testing

@testable import PropertyTesting

@Suite struct ChoiceTreeTests {
  /// A number of four, and behind 2 and 3 a yes or no: six cases.
  private func draw(_ source: ChoiceSource) -> CaseRecord {
    let number = source.int(in: 0...3)
    let isOdd = number >= 2 && source.bool()
    return source.record(number == 3 && isOdd ? .fails(bucket: "odd") : .holds)
  }

  @Test func whatIsKnownIsNotDrawnAgain() {
    for seed in 0..<20 as Range<UInt64> {
      let tree = ChoiceTree()
      var seen: Set<[ChoiceValue]> = []
      var count = 0
      while !tree.isExhausted {
        let record = draw(
          ChoiceSource(
            prefix: [], beyond: .random(seed: seed &+ UInt64(count)), limits: ChoiceLimits(), isTelling: false,
            tree: tree))
        tree.insert(record)
        seen.insert(record.values)
        count += 1
        if count > 6 { break }
      }
      #expect(count == 6 && seen.count == 6)
    }
  }

  @Test func aKnownCaseNeedsNoExecution() {
    let tree = ChoiceTree()
    #expect(tree.simulate([], choicesMax: 9) == nil)
    for prefix: [ChoiceValue] in [[.int(0)], [.int(3), .bool(true)], [.int(3), .bool(false)]] {
      tree.insert(draw(ChoiceSource(prefix: prefix)))
    }
    #expect(tree.simulate([], choicesMax: 9) == .valid)
    #expect(tree.simulate([.int(99)], choicesMax: 9) == .valid)
    #expect(tree.simulate([.int(3), .bool(true), .int(4)], choicesMax: 9) == .interesting(bucket: "odd"))
    #expect(tree.simulate([.int(3)], choicesMax: 9) == .valid)
    #expect(tree.simulate([.int(3)], choicesMax: 1) == .overrun)
    #expect(tree.simulate([.int(2)], choicesMax: 9) == nil)
    #expect(!tree.isExhausted)
  }
}
