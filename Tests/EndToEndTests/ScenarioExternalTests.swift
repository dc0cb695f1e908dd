import Files
import Processes
import TestSupport
import Testing

extension MountTests {
  /// Scenarios about other programs, on real mounts.
  @Suite struct ScenarioExternalTests {
    private static func scenario(save: String) -> String {
      """
      scenario v1 "a file that is replaced"
      store external
      model ext4-ordered
      exec "echo old >a"
      for each crash in {
        exec "\(save)"
      }
      check {
        exec "grep -q -e old -e new a"
        expect exit 0
        exec "test -e nothing"
        expect exit 1
      }

      """
    }

    @Test(arguments: [
      ("echo new >t; mv t a", 1, "FAIL"), ("echo new >t; sync t; mv t a", 0, "none fails"),
      ("exit 3", 4, "line 6: exit status 3, expected 0"),
    ]) func everyCrashIsJudged(save: String, status: Int, said: String) throws {
      let workshop = try Workshop()
      try workshop.volume().make("a.scn", text: Self.scenario(save: save))
      let result = try workshop.run("lnote-scenario", ["run", "a.scn"])
      #expect(result.ending == .exited(status), "\(result.outputText)\(result.errorText)")
      #expect((result.outputText + result.errorText).contains(said), "\(result.outputText)\(result.errorText)")
      #expect(try workshop.leftBehind() == [])
    }

    /// What the project keeps about other programs; the name says which must fail.
    @Test(arguments: ["git-commit", "shell-save", "shell-save-convicted"])
    func whatTheProjectKeepsComesToItsVerdict(name: String) throws {
      let workshop = try Workshop()
      let file = repositoryRoot.appending("Scenarios/programs/\(name).scn")
      let result = try workshop.run("lnote-scenario", ["run", "\(file)"])
      #expect(result.ending == .exited(name.hasSuffix("-convicted") ? 1 : 0), "\(result.outputText)\(result.errorText)")
      #expect(result.outputText.contains(name.hasSuffix("-convicted") ? "lost: write .notes.tmp" : "none fails"))
      #expect(try workshop.leftBehind() == [])
    }

    @Test(arguments: [("echo b >a; test -n \\\"$FAULTFS_DIR\\\"", 0), ("false", 1)])
    func commandsAloneRun(command: String, status: Int) throws {
      let workshop = try Workshop()
      try workshop.volume().make("a.scn", text: "scenario v1 \"t\"\nstore external\nexec \"\(command)\"\n")
      #expect(try workshop.run("lnote-scenario", ["run", "a.scn"]).ending == .exited(status))
    }
  }
}
