import Files
import JSON
import Processes
import TestSupport
import Testing

extension MountTests {
  /// What `faultfs explore` gives to go on with: names, pages, and recordings made earlier.
  @Suite struct FaultFSExploreAgainTests {
    private let directory: TemporaryDirectory

    init() throws {
      directory = try TemporaryDirectory("again")
      try directory.volume().make("f", text: "old\n")
    }

    private func faultfs(_ words: [String]) throws -> ProgramResult {
      var launch = Launch(try builtProgram("faultfs").description, words)
      launch.workingDirectory = directory.path.bytes
      return try launch.run(limitMilliseconds: 120_000)
    }

    private static let oldOrNew = "grep -qx old f || grep -qx new f"
    /// A replacement whose new bytes nobody syncs, behind `before`.
    private static func careless(_ before: String = "") -> [String] {
      ["--", "sh", "-c", "\(before) echo new > t && mv t f && sync .", "x", "f"]
    }

    private func json() throws -> JSONValue { try JSONValue.parse(try directory.volume().bytes(of: "found.json")) }

    @Test func aStateIsFoundByItsName() throws {
      let options = ["explore", "--model", "xfs", "--check", Self.oldOrNew]
      let all = try faultfs(options + ["--json", "found.json"] + Self.careless())
      #expect(all.ending == .exited(1), "\(all.outputText)\(all.errorText)")
      let name = try #require(try json()["failures"]?.array?.first?["name"]?.string)
      #expect(all.outputText.contains("    name        at rename"), "\(all.outputText)")
      // What the program does before does not change the name.
      for before in ["", "echo x > other; sync other;"] {
        let one = try faultfs(options + ["--state", name, "--json", "found.json"] + Self.careless(before))
        #expect(one.ending == .exited(1), "\(name): \(one.outputText)\(one.errorText)")
        #expect(try json()["judged"]?.integer == 1)
        #expect(try json()["failures"]?.array?.first?["name"]?.string == name)
        #expect(!one.outputText.contains("FIX"), "\(one.outputText)")
      }
      let good = try faultfs(options + ["--state", "at rename t, lost: nothing"] + Self.careless())
      #expect(good.ending == .exited(0), "\(good.outputText)\(good.errorText)")
      #expect(good.outputText.contains("\nGOOD\n"))
      let wrong = try faultfs(options + ["--state", "at rename of t"] + Self.careless())
      #expect(wrong.ending == .exited(2))
      #expect(wrong.errorText.contains("no state is called so") && wrong.errorText.contains("  at rename t, lost: "))
    }

    @Test func aPageForABrowser() throws {
      let result = try faultfs(
        ["explore", "--html", "found.html", "--json", "found.json", "--check", Self.oldOrNew] + Self.careless())
      #expect(result.ending == .exited(1), "\(result.outputText)\(result.errorText)")
      let html = String(decoding: try directory.volume().bytes(of: "found.html"), as: UTF8.self)
      let finding = try #require(try json()["failures"]?.array?.first?["finding"])
      #expect(html.contains("<h1>sh</h1>") && html.contains("exit status 1"))
      #expect(html.contains(">lost</span>") && html.contains("rename t -&gt; f"), "\(html)")
      #expect(html.contains("fsync t behind #"))
      let why = try #require(finding["why"]?.string)
      #expect(why.hasPrefix("no fsync of t between #") && html.contains(why), "\(why)")
      let blocks = finding["files"]?.array?.first?["blocks"]?.array?.compactMap { $0["block"]?.string }
      #expect(blocks == ["zeros"] || blocks == ["missing"], "\(blocks ?? [])")
    }

    /// A recording says what its run would have said, to the state.
    @Test func aRecordingIsExplored() throws {
      let live = try faultfs(["explore", "--check", Self.oldOrNew, "--json", "found.json"] + Self.careless())
      #expect(live.ending == .exited(1))
      let (states, failing) = (try json()["states"], try json()["failing"])
      let ran = try faultfs(["run", "--log", "run.log"] + Self.careless())
      #expect(ran.ending == .exited(0), "\(ran.errorText)")
      let result = try faultfs(["explore", "--log", "run.log", "--check", Self.oldOrNew, "--json", "found.json"])
      // Whether sync(2) was called is not in this log.
      #expect(result.ending == .exited(3), "\(result.outputText)\(result.errorText)")
      #expect(result.outputText.contains("crash states of run.log checked"), "\(result.outputText)")
      #expect(try json()["states"] == states && json()["failing"] == failing)
      #expect(result.outputText.contains("\nFIX   fsync t behind #"))
      #expect(result.outputText.contains("--see-sync"))
    }

    /// 16 MiB do not fit into three eighths of 32, and fit into those of 64.
    @Test func aRecordingThatIsTooLargeIsRefused() throws {
      let ran = try faultfs(["run", "--log", "run.log", "--", "sh", "-c", "head -c 16777216 /dev/zero > g"])
      #expect(ran.ending == .exited(0), "\(ran.errorText)")
      let words = ["explore", "--log", "run.log", "--model", "strict", "--budget", "5"]
      let small = try faultfs(words + ["--memory", "32MiB"])
      #expect(small.ending == .exited(3), "\(small.outputText)\(small.errorText)")
      #expect(small.errorText.contains("run.log: more than can be kept to explore it, from operation "))
      let advice = "of --memory 32MiB there are 12 MiB for a run. Let it do less, or give more."
      #expect(small.errorText.contains(advice), "\(small.errorText)")
      let large = try faultfs(words + ["--memory", "64MiB"])
      #expect(large.outputText.contains("crash states of run.log"), "\(large.outputText)\(large.errorText)")
    }

    @Test func whatDoesNotGoWithARecording() throws {
      for (words, error) in [
        (["--log", "no.log"], "no.log"), (["--log", "f"], "f: "), (["--log", "f", "--", "true"], "leave 'true' out"),
        (["--log", "f", "--setup", "true"], "--setup prepares a run of CMD"),
        (["--memory", "1MiB", "--log", "f"], "--memory: an exploration needs 32MiB or more"),
      ] {
        let result = try faultfs(["explore"] + words)
        #expect(result.ending == .exited(2), "\(words): \(result.errorText)")
        #expect(result.errorText.contains(error), "\(result.errorText)")
      }
    }
  }
}
