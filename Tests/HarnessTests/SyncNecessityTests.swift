import CrashModel
import Files
import Harness
import Scenarios
import TestSupport
import Testing

/// Each sync of the store is needed: without it some crash state breaks a promise.
///
/// One save in `make test`; with `LNOTE_EVERY_SYNC` set all of them, and each sync behind the next operation, too.
@Suite struct SyncNecessityTests {
  /// From the disks that people have to the weakest; the first that convicts is enough.
  private static let models = ["ext4-ordered", "xfs", "btrfs", "posix-weakest"]
  private static let isWhole = Host.environment("LNOTE_EVERY_SYNC") != nil

  struct Outcome {
    /// What the sync is about.
    var path: BytePath
    /// The model under which it is missed.
    var model: String?
  }

  private static func outcome(_ save: (before: String, steps: String), _ edit: SyncEdit) throws -> Outcome? {
    var path: BytePath?
    for model in models {
      let text = """
        \(StoreCrashProofTests.document)
        \(save.before)
        for each crash in { \(save.steps) }
        \(StoreCrashProofTests.check)
        """
      let report = try CrashSweepTests.run(text, settings: "model \(model)", statesMax: 100, edit: edit)
      guard let sweep = report.cases.first?.sweep else { return nil }
      path = sweep.editedPath
      if sweep.failing > 0 { return Outcome(path: path ?? .root, model: model) }
    }
    return path.map { Outcome(path: $0, model: nil) }
  }

  private static func outcomes(
    _ save: (before: String, steps: String), _ kind: SyncEdit.Kind
  ) throws -> [Outcome] {
    var outcomes: [Outcome] = []
    while let outcome = try outcome(save, SyncEdit(kind, outcomes.count)) { outcomes.append(outcome) }
    return outcomes
  }

  /// What no crash state misses: the manifest, which is made anew from the document, and the sync of the pages in front
  /// of a cleaning. The cleaner cannot know that their names are durable already, as they are in this session.
  private static func isHarmless(_ path: BytePath, _ index: Int, of save: Int) -> Bool {
    path.name.hasPrefix(".manifest") || save == 4 && index == 5 && path.name == "pages"
  }

  @Test(arguments: isWhole ? Array(StoreCrashProofTests.saves.indices) : [0])
  func noSyncCanBeLeftOut(_ place: Int) throws {
    let outcomes = try Self.outcomes(StoreCrashProofTests.saves[place], .dropped)
    #expect(outcomes.count >= 5)
    for (index, outcome) in outcomes.enumerated() {
      #expect(
        (outcome.model != nil) != Self.isHarmless(outcome.path, index, of: place),
        "sync \(index + 1), of \(outcome.path): \(outcome.model ?? "no model") misses it")
    }
  }

  /// Of the syncs of files, one that comes behind the rename is as bad as none.
  @Test(arguments: isWhole ? Array(StoreCrashProofTests.saves.indices) : [0])
  func aSyncBehindTheRenameIsTooLate(_ place: Int) throws {
    let outcomes = try Self.outcomes(StoreCrashProofTests.saves[place], .postponed)
    #expect(outcomes.contains { $0.model == "ext4-ordered" })
    if Self.isWhole {
      for (index, outcome) in outcomes.enumerated() {
        print("save \(place), sync \(index + 1) postponed, \(outcome.path): \(outcome.model ?? "harmless")")
      }
    }
  }
}
