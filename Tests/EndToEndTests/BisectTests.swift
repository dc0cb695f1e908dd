import Files
import Processes
import TestSupport
import Testing

/// `lnote-nightly bisect` on a history of four commits, of which the third puts a bug into the store.
@Suite struct BisectTests {
  private static let scenario = """
    scenario v1 "cut in front of the first write"
    document "Diary" { page p1 strokes 20 points 50 }
    power-cut keep-all on write of page p1 before {
      stroke p1 points 60
      background
    }
    reopen
    expect fsck no-loss
    """

  private func git(_ words: [String], in workshop: Workshop) throws -> String {
    var launch = workshop.wrapped(Launch("git", words))
    launch.environment += [
      ("GIT_AUTHOR_NAME", "a"), ("GIT_AUTHOR_EMAIL", "a@example.org"), ("GIT_COMMITTER_NAME", "a"),
      ("GIT_COMMITTER_EMAIL", "a@example.org"), ("GIT_CONFIG_GLOBAL", "/dev/null"),
    ]
    let result = try launch.run(limitMilliseconds: Workshop.millisecondsMax)
    #expect(result.ending.isSuccess, "\(words): \(result.errorText)")
    return result.outputText
  }

  /// A store whose driver is the real one, with or without a seeded bug.
  private func commit(_ name: String, mutant: String?, in workshop: Workshop) throws {
    let driver = try builtProgram("lnote-driver")
    let bug = mutant.map { "\"mutant\":\"\($0)\"" } ?? "\"mutant\":null"
    let text = "#!/bin/sh\n# \(name)\nsed -u 's/\"mutant\":null/\(bug)/' | '\(driver)' \"$@\"\n"
    let volume = try workshop.volume()
    try? volume.unlink("driver")
    try volume.make("driver", text: text)
    _ = try git(["add", "driver"], in: workshop)
    _ = try git(["commit", "-q", "-m", name], in: workshop)
  }

  @Test(.enabled(if: FuseHere.isUsable)) func findsTheChange() throws {
    let workshop = try Workshop()
    _ = try git(["init", "-q", "."], in: workshop)
    for (name, mutant) in [
      ("first", nil), ("second", nil), ("an edit too far", "overwrite-in-place"), ("last", "overwrite-in-place"),
    ] { try commit(name, mutant: mutant, in: workshop) }
    try workshop.volume().make("case.scn", text: Self.scenario)
    let build = "mkdir -p .build/release && install -m 755 driver .build/release/lnote-driver"
    func bisect(_ words: String...) throws -> ProgramResult {
      try workshop.run("lnote-nightly", ["bisect", "--build-command", build] + words)
    }
    let found = try bisect("case.scn", "HEAD~3")
    #expect(found.ending == .exited(0), "\(found.errorText)")
    #expect(found.outputText.hasPrefix("First fails at ") && found.outputText.hasSuffix(" an edit too far\n"))
    // Nothing of it stays in the history or beside it.
    #expect(try git(["worktree", "list"], in: workshop).split(separator: "\n").count == 1)
    #expect(try workshop.leftBehind() == [])
    // What cannot be built says nothing.
    let unbuilt = try workshop.run("lnote-nightly", ["bisect", "--build-command", "false", "case.scn", "HEAD~3"])
    #expect(unbuilt.ending == .exited(3), "\(unbuilt.outputText)")
    let nothing = try bisect("case.scn", "no-such-commit")
    #expect(nothing.ending == .exited(2))
    #expect(try bisect("none.scn", "HEAD~3").ending == .exited(2))
  }
}
