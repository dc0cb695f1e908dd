import Files
import Processes
import TestSupport
import Testing

extension MountTests {
  /// Other stores' drivers, well made and not: a clear message, the right exit status, nothing left behind.
  @Suite struct ScenarioDriverTests {
    private static let scenario = "Scenarios/photo-power-cut.scn"

    /// Runs a scenario of the repository with this driver.
    private func run(driver: String, _ words: [String] = [], in workshop: Workshop) throws -> ProgramResult {
      var launch = try workshop.launch("lnote-scenario", ["run", "--driver", driver] + words + [Self.scenario])
      launch.workingDirectory = repositoryRoot.bytes
      let path = Host.environment("PATH") ?? "/usr/bin:/bin"
      launch.environment.append(("PATH", "\(try builtProgram("lnote-driver").parent):\(path)"))
      return try launch.run(limitMilliseconds: Workshop.millisecondsMax)
    }

    @Test func oursGivenAsAnotherStoresDoesTheSame() throws {
      let workshop = try Workshop()
      let result = try run(driver: "lnote-driver", in: workshop)
      #expect(result.maskedOutput == ScenarioRunTests.photoPowerCut, "\(result.errorText)")
      #expect(result.ending == .exited(0))
      #expect(try workshop.leftBehind() == [])
    }

    static let badDrivers: [(how: String, status: Int, says: String)] = [
      ("other-protocol", 4, "DRIVER: speaks protocol 7, this tool speaks 1"),
      ("ends-at-once", 4, "DRIVER: ended before it said that it is ready"),
      ("no-greeting", 4, "DRIVER: did not answer the greeting within 1 s"),
      ("refuses", 3, "DRIVER: this store is closed on Mondays"),
      ("talks-nonsense", 4, "DRIVER: answered with a line that is no JSON (line 1, column 1: "),
      ("answers-nonsense", 3, "DRIVER: answered against the protocol: "),
      ("answers-another", 3, "DRIVER: answered command 6 where 5 was asked"),
      ("hangs", 3, "'open' took longer than 5 s"),
      ("forgets", 1, "NO: at 'insert-image' the store calls an edit that it accepted neither durable nor unsaved"),
      ("dies", 1, "      before the first step                    NO: the store ended by itself at 'open'"),
    ]

    @Test(arguments: badDrivers) func aBadOneIsNamed(how: String, status: Int, says: String) throws {
      let workshop = try Workshop()
      let driver = "python3 Tests/Fixtures/drivers/bad_driver.py \(how)"
      // A driver that is only slow to start must not be taken for one that never greets: the rest have more time.
      let limits = ["no-greeting": "1", "hangs": "5"]
      let result = try run(driver: driver, limits[how].map { ["--step-limit", $0] } ?? [], in: workshop)
      let sentence = says.replacing("DRIVER", with: driver)
      if status == 4 {
        #expect(result.errorText.hasPrefix("lnote-scenario: \(sentence)"), "\(result.errorText)")
        #expect(result.outputText == "")
      } else {
        #expect(result.outputText.contains(sentence), "\(result.outputText)")
        #expect(result.errorText == "")
      }
      #expect(result.ending == .exited(status))
      #expect(!result.ranOutOfTime)
      #expect(try workshop.leftBehind() == [])
    }

    @Test func oneThatIsNotThereIsNamed() throws {
      let workshop = try Workshop()
      let result = try run(driver: "no-such-driver --fast", in: workshop)
      #expect(
        result.errorText == "lnote-scenario: no-such-driver --fast: this driver cannot be started"
          + " (posix_spawn no-such-driver: No such file or directory)\n")
      #expect(result.outputText == "")
      #expect(result.ending == .exited(4))
      #expect(try workshop.leftBehind() == [])
    }
  }
}
