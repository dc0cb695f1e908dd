import Files
import Glibc
import JSON
import Processes
import TestSupport
import Testing

extension MountTests {
  /// `faultfs explore --depth 2`: the check is a recovery, and is crashed in its turn.
  @Suite struct FaultFSExploreDepthTests {
    private let directory: TemporaryDirectory

    init() throws {
      directory = try TemporaryDirectory("depth")
      try directory.volume().make("f", text: "old old\n")
    }

    private func faultfs(_ words: [String]) throws -> ProgramResult {
      var launch = Launch(try builtProgram("faultfs").description, words)
      launch.workingDirectory = directory.path.bytes
      return try launch.run(limitMilliseconds: 120_000)
    }

    private func explore(_ check: String, _ words: [String] = ["--depth", "2"]) throws -> ProgramResult {
      try faultfs(["explore", "--model", "xfs", "--json", "found.json", "--check", check] + words + Self.program)
    }

    private func json() throws -> JSONValue { try JSONValue.parse(try directory.volume().bytes(of: "found.json")) }

    /// A journal says what `f` shall be before that is written in its place.
    private static let program = [
      "--", "sh", "-c",
      "echo new new > t && sync t && mv t j && sync . && echo new new > f && sync f && rm j && sync .", "x", "f",
    ]
    private static let oldOrNew = "grep -qx 'old old' f || grep -qx 'new new' f"
    /// The journal goes when what it says is durable.
    private static let idempotent = "if test -e j; then cat j > f; sync f; rm j; sync .; fi; \(oldOrNew)"
    /// The journal goes before it is applied.
    private static let movesAway = "if test -e j; then mv j d; sync .; cat d > f; sync f; fi; \(oldOrNew)"

    static let known: [(check: String, status: Int, said: String)] = [
      (idempotent, 0, "(complete), and crashes of the check leave no others: none fails."),
      (movesAway, 1, "(complete), then 3 of 3 crash states of recovery (complete): 1 fail, in one way."),
      // Leaves nothing, and stumbles over what it leaves when it is crashed.
      ("! test -e lock && touch lock && rm lock", 1, "crash states of recovery (complete):"),
      ("test -e f", 0, "(complete); the check writes nothing that a second crash could hit: none fails."),
      // sync(2) and no fsync: what it makes durable is known; without it the rename comes first.
      (
        "if test -e j; then cat j > n; sync; mv n f; sync; rm j; fi; \(oldOrNew)", 0,
        "crash states of recovery (complete): none fails."
      ),
      (
        "if test -e j; then cat j > n; mv n f; sync .; rm j; sync .; fi; \(oldOrNew)", 1,
        "crash states of recovery (complete):"
      ),
    ]

    @Test(arguments: known) func knowsTheAnswers(_ check: String, _ status: Int, _ said: String) throws {
      let result = try explore(check)
      #expect(result.errorText == "")
      let text = result.outputText.replacing("\n", with: " ")
      #expect(text.contains(said), "\(result.outputText)")
      #expect(result.ending == .exited(status), "\(result.outputText)")
    }

    @Test func oneCrashIsNotEnoughForIt() throws {
      #expect(try explore(Self.movesAway, []).ending == .exited(0))
      #expect(try json()["recovery"] == .null)
    }

    @Test func aSecondCrashIsToldAndFoundByItsName() throws {
      let all = try explore(Self.movesAway, ["--depth", "2", "--keep", "kept", "--html", "found.html"])
      #expect(all.outputText.contains("    twice       the check passes behind the first crash"), "\(all.outputText)")
      #expect(try directory.volume().bytes(of: "kept/1/f") == [])
      #expect(try directory.volume().bytes(of: "kept/1/d") == Array("new new\n".utf8))
      let html = String(decoding: try directory.volume().bytes(of: "found.html"), as: UTF8.self)
      #expect(html.contains("the check passes behind the first crash"))
      let found = try json()
      #expect(found["failing"]?.integer == 0 && found["recovery"]?["failing"]?.integer == 1)
      #expect(found["failures"]?.array?.first?["isOfRecovery"]?.bool == true)
      let name = try #require(found["failures"]?.array?.first?["name"]?.string)
      #expect(name == "at rename t, lost: nothing, then at truncate f, lost: nothing")
      let one = try explore(Self.movesAway, ["--depth", "2", "--state", name])
      #expect(one.ending == .exited(1), "\(one.outputText)\(one.errorText)")
      #expect(try json()["recovery"]?["judged"]?.integer == 1)
      #expect(try json()["failures"]?.array?.first?["name"]?.string == name)
      let good = try explore(
        Self.movesAway, ["--depth", "2", "--state", "at rename t, lost: nothing, then at rename j, lost: nothing"])
      #expect(good.ending == .exited(0) && good.outputText.contains("\nGOOD\n"), "\(good.outputText)\(good.errorText)")
      let wrong = try explore(Self.movesAway, ["--depth", "2", "--state", "at rename t, lost: nothing, then at once"])
      #expect(wrong.ending == .exited(2))
      #expect(wrong.errorText.contains("no state of this recovery is called 'at once'"), "\(wrong.errorText)")
    }

    @Test(.enabled(if: geteuid() == 0, "only root may give a check a view of its own"))
    func severalAtOnceFindTheSame() throws {
      let (one, found) = (try explore(Self.movesAway), try json())
      let several = try explore(Self.movesAway, ["--depth", "2", "-j", "3"])
      #expect(several.outputText == one.outputText)
      #expect(try json() == found)
    }

    @Test func aRecordingIsCrashedTwice() throws {
      let ran = try faultfs(["run", "--log", "run.log"] + Self.program)
      #expect(ran.ending == .exited(0), "\(ran.errorText)")
      let result = try faultfs(
        ["explore", "--depth", "2", "--model", "xfs", "--log", "run.log", "--check", Self.movesAway])
      #expect(
        result.outputText.replacing("\n", with: " ").contains("then 3 of 3 crash states of recovery"),
        "\(result.outputText)\(result.errorText)")
    }

    @Test func whatTheCheckSaysOnlyWhileItIsRecordedIsUnknown() throws {
      let check = "touch seen; case $(stat -f -c %T .) in fuse*) exit 1; esac"
      let result = try explore(check)
      #expect(result.ending == .exited(3), "\(result.outputText)\(result.errorText)")
      #expect(result.outputText.contains("the check ended otherwise when it was recorded"), "\(result.outputText)")
    }

    static let refusals: [(words: [String], error: String)] = [
      (["--depth", "2", "--", "true"], "--depth 2 crashes the check in its turn"),
      (["--depth", "3", "--check", "true", "--", "true"], "--depth takes a whole number from 1 to 2"),
    ]

    @Test(arguments: refusals) func refuses(words: [String], error: String) throws {
      let result = try faultfs(["explore"] + words)
      #expect(result.ending == .exited(2))
      #expect(result.errorText.contains(error), "\(result.errorText)")
    }
  }
}
