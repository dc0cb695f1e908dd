import Testing

@testable import PropertyTesting

@Suite struct ChoiceTests {
  @Test func choicesAreSmall() { #expect(MemoryLayout<Choice>.stride <= 48) }

  /// Constraints with their values from the simplest on.
  static let orders: [(Constraint, [Int])] = [
    (.int(low: -2, high: 5, origin: 0), [0, 1, -1, 2, -2, 3, 4, 5]),
    (.int(low: -5, high: 1, origin: 0), [0, 1, -1, -2, -3, -4, -5]),
    (.int(low: 3, high: 6, origin: 3), [3, 4, 5, 6]),
    (.int(low: 3, high: 6, origin: 6), [6, 5, 4, 3]),
    (.int(low: 7, high: 7, origin: 7), [7]),
  ]

  @Test(arguments: orders) func ranksOfIntsAreTheirPlaces(constraint: Constraint, values: [Int]) {
    #expect(values.map { constraint.rank(of: .int($0)) } == (0..<values.count).map(UInt64.init))
    #expect(constraint.count == values.count)
    #expect(constraint.simplest == .int(values[0]))
  }

  @Test func theWidestIntsHaveRanks() {
    let constraint = Constraint.int(low: .min, high: .max, origin: 0)
    #expect(constraint.rank(of: .int(.min)) == .max)
    #expect(constraint.rank(of: .int(.max)) == UInt64.max - 2)
    #expect(constraint.count == nil)
  }

  @Test func floatsThatLookSimpleAreSimple() {
    let values = [0, 1, -1, 2, 3, 1000, 1.5, 1.25, 1.75, 2.5, 0.5, 0.75, 0.25, 0.1, -0.1]
    let ranks = values.map(FloatRank.rank)
    #expect(ranks == ranks.sorted())
    #expect(Set(ranks).count == ranks.count)
  }

  @Test(arguments: [
    (-1.0, 1.0, 0.0), (0.3, 9, 1), (-9, -2.5, -3), (0.3, 0.4, 0.375), (2, 2, 2), (-0.26, -0.24, -0.25),
    (.leastNonzeroMagnitude, .leastNonzeroMagnitude, .leastNonzeroMagnitude),
  ])
  func simplestFloats(low: Double, high: Double, simplest: Double) {
    #expect(Constraint.float(low: low, high: high).simplest == .float(simplest))
  }

  @Test func whatIsPermitted() {
    #expect(!Constraint.bool(chance: 0).permits(.bool(true)))
    #expect(!Constraint.bool(chance: 1).permits(.bool(false)))
    #expect(Constraint.bool(chance: 1).simplest == .bool(true))
    #expect(!Constraint.int(low: 1, high: 2, origin: 1).permits(.int(0)))
    #expect(!Constraint.int(low: 1, high: 2, origin: 1).permits(.bool(true)))
    #expect(!Constraint.float(low: -1, high: 1).permits(.float(-0.0)))
    #expect(!Constraint.float(low: -1, high: 1).permits(.float(.nan)))
    #expect(!Constraint.bytes(fewest: 1, most: 2).permits(.bytes([])))
    #expect(Constraint.bytes(fewest: 1, most: 2).permits(.bytes([7, 7])))
  }

  @Test func fewerChoicesAreSimplerThanSimplerChoices() {
    let small = Choice(.int(0), of: .int(low: 0, high: 9, origin: 0))
    let large = Choice(.int(9), of: .int(low: 0, high: 9, origin: 0))
    #expect(Shortlex.isSimpler([large], than: [small, small]))
    #expect(Shortlex.isSimpler([small, large], than: [large, small]))
    #expect(!Shortlex.isSimpler([small], than: [small]))
    let bytes = Constraint.bytes(fewest: 0, most: 3)
    #expect(Shortlex.isSimpler([Choice(.bytes([9]), of: bytes)], than: [Choice(.bytes([0, 0]), of: bytes)]))
    #expect(Shortlex.isSimpler([Choice(.bytes([1, 9]), of: bytes)], than: [Choice(.bytes([2, 0]), of: bytes)]))
  }
}
