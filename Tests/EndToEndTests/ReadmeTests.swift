import Files
import Processes
import TestSupport
import Testing

/// The README's output blocks are what the programs print; times and stamps may differ.
@Suite(.serialized) struct ReadmeTests {
  @Test func everyBlockIsRealOutput() throws {
    let readme = String(
      decoding: try HostVolume(root: repositoryRoot).readWhole("README.md", sizeMax: 1 << 20), as: UTF8.self)
    let blocks = ReadmeTests.pinned(in: readme)
    #expect(blocks.map(\.name) == ["fsck-check", "fsck-repair", "lint", "scenario", "demo"])
    let folder = try TemporaryDirectory()
    let kept = folder.path.appending("kept")
    _ = try run("lnote-scenario", ["run", "--fast", "--keep", "\(kept)", "Scenarios/torn-page.scn"])
    for block in blocks where block.name != "lint" || FuseHere.isUsable {
      let output =
        switch block.name {
        case "fsck-check": try run("lnote-fsck", ["\(kept)/crashed"]).replacing("\(kept)/crashed", with: "~/Notes")
        case "fsck-repair":
          try run("lnote-fsck", ["-y", "\(kept)/crashed"]).replacing("\(kept)/crashed", with: "~/Notes")
        case "lint": try run("faultfs", ["lint", "--", "sh", "-c", "echo text > note.tmp && mv note.tmp note.txt"])
        case "scenario": try run("lnote-scenario", ["run", "Scenarios/photo-power-cut.scn"])
        default: try ReadmeTests.screen(in: run("lnote-demo", ["--keep", "\(folder.path)/demo"]))
        }
      #expect(ReadmeTests.masked(block.text) == ReadmeTests.masked(output), "the block \(block.name) of README.md")
    }
  }

  @Test func aBlockIsFoundByItsMark() {
    let text = "a\n<!-- pinned: x -->\n```\none\ntwo\n```\nb\n"
    #expect(ReadmeTests.pinned(in: text).map(\.text) == ["one\ntwo\n"])
    #expect(ReadmeTests.pinned(in: "```\none\n```\n").isEmpty)
    #expect(ReadmeTests.masked("passed in 0.4 s") == ReadmeTests.masked("passed in 12 s"))
    #expect(ReadmeTests.masked("4 strokes") != ReadmeTests.masked("5 strokes"))
  }

  /// What a program prints on standard output, run in the repository.
  private func run(_ program: String, _ words: [String]) throws -> String {
    var launch = Launch(try builtProgram(program).description, words)
    launch.workingDirectory = repositoryRoot.bytes
    return try launch.run(limitMilliseconds: 240_000).outputText
  }

  /// The blocks behind a mark, in order.
  private static func pinned(in text: String) -> [(name: String, text: String)] {
    text.split(separator: "<!-- pinned: ").dropFirst().map { part in
      let name = part.prefix { $0 != " " }
      let pieces = part.split(separator: "```\n", omittingEmptySubsequences: false)
      return (name: String(name), text: pieces.count > 1 ? String(pieces[1]) : "")
    }
  }

  /// From the first ruled line on.
  private static func screen(in output: String) -> String {
    output.firstRange(of: "-----").map { String(output[$0.lowerBound...]) } ?? output
  }

  /// Times of a run, stamps of a repair and the door count as equal; blanks at the end of a line too.
  private static func masked(_ text: String) -> String {
    text.replacing(#/[0-9.]+ (s|min)\b( [0-9]+ s\b)?/#, with: "TIME")
      .replacing(#/[0-9]{8}T[0-9]{6}Z/#, with: "STAMP")
      .replacing(#/ (in process|live mount)/#, with: " DOOR")
      .replacing(#/ +\n/#, with: "\n")
  }
}
