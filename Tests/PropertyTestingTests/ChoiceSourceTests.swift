import Testing

@testable import PropertyTesting

@Suite struct ChoiceSourceTests {
  /// Something of each kind.
  private static func drawAll(_ source: ChoiceSource) -> CaseRecord {
    source.open("all")
    _ = source.int(in: -5...100_000)
    _ = source.bool(0.3)
    _ = source.float(in: -2...1000)
    _ = source.bytes(count: 0...40)
    _ = source.pick(weights: [1, 5, 2])
    var list = source.many(1...6)
    while list.next() { _ = source.int(in: 0...9) }
    source.close()
    return source.record(.holds)
  }

  @Test func sameSeedSameCase() {
    for seed in 0..<50 as Range<UInt64> {
      let one = ChoiceSourceTests.drawAll(ChoiceSource(beyond: .random(seed: seed)))
      let other = ChoiceSourceTests.drawAll(ChoiceSource(beyond: .random(seed: seed)))
      #expect(one.choices == other.choices && one.spans == other.spans)
      #expect(one.choices.allSatisfy { $0.constraint.permits($0.value) })
      let replay = ChoiceSourceTests.drawAll(ChoiceSource(prefix: one.values))
      #expect(replay.choices == one.choices && replay.firstMisaligned == nil)
    }
  }

  @Test func withoutAPrefixEverythingIsTheSimplest() {
    let record = ChoiceSourceTests.drawAll(ChoiceSource())
    #expect(
      record.values == [
        .int(0), .bool(false), .float(0), .bytes([]), .int(0), .bool(true), .int(0), .bool(false),
      ])
    #expect(record.spans.map(\.label) == ["all", "element", "element"])
    #expect(record.spans.map(\.range) == [0..<8, 5..<7, 7..<8])
    #expect(record.spans.map(\.parent) == [nil, 0, 0])
    #expect(record.spans.map(\.depth) == [0, 1, 1])
  }

  @Test func whatIsNotPermittedBecomesTheSimplest() {
    let source = ChoiceSource(prefix: [.int(3), .int(99), .bool(true), .int(4)])
    #expect(source.int(in: 0...9) == 3)
    #expect(source.int(in: 5...9) == 5)
    #expect(source.int(in: 0...9) == 0)
    #expect(source.int(in: 0...9) == 4)
    #expect(source.record(.holds).firstMisaligned == 1)
  }

  @Test func whatIsForcedStandsAgainstThePrefix() {
    let source = ChoiceSource(prefix: [.int(3), .bool(false), .int(4)])
    #expect(source.int(in: 0...9, forced: 7) == 7)
    #expect(source.bool(forced: true))
    #expect(source.int(in: 0...9) == 4)
    let record = source.record(.holds)
    #expect(record.choices.map(\.isForced) == [true, true, false])
    #expect(record.firstMisaligned == nil)
  }

  @Test func chanceMayEndAfterSomeChoices() {
    let source = ChoiceSource(beyond: .randomThenSimplest(seed: 1, choices: 3))
    let values = (0..<6).map { _ in source.int(in: 1...1_000_000) }
    #expect(values[3...] == [1, 1, 1])
    #expect(values[..<3].contains { $0 > 1 })
  }

  @Test func beyondALimitItIsAnOverrun() {
    let many = ChoiceSource(limits: ChoiceLimits(choicesMax: 3))
    for _ in 0..<3 { _ = many.bool() }
    #expect(!many.isOverrun)
    #expect(many.int(in: 4...9) == 4)
    #expect(many.isOverrun)
    #expect(many.record(.fails(bucket: "x")).status == .overrun)
    #expect(many.record(.holds).choices.count == 3)

    let deep = ChoiceSource(limits: ChoiceLimits(depthMax: 2))
    for _ in 0..<2 { deep.open("a") }
    #expect(!deep.isOverrun)
    deep.open("a")
    #expect(deep.isOverrun)

    let fat = ChoiceSource(limits: ChoiceLimits(bytesMax: 5))
    _ = fat.bytes(count: 5...5)
    #expect(!fat.isOverrun)
    _ = fat.bytes(count: 1...1)
    #expect(fat.isOverrun)
  }

  @Test func listsStayWithinTheirBounds() {
    for seed in 0..<200 as Range<UInt64> {
      let source = ChoiceSource(beyond: .random(seed: seed))
      var list = source.many(2...4)
      while list.next() { _ = source.bool() }
      #expect((2...4).contains(list.count))
    }
  }

  @Test func whatIsRejectedDoesNotCount() {
    let source = ChoiceSource(prefix: [.bool(true), .int(1), .bool(true), .int(2), .bool(false)])
    var list = source.many(0...5)
    var kept: [Int] = []
    while list.next() {
      let value = source.int(in: 0...9)
      if value == 1 { list.reject() } else { kept.append(value) }
    }
    #expect(kept == [2] && list.count == 1)
    #expect(source.record(.holds).spans.map(\.isDiscarded) == [true, false, false])
  }

  @Test func weightsAreFollowed() {
    let source = ChoiceSource(beyond: .random(seed: 5))
    var counts = [0, 0, 0]
    for _ in 0..<6000 { counts[source.pick(weights: [1, 4, 1])] += 1 }
    #expect(counts[1] > 3 * counts[0] && counts[1] > 3 * counts[2] && counts[0] > 500 && counts[2] > 500)
  }

  @Test func theLargestOfATargetCounts() {
    let source = ChoiceSource()
    source.target("size", 3)
    source.target("size", 2)
    source.target("age", .nan)
    #expect(source.record(.holds).targets == [CaseRecord.Target(name: "size", value: 3)])
  }
}
