import CrashModel
import Harness
import Scenarios
import Testing

/// The syncs that a report proposes are those of the store that syncs, where the disk needs each of them.
@Suite struct SweepFixTests {
  private static func fix(_ durability: String, _ model: String) throws -> [String]? {
    let steps = """
      document "Trip" { page p1 strokes 2 points 20 }
      for each crash in { stroke p1 points 9; background }
      check { reopen; expect document loads; expect p1 at-least last-durable; repair; expect fsck clean }
      """
    let report = try CrashSweepTests.run(steps, settings: "durability \(durability)\nmodel \(model)")
    let sweep = try #require(report.cases[0].sweep)
    #expect((sweep.failing > 0) == (report.verdict == .failed))
    if let fix = sweep.fix { #expect(report.text(again: "", kept: nil).contains("  fix: \(fix.text)\n")) }
    return sweep.fix?.syncs.map { "\($0.subject) behind \($0.behind)" }
  }

  /// A store that syncs files and not directories lacks what the whole store does besides, where names need it.
  ///
  /// The manifest's own sync is not among them: a repair makes the manifest anew.
  @Test func aStoreThatSyncsFilesLacksTheDirectories() throws {
    #expect(
      try Self.fix("file", "posix-weakest") == [
        "the directory trip.lnote/pages behind rename of page p1",
        "the directory trip.lnote behind rename of document",
      ])
    // Here an fsync of a file keeps its name, and those given before.
    for model in ["ext4-ordered", "btrfs"] { #expect(try Self.fix("file", model) == nil) }
  }

  /// On file systems with a journal the two syncs of files suffice; the second keeps the name of the first.
  @Test(arguments: ["ext4-ordered", "xfs", "btrfs"]) func aStoreThatNeverSyncs(_ model: String) throws {
    #expect(
      try Self.fix("none", model) == ["page p1 behind write of page p1", "document behind write of document"])
  }

  @Test func aStoreThatSyncsNeedsNone() throws { #expect(try Self.fix("full", "posix-weakest") == nil) }
}
