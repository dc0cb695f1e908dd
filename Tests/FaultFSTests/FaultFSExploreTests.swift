import Files
import Glibc
import JSON
import Processes
import TestSupport
import Testing

extension MountTests {
  /// `faultfs explore` with small programs whose crash states are known from real file systems.
  @Suite struct FaultFSExploreTests {
    private let directory: TemporaryDirectory

    init() throws {
      directory = try TemporaryDirectory("explore")
      try directory.volume().make("f", text: "old\n")
    }

    private func explore(_ words: [String], limitMilliseconds: Int = 120_000) throws -> ProgramResult {
      var launch = Launch(try builtProgram("faultfs").description, ["explore"] + words)
      launch.workingDirectory = directory.path.bytes
      return try launch.run(limitMilliseconds: limitMilliseconds)
    }

    /// A program of Python whose `put`, `sync` and `move` are what their names say; `f` is there, and says "old".
    private static func program(_ text: String) -> [String] {
      let prelude = """
        import os
        def put(name, text, mode='w'):
            with open(name, mode) as f: f.write(text)
        def sync(name):
            d = os.open(name, os.O_RDONLY); os.fsync(d); os.close(d)
        def datasync(name):
            d = os.open(name, os.O_RDONLY); os.fdatasync(d); os.close(d)
        def say(word): os.write(1, word.encode() + b'\\n')

        """
      return ["--", "python3", "-c", prelude + text, "f"]
    }

    private static let oldOrNew = "grep -qx old f || grep -qx new f"
    private static let durable = "! grep -q saved || grep -qx new f"
    /// Every line of the journal but the last is whole.
    private static let prefix = "! grep -qv '^frame[0-9]*$' j || exit 1"

    /// The known answers K16 to K20: on which of the models some state fails.
    static let known: [(name: String, program: String, check: String, models: Set<String>)] = [
      (
        "K16 rename without fsync, then the directory", "put('t', 'new\\n'); os.rename('t', 'f'); sync('.')", oldOrNew,
        ["ext4-ordered", "xfs", "btrfs"]
      ),
      (
        "K17 fsync, rename", "put('t', 'new\\n'); sync('t'); os.rename('t', 'f')", oldOrNew, []
      ),
      (
        "K17 fsync, rename: not durable", "put('t', 'new\\n'); sync('t'); os.rename('t', 'f'); say('saved')", durable,
        ["ext4-ordered", "ext4-journal", "ext4-nodelalloc", "xfs", "btrfs"]
      ),
      (
        "K18 and fsync of the file", "put('t', 'new\\n'); sync('t'); os.rename('t', 'f'); sync('f'); say('saved')",
        durable, []
      ),
      (
        "K18 and fdatasync of the file",
        "put('t', 'new\\n'); sync('t'); os.rename('t', 'f'); datasync('f'); say('saved')", durable,
        ["ext4-ordered", "ext4-journal", "ext4-nodelalloc"]
      ),
      (
        "K18 and fsync of the directory",
        "put('t', 'new\\n'); sync('t'); os.rename('t', 'f'); sync('.'); say('saved')", durable, []
      ),
      (
        "K18 and fdatasync of the directory",
        "put('t', 'new\\n'); sync('t'); os.rename('t', 'f'); datasync('.'); say('saved')", durable, []
      ),
      (
        "K19 frames without fsync",
        "put('j', 'frame\\n'); sync('j'); sync('.'); say('begun'); put('j', 'frame2\\n', 'a'); sync('.')",
        "! grep -q begun || { \(prefix); }", ["ext4-ordered", "ext4-nodelalloc"]
      ),
      (
        "K20 frames with fdatasync",
        "put('j', 'frame\\n'); sync('j'); sync('.'); put('j', 'frame2\\n', 'a'); datasync('j'); say('saved')",
        "! grep -q saved || { \(prefix); }", []
      ),
    ]

    @Test(arguments: known)
    func knowsTheAnswers(_ name: String, _ program: String, _ check: String, _ models: Set<String>) throws {
      let all = "ext4-ordered,ext4-journal,ext4-nodelalloc,xfs,btrfs"
      let result = try explore(
        ["--model", all, "--check", check, "--json", "found.json"] + Self.program(program))
      #expect(result.errorText == "")
      let json = try JSONValue.parse(try directory.volume().bytes(of: "found.json"))
      let failing = json["failures"]?.array?.flatMap { $0["models"]?.array?.compactMap(\.string) ?? [] } ?? []
      #expect(Set(failing) == models, "\(name): \(result.outputText)")
      #expect(result.ending == .exited(models.isEmpty ? 0 : 1))
      #expect(json["twoRunsAlike"]?.bool == true)
      #expect(json["judged"]?.integer == json["states"]?.integer)
    }

