import Files
import Processes
import TestSupport
import Testing

/// The manual page and the completions that the built program prints, read by those who read them.
@Suite struct PrintedTests {
  static func printed(_ option: String) throws -> String {
    let result = try Launch(try builtProgram("lnote-fsck").description, [option]).run(limitMilliseconds: 20_000)
    #expect(result.ending == .exited(0), "\(result.errorText)")
    return result.outputText
  }

  /// What a program makes of the text on its standard input.
  static func read(_ text: String, _ program: String, _ arguments: [String]) throws -> ProgramResult {
    try Launch(program, arguments).run(input: Array(text.utf8), limitMilliseconds: 60_000)
  }

  @Test func groffHasNothingToSayAboutTheManual() throws {
    let manual = try PrintedTests.printed("--print-man")
    let result = try PrintedTests.read(manual, "groff", ["-ww", "-man", "-Tascii", "-P-cbou"])
    #expect(result.ending == .exited(0) && result.errorText == "")
    for part in ["NAME", "SYNOPSIS", "OPTIONS", "EXIT STATUS", "--report", "~/Notes"] {
      #expect(result.outputText.contains(part))
    }
    #expect(
      try PrintedTests.read(manual + "\n.nosuchmacro\n", "groff", ["-ww", "-man", "-Tascii", "-P-cbou"]).errorText != ""
    )
  }

  static let lines: [(words: [String], offered: [String])] = [
    (["--re"], ["--render", "--report"]), (["--color", "=", "a"], ["auto", "always"]), (["--color", "ne"], ["never"]),
    (["-y", "--to", "Di"], ["Dir"]), (["--report", "Fi"], ["File"]), (["--jobs", "Di"], []), (["Di"], ["Dir"]),
    (["-x"], []),
  ]

  @Test(arguments: lines) func bashOffersWhatFits(words: [String], offered: [String]) throws {
    let directory = try TemporaryDirectory("shell")
    try directory.volume().makeDirectories("Dir")
    try directory.volume().make("File", [])
    let all = (["lnote-fsck"] + words).map { "'\($0)'" }.joined(separator: " ")
    let script = """
      set -u
      COMP_WORDS=(\(all)); COMP_CWORD=\(words.count)
      _lnote_fsck && printf '%s\\n' "${COMPREPLY[@]}"
      """
    var launch = Launch("bash", ["--norc", "-s"])
    launch.workingDirectory = directory.path.bytes
    let text = try PrintedTests.printed("--print-completion=bash") + script
    let result = try launch.run(input: Array(text.utf8), limitMilliseconds: 60_000)
    #expect(result.errorText == "")
    #expect(Set(result.outputText.split(separator: "\n").map(String.init)) == Set(offered))
  }

  @Test func fishOffersTheOptions() throws {
    guard (try? Launch("fish", ["--version"]).run(limitMilliseconds: 20_000)) != nil else { return }
    let text = try PrintedTests.printed("--print-completion=fish")
    let result = try PrintedTests.read(text + "complete -C 'lnote-fsck --re'\n", "fish", ["--no-config"])
    #expect(result.errorText == "")
    #expect(result.outputText.split(separator: "\n").map { $0.prefix { $0 != "\t" } } == ["--render", "--report"])
  }

  @Test func zshReadsItsScript() throws {
    guard (try? Launch("zsh", ["--version"]).run(limitMilliseconds: 20_000)) != nil else { return }
    let script = "_arguments() { print -rl -- \"$@\" }\n" + (try PrintedTests.printed("--print-completion=zsh"))
    let result = try PrintedTests.read(script, "zsh", ["-f", "-s"])
    #expect(result.ending == .exited(0) && result.errorText == "")
    #expect(result.outputText.contains("\n--render=[also draw every page\\: one PDF"))
  }
}
