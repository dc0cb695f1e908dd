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

    private static let mapped =
      "import mmap, os; f = os.open('given', os.O_RDWR); m = mmap.mmap(f, 0); m[0:5] = b'taken'"

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
      // What is written through a map is seen when it is written back; msync makes it durable.
      (["python3", "-c", mapped], 1, ["file-changed"]),
      (["python3", "-c", mapped + "; m.flush()"], 0, []),
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

    /// The write-ahead log with its mapped index: what a commit leaves while the database is open.
    @Test(arguments: [("FULL", false), ("OFF", true)]) func judgesAWriteAheadLog(mode: String, hasData: Bool) throws {
      let script = """
        import os, sqlite3
        db = sqlite3.connect('a.db', isolation_level=None)
        db.execute('PRAGMA journal_mode=WAL'); db.execute('PRAGMA synchronous=\(mode)')
        db.execute('CREATE TABLE t(x)'); db.execute('INSERT INTO t VALUES(1)')
        print('saved', os.path.getsize('a.db-shm') > 0, flush=True)
        """
      let found = try lint(["python3", "-c", script], options: ["--marker", "saved"])
      #expect(found.result.outputText.hasPrefix("saved True\n"))
      let lost = found.json["findings"]?.array?.filter { $0["path"]?.string == "a.db-wal" } ?? []
      #expect(lost.contains { $0["cause"]?.string == "new-file-written" } == hasData, "\(found.result.outputText)")
    }

    /// A process has one watcher of its calls at most, so a lint inside a lint can watch nothing.
    @Test(.enabled(if: geteuid() == 0, "who is not root cannot mount below a watched program"))
    func whereNobodyCanWatchItIsUnknown() throws {
      let program = try builtProgram("faultfs").description
      let script = "\(program) lint -- sh -c 'echo x > a; sync'; echo $?; \(program) lint -- true; echo $?"
      let text = try lint(["sh", "-c", script]).result.outputText
      #expect(text.contains("Unknown: sync(2) and syncfs(2) cannot be watched here."), "\(text)")
      #expect(text.contains("\n3\n"), "\(text)")
      #expect(text.contains("\n0\n"), "\(text)")
    }

    @Test func aSignalEndsTheProgramAndIsReported() throws {
      let directory = try TemporaryDirectory("lint")
      var launch = Launch(
        try builtProgram("faultfs").description,
        ["lint", "--json", "\(directory.text)/found", "--", "sh", "-c", "echo x > a; echo ready; exec sleep 1000"])
      launch.input = .pipe
      launch.output = .pipe
      let child = try ChildProcess(launch)
      let lines = child.lines()
      let deadline = Deadline.after(milliseconds: 20_000)
      #expect(try lines.receive(until: deadline) == Array("ready".utf8))
      child.send(signal: SIGINT)
      let first = String(decoding: try lines.receive(until: deadline) ?? [], as: UTF8.self)
      #expect(first.hasPrefix("sh left 2 things to chance when it was interrupted."), "\(first)")
      while try lines.receive(until: deadline) != nil {}
      #expect(try child.wait(milliseconds: 20_000) == .exited(128 + Int(SIGINT)))
      let json = try JSONValue.parse(try directory.volume().readWhole("found", sizeMax: 1 << 20))
      #expect(json["moment"]?.string == "interruption")
      #expect(json["findings"]?.array?.count == 2)
    }

    @Test func thePageShowsARealReport() throws {
      let bytes = try HostVolume(root: repositoryRoot).readWhole("Docs/your-program/lint.md", sizeMax: 1 << 20)
      let page = String(decoding: bytes, as: UTF8.self)
      let program = #"open("notes.txt", "w").write("hello\n")"#
      #expect(page.contains("`save.py` is `\(program)`"))
      let report = try lint(["python3", "save.py"], files: ["save.py": program + "\n"]).result.outputText
      #expect(page.contains("```\n\(report)```\n"), "\(report)")
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