    @Test func showsWhatFails() throws {
      let result = try explore(
        ["--check", "cat f; \(Self.oldOrNew)", "--model", "xfs", "--keep", "kept"]
          + Self.program("put('t', 'new\\n'); os.rename('t', 'f'); sync('.'); say('saved')"))
      #expect(result.ending == .exited(1))
      #expect(result.outputText.contains("crash states of python3 checked (complete): 1 fail, in one way."))
      #expect(result.outputText.contains("\nFAIL  exit status 1\n"))
      #expect(result.outputText.contains("    lost        #"))
      #expect(
        result.outputText.contains("FIX   fsync t behind #"), "\(result.outputText)")
      let kept = try directory.volume().tree().filter { $0.description.hasPrefix("kept/1") }
      #expect(kept.contains("kept/1/f"), "\(kept)")
      #expect(try directory.volume().bytes(of: "kept/1/f") == [])
    }

    @Test func comparesWithTheRunWhereThereIsNoCheck() throws {
      let bad = try explore(Self.program("put('t', 'new\\n'); os.rename('t', 'f'); sync('.')"))
      #expect(bad.ending == .exited(1))
      #expect(bad.outputText.contains("FAIL  f is empty (as it never was)"), "\(bad.outputText)")
      #expect(bad.outputText.contains("FAIL  f is 4 bytes of zeros (as it never was)"))
      let good = try explore(Self.program("put('t', 'new\\n'); sync('t'); os.rename('t', 'f'); sync('.')"))
      #expect(good.ending == .exited(0), "\(good.outputText)")
    }

    static let fixes: [(program: String, syncs: [String])] = [
      ("put('t', 'new\\n'); os.rename('t', 'f'); say('saved')", ["", "t"]),
      ("put('t', 'new\\n'); sync('t'); os.rename('t', 'f'); say('saved')", [""]),
      ("put('t', 'new\\n'); os.rename('t', 'f'); sync('.'); say('saved')", ["t"]),
      // In place: no fsync makes it old or new.
      ("put('f', 'new\\n'); sync('f'); say('saved')", []),
    ]

    @Test(arguments: fixes) func findsTheFewestSyncs(_ program: String, _ syncs: [String]) throws {
      let check = "{ \(Self.oldOrNew); } && { \(Self.durable); }"
      let result = try explore(["--check", check, "--json", "found.json"] + Self.program(program))
      #expect(result.ending == .exited(1), "\(result.outputText)\(result.errorText)")
      let json = try JSONValue.parse(try directory.volume().bytes(of: "found.json"))
      let found = json["fix"]?.array?.compactMap { $0["fsync"]?.string } ?? []
      #expect(found.sorted() == syncs, "\(result.outputText)")
      #expect(result.outputText.contains("\nFIX   ") == !syncs.isEmpty)
    }

    /// Nothing that a program made before counts as lost, and a sync(2) makes all of it durable.
    @Test func setUpAndSyncAreDurable() throws {
      let check = "test -s before && { ! grep -q saved || test -s g; }"
      for (sync, status) in [("sync", 0), ("true", 1)] {
        let script = "echo x > g; \(sync); echo saved"
        let result = try explore(
          ["--setup", "echo set up; echo x > before", "--check", check, "--", "sh", "-c", script])
        #expect(result.ending == .exited(status), "\(sync): \(result.outputText)\(result.errorText)")
      }
    }

    /// What a check leaves is not there when the next state is shown, and the folder is the one the program had.
    @Test func aCheckMayWrite() throws {
      let check =
        "test \"$(cat place)\" = \"$PWD\" || { echo other place; exit 1; }; ! test -e seen && touch seen && echo x >> f"
      let result = try explore(
        ["--setup", "pwd > place", "--check", check, "--", "sh", "-c", "echo new > f; sync f", "x", "f"])
      #expect(result.ending == .exited(0), "\(result.outputText)\(result.errorText)")
    }

