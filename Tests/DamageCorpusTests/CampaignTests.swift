import DamageCorpus
import Files
import TestSupport
import Testing

/// Sound documents drawn at random are found to be sound; damaged at random they are repaired in one run, nothing that
/// could be read is lost, and all of it can be taken back.
///
/// `LNOTE_DAMAGE_TRIES` says how many, `LNOTE_DAMAGE_SEED` with which one to begin. What fails names its seed; with it
/// and one try it comes again.
@Suite struct CampaignTests {
  static let tries = Host.environment("LNOTE_DAMAGE_TRIES").flatMap(Int.init)
  static let seed = Host.environment("LNOTE_DAMAGE_SEED").flatMap(UInt64.init) ?? 1

  /// A few at a time, so that all processors have work.
  private static func seeds(atMost count: Int) -> [Range<UInt64>] {
    let end = seed + UInt64(tries ?? count)
    return stride(from: seed, to: end, by: 10).map { $0..<min($0 + 10, end) }
  }

  @Test(arguments: seeds(atMost: 50)) func soundDocumentsAreSound(seeds: Range<UInt64>) throws {
    for seed in seeds {
      let stage = DamageStage(SoundPackage(drawn: seed))
      let library = try DamagedLibrary(stage)
      let before = try library.look().things
      let run = library.run()
      #expect(Set(run.found.map(\.kind.code)) == stage.package.notes, "seed \(seed)")
      #expect(run.found.allSatisfy { $0.repairClass == .report }, "seed \(seed)")
      #expect(run.exit.rawValue == 0 && run.actions.isEmpty, "seed \(seed)")
      #expect(try library.look().things == before, "seed \(seed)")
    }
  }

  /// The same where pages have journals: no change of theirs is lost, and none counts as merged that is not.
  @Test(arguments: seeds(atMost: 120)) func anyDamageBesideJournalsLeavesTheirChanges(seeds: Range<UInt64>) throws {
    for seed in seeds {
      let (recipe, stage) = RandomRecipe.damageBesideJournals(seed: seed)
      let judge = try DamageJudge(stage, takesBack: seed.isMultiple(of: 8))
      #expect(judge.violations == [], "seed \(seed): \(recipe)")
    }
  }

  @Test(arguments: seeds(atMost: 120)) func anyDamageIsRepairedInOneRun(seeds: Range<UInt64>) throws {
    for seed in seeds {
      let (recipe, stage) = RandomRecipe.damage(seed: seed)
      let judge = try DamageJudge(stage, takesBack: seed.isMultiple(of: 8))
      #expect(judge.violations == [], "seed \(seed): \(recipe)")
    }
  }
}
