import Files
import Harness
import Scenarios
import TestSupport
import Testing

/// The cookbook's scenarios run as they stand, and pass.
@Suite struct CookbookTests {
  private static func recipes() throws -> [String] {
    let bytes = try HostVolume(root: repositoryRoot).readWhole("Docs/scenarios/cookbook.md", sizeMax: 1 << 20)
    var recipes: [String] = []
    var rest = String(decoding: bytes, as: UTF8.self)[...]
    while let open = rest.firstRange(of: "```scn\n"), let close = rest[open.upperBound...].firstRange(of: "```\n") {
      recipes.append(String(rest[open.upperBound..<close.lowerBound]))
      rest = rest[close.upperBound...]
    }
    return recipes
  }

  @Test func eachPasses() throws {
    let recipes = try CookbookTests.recipes()
    #expect(recipes.count == 9)
    for text in recipes {
      guard case .formatted(text) = FormattedScenario.format(Array(text.utf8), file: "cookbook") else {
        Issue.record("not in its usual shape: \(text)")
        continue
      }
      let reading = ScenarioReading.read(Array(text.utf8), file: "cookbook", vocabulary: .own)
      let scenario = try #require(reading.scenario, "\(reading.text)")
      #expect(reading.text == "")
      let runner = ScenarioRunner { seed throws(HarnessError) in try Doors(.inProcess).makeDisk(seed: seed) }
      let report =
        reading.random.map { RandomRun($0, seed: 7, casesMax: nil, runner: runner).run() } ?? runner.run(scenario)
      #expect(report.verdict == .passed, "\(report.text(again: "", kept: nil))")
    }
  }
}
