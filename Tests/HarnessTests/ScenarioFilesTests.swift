import Files
import Harness
import Scenarios
import TestSupport
import Testing

/// Every scenario that the project keeps, through the in-process door: those made to fail must fail.
@Suite struct ScenarioFilesTests {
  private static let folders = ["Scenarios", "Scenarios/cases"]

  /// The files, in order; a name that ends in "-convicted" promises a conviction, as the demonstration's control does.
  private static func files() throws -> [(path: String, verdict: Verdict)] {
    try folders.flatMap { folder in
      let names = try HostVolume(root: repositoryRoot).entries(of: BytePath(folder), countMax: 1000)
      return names.filter { $0.name.hasSuffix(".scn") }.map { entry in
        let isMadeToFail = entry.name.hasSuffix("-convicted.scn") || entry.name == "photo-never-synced.scn"
        return (path: "\(folder)/\(entry.name)", verdict: isMadeToFail ? Verdict.failed : .passed)
      }
    }
  }

  @Test func eachComesToItsVerdict() throws {
    let files = try ScenarioFilesTests.files()
    #expect(files.filter { $0.verdict == .failed }.count >= 6)
    for (path, verdict) in files {
      let bytes = try HostVolume(root: repositoryRoot).readWhole(BytePath(path), sizeMax: 1 << 20)
      let reading = ScenarioReading.read(bytes, file: path, vocabulary: .own)
      let scenario = try #require(reading.scenario, "\(reading.text)")
      let runner = ScenarioRunner { seed throws(HarnessError) in try Doors(.inProcess).makeDisk(seed: seed) }
      let report = runner.run(scenario)
      #expect(report.verdict == verdict, "\(path)\n\(report.text(again: path, kept: nil))")
    }
  }

  /// The control is convicted in at most six steps; with a store that syncs, the same steps pass.
  @Test func theControlIsShort() throws {
    for name in ["photo-never-synced.scn", "photo-synced.scn"] {
      let bytes = try HostVolume(root: repositoryRoot).readWhole(
        BytePath("Scenarios/\(name)"), sizeMax: 1 << 20)
      let scenario = try #require(ScenarioReading.read(bytes, file: name, vocabulary: .own).scenario)
      let steps = scenario.steps.filter { step in
        if case .expect = step.action { return false }
        return true
      }
      #expect(steps.count <= 6)
    }
  }
}