    /// Two states that are neither old nor new wait for each other: one bench alone would come to no end.
    @Test(.enabled(if: geteuid() == 0, "only root may give a check a view of its own"))
    func severalAtOnceFindTheSame() throws {
      try directory.volume().makeDirectory("meeting", permissions: 0o755)
      let check = """
        [ "$(cat place)" = "$PWD" ] || { echo "other place"; exit 9; }
        test ! -e seen && touch seen || { echo "not made anew"; exit 8; }
        grep -qx old f && exit 0
        [ "$(tr -d '\\0' < f | wc -c)" = 12000 ] && exit 0
        mkdir -p "\(directory.path)/meeting/$$"
        until [ "$(ls "\(directory.path)/meeting" | wc -l)" -gt 1 ]; do sleep 0.01; done
        grep -q saved && echo "saved, and lost"
        exit 1
        """
      func found(_ benches: Int) throws -> (text: String, json: [UInt8]) {
        let script = "put('t', 'x' * 12000); os.rename('t', 'f'); say('saved'); put('g', 'x')"
        let result = try explore(
          ["-j", "\(benches)", "--setup", "pwd > place", "--check", check, "--json", "found.json"]
            + Self.program(script))
        #expect(result.ending == .exited(1), "\(result.outputText)\(result.errorText)")
        return (result.outputText, try directory.volume().bytes(of: "found.json"))
      }
      let (several, one) = (try found(3), try found(1))
      #expect(several.json == one.json, "\(several.text)\n\(one.text)")
      #expect(several.text.contains("FAIL  saved, and lost (exit status 1)"), "\(several.text)")
      #expect(!several.text.contains("Unknown"), "\(several.text)")
    }

    static let refusals: [(words: [String], status: Int, error: String)] = [
      (["--model", "ext5", "--", "true"], 2, "there is no model 'ext5'. There are:\n  strict"),
      (["--budget", "soon", "--", "true"], 2, "--budget: 'soon' is neither"), ([], 2, "CMD"),
      (["--", "no-such-program"], 2, "no-such-program"),
      (["--", "sh", "-c", "exit 7"], 4, "sh fails without any crash (exit status 7)"),
      (["--setup", "exit 3", "--", "true"], 4, "the set-up fails without any crash (exit status 3)"),
      (
        ["--check", "no-such-check", "--", "true"], 4, "the check fails (exit status 127) on the disk as it was before"
      ),
      (
        ["--check", "test ! -e g", "--", "touch", "g"], 4, "the check fails (exit status 1) on the disk as the program"
      ),
      (
        ["--check", "sleep 600", "--check-limit", "1", "--", "true"], 3, "the check came to no end (no end within 1 s)"
      ),
    ]

    @Test(arguments: refusals) func refuses(words: [String], status: Int, error: String) throws {
      let result = try explore(words)
      #expect(result.ending == .exited(status), "\(result.outputText)\(result.errorText)")
      #expect(result.errorText.contains(error), "\(result.errorText)")
    }

    @Test func aCheckThatHangsOnAStateIsUnknown() throws {
      let check = "test -s f || sleep 600"
      let result = try explore(
        ["--check", check, "--check-limit", "1", "--model", "xfs"]
          + Self.program("put('t', 'new\\n'); os.rename('t', 'f'); sync('.')"))
      #expect(result.ending == .exited(3), "\(result.outputText)\(result.errorText)")
      #expect(result.outputText.contains("whether one fails is"))
      #expect(result.outputText.contains("Unknown: the check came to no end on 1 state"))
    }

    @Test func saysThatTwoRunsDiffer() throws {
      let script = "date +%s%N > g; sync g"
      let result = try explore(["--", "sh", "-c", script])
      #expect(result.outputText.contains("A second run did not do the same"), "\(result.outputText)")
      let same = try explore(["--", "sh", "-c", "echo x > g; sync g"])
      #expect(!same.outputText.contains("A second run"), "\(same.outputText)")
    }

