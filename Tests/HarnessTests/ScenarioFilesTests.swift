import Files
import Harness
import Scenarios
import TestSupport
import Testing

/// Every scenario that the project keeps, through the in-process door: those made to fail must fail.
@Suite struct ScenarioFilesTests {
  /// The folders of scenarios about the note store; those about other programs need a mount.
  private static let folders = [
    "Scenarios", "Scenarios/cases", "Scenarios/cloud", "Scenarios/device", "Scenarios/disk", "Scenarios/library",
    "Scenarios/mutants", "Scenarios/photo", "Scenarios/repair", "Scenarios/save",
  ]

  /// The paths of the scenarios in a folder.
  private static func files(in folder: String) throws -> [String] {
    try HostVolume(root: repositoryRoot).entries(of: BytePath(folder), countMax: 1000)
      .filter { $0.name.hasSuffix(".scn") }.map { "\(folder)/\($0.name)" }
  }

  private static func bytes(of path: String) throws -> [UInt8] {
    try HostVolume(root: repositoryRoot).readWhole(BytePath(path), sizeMax: 1 << 20)
  }

  /// What a file promises by its tags: a conviction, as the demonstration's control does, or a pass.
  private static func promised(_ scenario: CheckedScenario) -> Verdict {
    scenario.settings.tags.contains("control") ? .failed : .passed
  }

  @Test(arguments: folders) func eachComesToItsVerdict(_ folder: String) throws {
    let files = try ScenarioFilesTests.files(in: folder)
    #expect(files.count >= 3)
    for path in files {
      let bytes = try ScenarioFilesTests.bytes(of: path)
      let reading = ScenarioReading.read(bytes, file: path, vocabulary: .own)
      let scenario = try #require(reading.scenario, "\(reading.text)")
      // A name that promises a conviction says so to whoever runs all files, too.
      if path.hasSuffix("-convicted.scn") { #expect(ScenarioFilesTests.promised(scenario) == .failed, "\(path)") }
      let runner = ScenarioRunner { seed throws(HarnessError) in try Doors(.inProcess).makeDisk(seed: seed) }
      let report = runner.run(scenario)
      #expect(
        report.verdict == ScenarioFilesTests.promised(scenario),
        "\(path)\n\(report.text(again: path, kept: nil))")
      // A control fails because of the store and the disk, and not because nothing happened.
      #expect(!report.text(again: path, kept: nil).contains("never fired"), "\(path)")
      let promised = ScenarioFilesTests.line(saying: "# FAILS", in: String(decoding: bytes, as: UTF8.self))
      if let promised { #expect(ScenarioFilesTests.failingLine(of: report) == promised, "\(path)") }
    }
  }

  private static func line(saying words: String, in text: String) -> Int? {
    text.split(separator: "\n", omittingEmptySubsequences: false).firstIndex { $0.contains(words) }.map { $0 + 1 }
  }

  /// The first line that does not hold; in a sweep that of the first example.
  private static func failingLine(of report: ScenarioReport) -> Int? {
    let convicted = report.cases.first { $0.verdict == .failed }
    let lines = convicted?.sweep?.classes.first?.example.lines ?? convicted?.lines
    return lines?.first { !$0.holds }?.line
  }

  /// Every folder is looked at, every file has its usual shape and begins with a comment that says what it shows.
  @Test func eachSaysWhatItShows() throws {
    let entries = try HostVolume(root: repositoryRoot).entries(of: "Scenarios", countMax: 1000)
    let folders = entries.filter { $0.kind == .directory }.map { "Scenarios/\($0.name)" }
    #expect(
      Set(folders).subtracting(ScenarioFilesTests.folders).subtracting(["Scenarios/regressions"])
        == ["Scenarios/programs"])
    let files = try (ScenarioFilesTests.folders + ["Scenarios/programs"])
      .flatMap { try ScenarioFilesTests.files(in: $0) }
    #expect(files.count >= 50)
    for path in files {
      let bytes = try ScenarioFilesTests.bytes(of: path)
      guard case .formatted(let text) = FormattedScenario.format(bytes, file: path) else {
        Issue.record("\(path) cannot be read")
        continue
      }
      #expect(Array(text.utf8) == bytes, "\(path) is not in its usual shape")
      let comment = text.split(separator: "\n").dropFirst().first ?? ""
      let begins = ["# Shows", "# Must fail", "# The control: "].contains { comment.hasPrefix($0) }
      #expect(begins, "\(path): \(comment)")
    }
  }

  /// The guide's table names every file but the cases and the seeded bugs, and no other.
  @Test func theGuideNamesThem() throws {
    let guide = String(decoding: try ScenarioFilesTests.bytes(of: "Docs/scenarios/README.md"), as: UTF8.self)
    let rows = guide.split(separator: "\n").compactMap { line -> String? in
      guard line.hasPrefix("| `"), line.dropFirst(3).contains("`") else { return nil }
      return String(line.dropFirst(3).prefix { $0 != "`" })
    }
    let files = try (ScenarioFilesTests.folders + ["Scenarios/programs"])
      .filter { !["Scenarios/cases", "Scenarios/mutants"].contains($0) }
      .flatMap { try ScenarioFilesTests.files(in: $0) }
      .map { String($0.dropFirst("Scenarios/".count)) }
    #expect(rows.filter { $0.hasSuffix(".scn") }.sorted() == files.sorted())
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
