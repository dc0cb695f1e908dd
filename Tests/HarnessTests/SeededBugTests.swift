import Files
import Harness
import LNoteStore
import Scenarios
import TestSupport
import Testing

/// Each seeded bug of the store has its row in the page about them, and what the row says is so.
///
/// Crashes under the models that a row claims in `make test`; with `LNOTE_EVERY_STEP` set each bug under all of them.
@Suite struct SeededBugTests {
  private static let isWhole = Host.environment("LNOTE_EVERY_STEP") != nil

  /// Models that are tried, the strictest first.
  private static let models = ["strict", "ext4-ordered", "xfs", "btrfs", "posix-weakest"]

  private struct Row {
    let name: String
    let sentence: String
    let file: String
    let takes: String

    /// The strictest model whose crashes convict; nil where it takes no crash, or more than one.
    var model: String? { takes.hasPrefix("a crash: ") ? String(takes.dropFirst("a crash: ".count)) : nil }
  }

  private static func rows() throws -> [Row] {
    let page = try text("Docs/inside/seeded-bugs.md")
    return page.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { line in
      let cells = line.split(separator: "|").map { trimmed($0) }
      return Row(
        name: cells[0].replacing("`", with: ""), sentence: cells[1], file: cells[2].replacing("`", with: ""),
        takes: cells[3])
    }
  }

  private static func text(_ path: BytePath) throws -> String {
    String(decoding: try HostVolume(root: repositoryRoot).readWhole(path, sizeMax: 1 << 20), as: UTF8.self)
  }

  private static func scenario(_ text: String, file: String) throws -> CheckedScenario {
    let reading = ScenarioReading.read(Array(text.utf8), file: file, vocabulary: .own)
    return try #require(reading.scenario, "\(reading.text)")
  }

  @Test func eachHasARow() throws {
    let rows = try Self.rows()
    #expect(rows.map(\.name) == StoreMutant.all.map(\.name))
    #expect(rows.map(\.sentence) == StoreMutant.all.map(\.sentence))
    #expect(rows.count >= 24)
  }

  /// What convicts it is short, is about this bug, and needs what the row says.
  @Test func eachFileIsAboutItsBug() throws {
    for row in try Self.rows() {
      #expect(row.file.hasSuffix("-convicted.scn"))
      let text = try Self.text(BytePath("Scenarios/" + row.file))
      let scenario = try Self.scenario(text, file: row.file)
      #expect(scenario.settings.mutant == row.name)
      #expect(Self.steps(in: text).count <= 8, "\(row.file)")
      #expect(row.takes.split(separator: ":").first.map(String.init) == Self.need(of: text), "\(row.file)")
    }
  }

  /// Beside it stands the same without the bug; that it passes, `ScenarioFilesTests` sees.
  @Test func eachHasAPairThatDiffersInNothingElse() throws {
    for row in try Self.rows() where row.file.hasPrefix("mutants/") {
      #expect(row.file == "mutants/\(row.name)-convicted.scn")
      let convicted = try Self.text(BytePath("Scenarios/" + row.file))
      let pair = try Self.text(BytePath("Scenarios/mutants/\(row.name).scn"))
      let bare = Self.statements(in: convicted)
      #expect(bare.filter { $0 != "mutant \(row.name); tags control" } == Self.statements(in: pair))
      #expect(bare.contains("mutant \(row.name); tags control"))
    }
    let names = try HostVolume(root: repositoryRoot).entries(of: "Scenarios/mutants", countMax: 1000).map(\.name)
    let own = try Self.rows().filter { $0.file.hasPrefix("mutants/") }
    #expect(names.count == 2 * own.count)
  }

  /// The first model that convicts is the one of the row; without the bug none does.
  @Test func crashesConvictUnderTheModelOfTheRow() throws {
    let rows = try Self.rows()
    #expect(rows.filter { $0.model != nil }.count >= 9)
    for row in rows {
      let models = Self.isWhole ? Self.models : Self.models(upTo: row.model)
      if models.isEmpty { continue }
      let failing = try Self.failingModels(of: StoreMutant(rawValue: row.name), models)
      // With no fault at all anything convicts; whether crashes do, too, is no question.
      if row.takes == "nothing" { continue }
      let isTried = row.model.map(models.contains) ?? false
      #expect(failing.first == (isTried ? row.model : nil), "\(row.name): \(failing)")
    }
    #expect(try Self.failingModels(of: nil, Self.isWhole ? Self.models : ["strict", "ext4-ordered"]) == [])
  }

  /// Those with few states: the weakest model has thousands, and its power cut is in the bug's own file.
  private static func models(upTo model: String?) -> [String] {
    guard let last = models.firstIndex(where: { $0 == model }) else { return [] }
    return Array(models[...last].filter { $0 != "posix-weakest" })
  }

  private static func failingModels(of mutant: StoreMutant?, _ models: [String]) throws -> [String] {
    var scenario = try scenario(try text("Scenarios/every-crash-save.scn"), file: "every-crash-save.scn")
    scenario.settings.mutant = mutant?.name
    scenario.settings.models = models
    let runner = ScenarioRunner { seed throws(HarnessError) in try Doors(.inProcess).makeDisk(seed: seed) }
    let report = runner.run(scenario)
    guard let sweep = report.cases.first?.sweep else { return ["no crash"] }
    return sweep.models.filter { $0.failing > 0 }.map(\.name)
  }

  // MARK: The words of a file

  private static func trimmed(_ text: Substring) -> String { text.split(separator: " ").joined(separator: " ") }

  private static func statements(in text: String) -> [String] {
    text.split(separator: "\n").filter { !$0.hasPrefix("#") && !$0.hasPrefix("scenario ") }
      .map { trimmed($0.prefix { $0 != "#" }) }
  }

  private static func steps(in text: String) -> [String] {
    let others = ["mutant ", "model ", "document ", "expect ", "remember ", "}", "check {"]
    return statements(in: text).filter { line in !others.contains { line.hasPrefix($0) } }
  }

  private static func need(of text: String) -> String {
    let steps = steps(in: text)
    func has(_ word: String) -> Bool { steps.contains { $0.hasPrefix(word) } }
    if has("with ") { return "a fault" }
    if has("power-cut") || has("for each crash") { return "a crash" }
    return has("kill") ? "a kill" : "nothing"
  }
}