    @Test func aBudgetEndsIt() throws {
      let program = Self.program("for i in range(9): put('t%d' % i, 'new')")
      let few = try explore(["--budget", "10", "--model", "posix-weakest"] + program)
      let said = few.outputText.replacing("\n", with: " ")
      #expect(said.contains(" crash states of python3 compared (not all: there are more than the budget)"), "\(said)")
      #expect(
        said.contains("The states of posix-weakest are spread over 20 moments, 19 of which have more."), "\(said)")
      let none = try explore(["--budget", "1s", "--check", "sleep 0.3", "--model", "posix-weakest"] + program)
      #expect(none.ending == .exited(0))
      let told = none.outputText.replacing("\n", with: " ")
      #expect(told.contains("The time was over"), "\(told)")
      #expect(told.contains("(not all: there are more than there was time for)"), "\(told)")
      #expect(told.contains("--budget TIME gives more time: half of it is for making states."), "\(told)")
      // What ends before the run does says nothing.
      let cut = try explore(["--budget", "1", "--check", "true", "--model", "posix-weakest"] + program)
      #expect(cut.ending == .exited(3))
      #expect(
        cut.outputText.replacing("\n", with: " ").contains("whether one fails is not known."), "\(cut.outputText)")
    }

    /// Three eighths of 32 MiB are 12,288 operations, or as much in writes; each bound has a run below it.
    static let sizes: [(script: String, fits: Bool)] = [
      ("for i in range(3): put('t%d' % i, 'x' * 2000000)", true),
      ("for i in range(7): put('t%d' % i, 'x' * 2000000)", false),
      ("put('t', 'new\\n')\nfor i in range(500): os.chmod('t', 0o600 + i % 2)", true),
      ("put('t', 'new\\n')\nfor i in range(12500): os.chmod('t', 0o600 + i % 2)", false),
    ]

    @Test(arguments: sizes) func aRunThatIsTooLargeIsRefused(script: String, fits: Bool) throws {
      let words = ["--memory", "32MiB", "--model", "strict"] + Self.program(script)
      let result = try explore(words)
      if fits {
        #expect(result.ending == .exited(0), "\(result.outputText)\(result.errorText)")
        return
      }
      #expect(result.ending == .exited(3), "\(result.outputText)\(result.errorText)")
      #expect(result.outputText == "")
      #expect(result.errorText.contains("did more than can be kept to explore it; it came to"), "\(result.errorText)")
      #expect(result.errorText.contains("there are 12 MiB for a run. Let it do less, or give more."))
    }

    /// JSON could write a zero byte, but our own reader takes none.
    @Test func whatACheckPrintsCanBeReadAgain() throws {
      let check = "printf 'a\\0b\\377\\n'; test -s f"
      let words = ["--model", "xfs", "--check", check, "--json", "found.json"]
      let result = try explore(words + Self.program("put('t', 'new\\n'); os.rename('t', 'f'); sync('.')"))
      #expect(result.ending == .exited(1), "\(result.outputText)\(result.errorText)")
      let failure = try JSONValue.parse(try directory.volume().bytes(of: "found.json"))["failures"]?.array?.first
      #expect(failure?["firstLine"]?.string == "a\u{FFFD}b\u{FFFD}")
      #expect(failure?["said"]?.string == "a\u{FFFD}b\u{FFFD}\n")
    }

    /// A page of 4096 bytes that is written over in place: whole or old, but for sectors.
    @Test func sectorsTearWhereThatIsAsked() throws {
      let program = ["--setup", "head -c 4096 /dev/zero | tr '\\0' o > f", "--model", "ext4-ordered"]
      let check = ["--check", "test $(tr -d '\\n' < f | fold -w 1 | sort -u | wc -l) = 1"]
      let script = "head -c 4096 /dev/zero | tr '\\0' n | dd of=f bs=4096 conv=notrunc status=none"
      let whole = try explore(program + check + ["--", "sh", "-c", script])
      #expect(whole.ending == .exited(0), "\(whole.outputText)")
      let torn = try explore(program + check + ["--sectors", "--", "sh", "-c", script])
      #expect(torn.ending == .exited(1), "\(torn.outputText)")
      #expect(torn.outputText.contains("on disk     f 4096 bytes t\n"), "\(torn.outputText)")
    }

    @Test func onlySomeOperationsAreCrashed() throws {
      let program = Self.program("for i in range(9): put('t%d' % i, 'new')")
      let part = try explore(["--from-operation", "1", "--to-operation", "4"] + program)
      let said = part.outputText.replacing("\n", with: " ")
      #expect(said.contains("(not all: only crashes at the operations asked for)"), "\(said)")
      #expect(said.contains("crash       at operation 2,") && !said.contains("crash       at operation 6,"), "\(said)")
      let wrong = try explore(["--from-operation", "5", "--to-operation", "4"] + program)
      #expect(wrong.ending == .exited(2))
    }

    @Test func leavesNothingBehind() throws {
      func left() -> [String] {
        let volume = try? HostVolume(root: "/dev/shm")
        let entries = try? volume?.entries(of: .root, countMax: 1 << 16)
        return (entries ?? []).map(\.name.description).filter { $0.hasPrefix("faultfs-explore-") }
      }
      let before = left()
      _ = try explore(["--check", "test -s f"] + Self.program("put('d', 'x'); os.chmod('d', 0o000)"))
      _ = try explore(["--", "sh", "-c", "exit 7"])
      #expect(left() == before)
    }
  }
}
