import DamageCorpus
import Files
import JSON
import LNoteFsck
import TestSupport
import Testing

/// Every named damage ends as it is written down, and keeps every promise.
///
/// `LNOTE_WRITE_EXPECTED=1` writes what is expected anew, from what happens: read the difference before you believe it.
@Suite struct DamageCaseTests {
  private static let writes = Host.environment("LNOTE_WRITE_EXPECTED") == "1"

  @Test(.enabled(if: !writes), arguments: DamageCase.all) func itEndsAsExpected(row: DamageCase) throws {
    let stage = try row.stage()
    let judge = try DamageJudge(stage, takesBack: true)
    #expect(judge.violations == [], "\(row.recipe)")
    let outcome = row.outcome(judge, stage)
    let expected = try #require(DamageCase.expected[row.name], "nothing is expected of \(row.name)")
    let (seen, wanted) = (String(decoding: outcome.serialized(), as: UTF8.self), expected.serialized())
    #expect(seen == String(decoding: wanted, as: UTF8.self))
  }

  @Test(.enabled(if: writes)) func whatHappensIsWrittenDown() throws {
    var lines: [UInt8] = []
    for row in DamageCase.all {
      do {
        let stage = try row.stage()
        let judge = try DamageJudge(stage, takesBack: true)
        #expect(judge.violations == [], "\(row.name): \(row.recipe)")
        lines += JSONLines.line(row.outcome(judge, stage))
      } catch {
        Issue.record("\(row.name): \(error)")
      }
    }
    let host = try HostVolume(root: DamageCase.folder)
    let name: BytePath = "expected.jsonl"
    if (try? host.status(at: name)) != nil { try host.unlink(name) }
    try host.make(name, lines, permissions: 0o644)
  }

  @Test func eachCaseHasANameAndAnExpectationOfItsOwn() {
    let names = DamageCase.all.map(\.name)
    #expect(names.count >= 250)
    #expect(Set(names).count == names.count)
    #expect(Set(DamageCase.all.map { "\($0.base) \($0.recipe)" }).count == names.count)
    #expect(Set(DamageCase.expected.keys) == Set(names))
  }

  /// Only what is named "silent" may be found to be nothing.
  @Test func eachCaseIsFoundOrSaysThatItIsNone() throws {
    for row in DamageCase.all {
      let found = DamageCase.expected[row.name]?["first"]?["found"]?.array ?? []
      #expect(found.isEmpty == row.name.hasPrefix("silent: "), "\(row.name)")
    }
  }

  /// Found only where every image is decoded, which these runs do not do; `LevelTests` has them.
  static let deepOnly: Set = ["LN4004", "LN4007", "LN4008"]

  /// What no recipe makes: links from outside, other disks, holes. `SurroundingsTests` and its damages have them.
  static let surroundings: Set = ["LN0008", "LN0009", "LN0012", "LN1004", "LN1205"]

  @Test func everyCodeHasTwoCases() {
    var counts: [String: Int] = [:]
    for line in DamageCase.expected.values {
      let runs = ["first", "second"].compactMap { line[$0] }
      let told = runs.flatMap { run in ["found", "left"].flatMap { run[$0]?.array ?? [] } }
      for code in Set(told.compactMap { $0.string?.prefix(6) }) { counts[String(code), default: 0] += 1 }
    }
    let codes = Set(ProblemKind.all.map(\.code))
    #expect(codes.filter { counts[$0, default: 0] < 2 } == DamageCaseTests.deepOnly.union(DamageCaseTests.surroundings))
  }

  static let impossible = [
    "spoil page1", "remove page9", "cut page1 100000", "flip page1 100000 0", "member document pages.9 drop",
    "field page1 frame9.length zero", "field page1 flags zero", "drop-frame page3 1", "zero page1 12 4",
    "exchange page1 page1",
  ]

  /// A recipe that does nothing is a mistake in the recipe.
  @Test(arguments: impossible) func aRecipeThatDoesNothingIsNoticed(recipe: String) throws {
    var stage = DamageStage(try #require(Bases.all["small"]))
    #expect(throws: RecipeError.self) { try stage.follow(Recipe(recipe)) }
  }
}
