import Files
import Processes
import TestSupport
import Testing

extension MountTests {
  /// The examples of Docs/your-program/fixtures, copied and run as they stand, by the test runners they are for.
  @Suite struct FixturesTests {
    /// An example: its folder, the words that run it, and what else of the environment it needs.
    struct Example: Sendable, CustomTestStringConvertible {
      var folder: String
      var command: [String]
      /// Succeeds where the runner is installed.
      var probe: [String]
      /// True where this machine must have it: `make test` installs it.
      var isNeeded: Bool
      var testDescription: String { folder }
    }

    static let examples: [Example] = [
      Example(
        folder: "pytest", command: ["python3", "-m", "pytest", "-q", "-p", "no:cacheprovider", "--basetemp=../base"],
        probe: ["python3", "-m", "pytest", "--version"], isNeeded: true),
      Example(folder: "bats", command: ["bats", "save.bats"], probe: ["bats", "--version"], isNeeded: false),
      Example(
        folder: "cargo", command: ["cargo", "test", "--offline", "--quiet"], probe: ["cargo", "--version"],
        isNeeded: false),
      Example(folder: "go", command: ["go", "test", "./..."], probe: ["go", "version"], isNeeded: false),
    ]

    @Test(arguments: examples) func passes(example: Example) throws {
      let place = try TemporaryDirectory("fixture")
      let probe = try run(example.probe, in: place.text, milliseconds: 60_000)
      guard probe.ending == .exited(0) else {
        #expect(!example.isNeeded, "\(example.probe.joined(separator: " ")): \(probe.errorText)")
        return
      }
      let source = repositoryRoot.appending("Docs/your-program/fixtures").appending(BytePath(example.folder))
      let copy = place.path.appending("copy").description
      #expect(
        try run(["cp", "-r", source.description, copy], in: place.text, milliseconds: 10_000).ending == .exited(0))
      let result = try run(example.command, in: copy, milliseconds: 300_000)
      #expect(result.ending == .exited(0), "\(result.outputText)\(result.errorText)")
    }

    /// A program with the built `faultfs` first on its PATH; the environment ends programs that do not find it.
    private func run(_ words: [String], in directory: String, milliseconds: Int) throws -> ProgramResult {
      let built = try builtProgram("faultfs").parent.description
      var launch = Launch("env", ["PATH=\(built):\(try path())"] + words)
      launch.workingDirectory = Array(directory.utf8)
      launch.environment = [("PYTHONDONTWRITEBYTECODE", "1")]
      return try launch.run(limitMilliseconds: milliseconds)
    }

    private func path() throws -> String {
      let result = try Launch("sh", ["-c", "printf %s \"$PATH\""]).run(limitMilliseconds: 10_000)
      return result.outputText
    }
  }
}
