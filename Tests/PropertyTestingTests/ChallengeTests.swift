import Files
import Testing

@testable import PropertyTesting

/// Examples of the shrinking challenge, with the smallest case that each has to come to.
@Suite struct ChallengeTests {
  private static let isWhole = Host.environment("LNOTE_EVERY_SEED") == "1"
  private static let seedCount: UInt64 = isWhole ? 100 : 8

  /// Every seed finds it and comes to the same text.
  private func expect(_ property: Property, _ normalForm: String) {
    var executions: [Int] = []
    for seed in 0..<ChallengeTests.seedCount {
      var settings = SearchSettings()
      settings.seed = seed
      settings.executionsMax = 5000
      settings.furtherExecutions = 0
      settings.findsWanted = 1
      var search = Search(property, settings)
      let failure = search.run().failures.first
      #expect(failure?.record.told == [normalForm], "seed \(seed)")
      executions += failure?.shrinkExecutions ?? []
    }
    if ChallengeTests.isWhole {
      print(
        "\(property.name): \(executions.reduce(0, +) / max(executions.count, 1)) executions on average to make it small"
      )
    }
  }

  @Test func bound5() { expect(Challenges.bound5, "[[], [], [], [-1], [-32768]]") }
  @Test func largeUnionList() { expect(Challenges.largeUnionList, "[[0, 1, -1, 2, -2]]") }
  @Test func lengthList() { expect(Challenges.lengthList, "[900]") }
  @Test func reverse() { expect(Challenges.reverse, "[0, 1]") }
  @Test func calculator() { expect(Challenges.calculator, "(0 / (0 + 0))") }
}
