import Exploring
import Testing

@Suite struct FailureClassTests {
  private func failure(
    _ entry: Int, _ line: String, _ losses: Set<String>, status: Int = 1, models: [Int] = [0]
  ) -> Failure {
    Failure(
      entry: entry, models: models, moment: UInt64(entry), outputCount: 0,
      outcome: Outcome(.failing("exit status \(status)"), output: Array("\n \n\(line)\nmore \(entry)\n".utf8)),
      losses: losses)
  }

  @Test func nothingIsNoClass() { #expect(FailureClass.all(of: []).isEmpty) }

  @Test func theSmallestLossStandsForThoseThatLoseMore() {
    let found = FailureClass.all(of: [
      failure(1, "empty", ["a", "b"]), failure(2, "empty", ["a"], models: [1]), failure(3, "empty", ["a", "c"]),
      failure(4, "empty", ["a", "b"]),
    ])
    #expect(found.map(\.example.entry) == [2])
    #expect(found.first?.entries == [1, 2, 3, 4])
    #expect(found.first?.models == [0, 1])
    #expect(found.first?.lossSetCount == 3)
  }

  @Test func whatSaysOrEndsOrLosesOtherwiseIsAnotherClass() {
    let found = FailureClass.all(of: [
      failure(1, "empty", ["a"]), failure(2, "zeros", ["a"]), failure(3, "empty", ["b"]),
      failure(4, "empty", ["a"], status: 2),
    ])
    #expect(found.map(\.example.entry) == [1, 2, 3, 4])
    #expect(found.allSatisfy { $0.lossSetCount == 1 && $0.entries.count == 1 })
  }

  @Test func theFirstLineIsTheFirstThatSaysSomething() {
    #expect(failure(1, "  x", []).outcome.firstLine == "  x")
    #expect(Outcome(.good).firstLine == "")
  }
}
