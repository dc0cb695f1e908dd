import JSON
import Processes
import TestSupport
import Testing

extension MountTests {
  /// `lnote-scenario conform`: drivers that keep to the protocol pass, broken ones fail where they are broken.
  @Suite struct ConformTests {
    private func conform(_ words: [String], in workshop: Workshop) throws -> ProgramResult {
      var launch = try workshop.launch("lnote-scenario", ["conform"] + words)
      launch.workingDirectory = repositoryRoot.bytes
      return try launch.run(limitMilliseconds: Workshop.millisecondsMax)
    }

    /// The names of the checks with this result.
    private func names(_ result: String, of report: JSONValue) -> [String] {
      (report["checks"]?.array ?? []).filter { $0["result"]?.string == result }.compactMap { $0["name"]?.string }
    }

    @Test(arguments: [[], ["--driver", "python3 Docs/nightly/own_store.py"]])
    func theRepositorysOwnPass(words: [String]) throws {
      let workshop = try Workshop()
      let result = try conform(words, in: workshop)
      #expect(result.outputText.hasSuffix("\n24 checks: 24 pass\n"), "\(result.outputText)")
      #expect(result.errorText == "")
      #expect(result.ending == .exited(0))
      #expect(try workshop.leftBehind() == [])
    }

    /// Many things at once, since each is another check's: a run takes a second or two.
    static let broken: [(how: String, failing: [String])] = [
      (
        "keeps-undo,quiet-picture,backwards,sings,no-lock,saves-let-go,no-sync,dies-of-garbage",
        ["undo", "pictures", "let-go", "order", "unknown-command", "garbage-line", "locking", "power-cut"]
      ),
      (
        "early,forgets,stays",
        ["durable-or-unsaved", "kill", "end-of-input", "power-cut", "full-disk", "deadline"]
      ),
    ]

    @Test(arguments: broken) func aBrokenOneFailsWhereItIsBroken(how: String, failing: [String]) throws {
      let workshop = try Workshop()
      let driver = "python3 Tests/Fixtures/drivers/broken_store.py \(how)"
      let limit = how.contains("stays") ? ["--step-limit", "5"] : []
      let result = try conform(["--driver", driver, "--json", "-"] + limit, in: workshop)
      let report = try JSONValue.parse(result.output)
      #expect(names("fail", of: report) == failing, "\(result.outputText)")
      #expect(names("unknown", of: report) == [])
      let sentences = (report["checks"]?.array ?? []).filter { $0["result"]?.string == "fail" }
        .compactMap { $0["sentence"]?.string }
      #expect(sentences.count == failing.count)
      #expect(result.ending == .exited(1))
      #expect(try workshop.leftBehind() == [])
    }

    @Test func whatComesBehindAWrongGreetingStaysOpen() throws {
      let workshop = try Workshop()
      let driver = "python3 Tests/Fixtures/drivers/broken_store.py other-protocol"
      let result = try conform(["--driver", driver, "--json", "-"], in: workshop)
      let report = try JSONValue.parse(result.output)
      #expect(names("fail", of: report) == ["greeting"], "\(result.outputText)")
      #expect(names("unknown", of: report).count == 22)
      #expect(result.ending == .exited(1))
    }

    @Test func oneThatIsNotThereIsNamed() throws {
      let workshop = try Workshop()
      let result = try conform(["--driver", "no-such-driver"], in: workshop)
      #expect(result.errorText.hasPrefix("lnote-scenario: no-such-driver: the driver cannot be started ("))
      #expect(result.outputText == "")
      #expect(result.ending == .exited(4))
    }
  }
}
