import DamageCorpus
import Files
import TestSupport
import Testing

/// Every field of a page and every member of the two JSON files, changed in every way that there is.
///
/// What a disk changes, whose checksums do not fit any more, is always found; whatever it is, one repair ends it and
/// nothing that could be read is lost. A part in each `make test`; `LNOTE_EVERY_FIELD=1` tries all.
@Suite struct FieldMatrixTests {
  private static let isWhole = Host.environment("LNOTE_EVERY_FIELD") != nil
  private static let package = Bases.all["small"]
  private static let journal = ["journal", "page1", "add", "remove", "picture1"]

  /// Every field, verb and seal; or each 31st of them.
  static let steps: [[String]] = {
    guard let package else { return [] }
    let stage = DamageStage(package)
    var steps: [[String]] = []
    for page in ["page1", "page2"] {
      for name in PageLayout.names(in: bytes(page, of: stage)) {
        for verb in DamageVerb.allCases {
          steps += ["raw", "header", "sealed"].map { ["field", page, name, verb.rawValue, $0] }
        }
      }
    }
    var withJournal = stage
    _ = try? withJournal.follow(Recipe(steps: [journal]))
    for name in PageLayout.names(in: bytes("journal1", of: withJournal)) {
      for verb in DamageVerb.allCases {
        steps += ["raw", "header", "sealed"].map { ["field", "journal1", name, verb.rawValue, $0] }
      }
    }
    for file in ["document", "manifest"] {
      for path in RecordDamage.members(of: bytes(file, of: stage)) {
        for verb in RecordDamage.verbs {
          steps += RecordDamage.Seal.allCases.map { ["member", file, path, verb, $0.rawValue] }
        }
      }
    }
    return isWhole ? steps : stride(from: 0, to: steps.count, by: 31).map { steps[$0] }
  }()

  private static func bytes(_ file: String, of stage: DamageStage) -> [UInt8] {
    stage.path(of: file).flatMap { stage.tree.bytes(at: $0) } ?? []
  }

  @Test(arguments: (0..<8).map { share in stride(from: share, to: steps.count, by: 8).map { steps[$0] } })
  func everyChangeIsFoundAndRepaired(steps: [[String]]) throws {
    let package = try #require(FieldMatrixTests.package)
    for step in steps {
      let isOfJournal = step[1] == "journal1"
      let recipe = Recipe(steps: (isOfJournal ? [FieldMatrixTests.journal] : []) + [step])
      var stage = DamageStage(package)
      // What does not change the file is no damage: zeros in the place of zeros.
      guard (try? stage.follow(recipe)) != nil else { continue }
      let judge = try DamageJudge(stage, takesBack: false)
      #expect(judge.violations == [], "\(recipe)")
      if step.last == "raw" || step.last == "stale" {
        // A sound journal with changes is told too, as the one finding of its code.
        #expect(judge.first.found.contains { !isOfJournal || $0.kind.code != "LN6008" }, "\(recipe)")
      }
    }
  }

  @Test func theMatrixIsAsLargeAsItShouldBe() {
    #expect(FieldMatrixTests.steps.count > (FieldMatrixTests.isWhole ? 3000 : 100))
    #expect(Set(FieldMatrixTests.steps.map { $0[3] }) == Set(RecordDamage.verbs))
  }
}
