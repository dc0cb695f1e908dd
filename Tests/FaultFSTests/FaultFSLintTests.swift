import Files
import Glibc
import JSON
import Processes
import TestSupport
import Testing

extension MountTests {
  /// `faultfs lint` with real programs.
  @Suite struct FaultFSLintTests {
    /// Runs it in a directory of its own; the causes it finds, sorted, and everything else.
    private func lint(
      _ words: [String], options: [String] = [], files: [String: String] = [:]
    ) throws -> (result: ProgramResult, causes: [String], json: JSONValue) {
      let directory = try TemporaryDirectory("lint")
      let volume = try directory.volume()
      for (name, text) in files { try volume.make(BytePath(name), text: text) }
      var launch = Launch(
        try builtProgram("faultfs").description, ["lint", "--json", "found.json"] + options + ["--"] + words)
      launch.workingDirectory = directory.path.bytes
      let result = try launch.run(limitMilliseconds: 60_000)
      let json = try JSONValue.parse(try volume.readWhole("found.json", sizeMax: 1 << 20))
      guard case .array(let findings)? = json["findings"] else { throw MountFailure("no findings: \(result)") }
      return (result, findings.compactMap { $0["cause"]?.string }.sorted(), json)
    }

    private static let goodSave = """
      import os
      with open('t', 'w') as f:
          f.write('new'); f.flush(); os.fsync(f.fileno())
      os.rename('t', 'a')
      d = os.open('.', os.O_RDONLY | os.O_DIRECTORY); os.fsync(d)
      """

    static let programs: [(words: [String], status: Int, causes: [String])] = [
      (["python3", "-c", "open('a', 'w').write('x')"], 1, ["name-made", "new-file-written"]),
      (["cp", "given", "copy"], 1, ["name-made", "new-file-written"]),
      (["cat", "given"], 0, []),
      (["python3", "-c", goodSave], 0, []),
      (["python3", "-c", goodSave.replacing("os.fsync(f.fileno())", with: "pass")], 1, ["renamed-before-synced"]),
      (["sh", "-c", "echo x > a; sync"], 0, []),
      (["sh", "-c", "echo x > a; sync -f a"], 0, []),
      (["sh", "-c", "echo x > a; sync -f /"], 1, ["name-made", "new-file-written"]),
      (["dd", "if=given", "of=given2", "oflag=sync", "status=none"], 1, ["name-made"]),
      (["sh", "-c", "echo x > t; rm t"], 0, []),
      (["sh", "-c", "echo x > given"], 1, ["emptied-before-rewritten", "file-changed"]),
    ]

    @Test(arguments: programs) func judges(_ words: [String], _ status: Int, _ causes: [String]) throws {
      let found = try lint(words, options: ["--from", "."], files: ["given": "given text\n"])
      #expect(found.result.errorText == "")
      #expect(found.causes == causes)
      #expect(found.result.ending == .exited(status), "\(found.result.outputText)")
    }

    static let databases: [(mode: String, hasData: Bool, status: Int)] = [
      ("journal_mode=DELETE; PRAGMA synchronous=EXTRA", false, 0),
      ("journal_mode=DELETE; PRAGMA synchronous=FULL", false, 1),
      ("journal_mode=DELETE; PRAGMA synchronous=OFF", true, 1),
    ]

    /// EXTRA syncs the directory after it has removed the journal, FULL does not: the journal may come back.
    @Test(arguments: databases) func judgesSQLite(_ mode: String, _ hasData: Bool, _ status: Int) throws {
      let found = try lint([
        "sqlite3", "a.db", "PRAGMA \(mode); CREATE TABLE t(x); INSERT INTO t VALUES(1); UPDATE t SET x = 2;",
      ])
      #expect(found.causes.contains("new-file-written") == hasData)
      #expect(found.result.ending == .exited(status), "\(found.result.outputText)")
      if !hasData && status == 1 { #expect(found.causes == ["name-removed"]) }
    }

    @Test func theMarkerIsTheMoment() throws {
      let script = "echo x > a; sync; echo saved; sync; echo y > b; echo done"
      let late = try lint(
        ["sh", "-c", script], options: ["--marker", "done"])
      #expect(late.causes == ["name-made", "new-file-written"])
      #expect(late.result.outputText.hasPrefix("saved\ndone\nsh left 2 things to chance when it printed the marker."))
      let never = try lint(["sh", "-c", "echo x > a; sync; echo saved"], options: ["--marker", "stored"])
      #expect(never.result.ending == .exited(3))
      #expect(never.result.outputText.contains("The marker was never printed"))
    }

    @Test func saysThatTheProgramFailed() throws {
      let found = try lint(["sh", "-c", "echo x > a; exit 7"])
      #expect(found.result.outputText.hasPrefix("sh failed with exit status 7. sh left 2 things to chance"))
      #expect(found.result.ending == .exited(1))
    }

    @Test func leavesNothingBehind() throws {
      let directory = try TemporaryDirectory("lint")
      var launch = Launch(try builtProgram("faultfs").description, ["lint", "--", "no-such-program"])
      launch.environment = [("TMPDIR", directory.text)]
      #expect(try launch.run(limitMilliseconds: 20_000).ending == .exited(2))
      launch.arguments = ["lint", "--", "touch", "a"].map { Array($0.utf8) }
      #expect(try launch.run(limitMilliseconds: 20_000).ending == .exited(1))
      #expect(try directory.volume().tree() == [])
    }
  }
}
