import Files
import Processes
import TestSupport
import Testing

/// The verbs of `lnote-scenario` that are about text: new, format, help, explain, adopt, list; and cases that chance makes.
@Suite struct ScenarioWordsTests {
  private func text(_ name: BytePath, in workshop: Workshop) throws -> String {
    String(decoding: try workshop.volume().readWhole(name, sizeMax: 1 << 20), as: UTF8.self)
  }

  @Test func aNewFileRunsAndIsNeverOverwritten() throws {
    let workshop = try Workshop()
    #expect(try workshop.run("lnote-scenario", ["new", "my.scn"]).ending == .exited(0))
    let written = try text("my.scn", in: workshop)
    #expect(written.hasPrefix("scenario v1 \"my\"\n"))
    #expect(try workshop.run("lnote-scenario", ["run", "--fast", "my.scn"]).ending == .exited(0))
    let again = try workshop.run("lnote-scenario", ["new", "--title", "other", "my.scn"])
    #expect(again.ending == .exited(4))
    #expect(again.errorText.hasPrefix("lnote-scenario: my.scn could not be written: "))
    #expect(try text("my.scn", in: workshop) == written)
  }

  @Test func formatLooksOrWrites() throws {
    let workshop = try Workshop()
    let crooked = "scenario   v1 \"t\"\nrepeat 2{\nclose # why\n}\n"
    try workshop.volume().make("a.scn", text: crooked)
    try workshop.volume().make("wrong.scn", text: "scenario v1 \"t\"\nrepeat 2{\n")
    let check = try workshop.run("lnote-scenario", ["format", "--check", "a.scn"])
    #expect(check.ending == .exited(1))
    #expect(check.outputText == "a.scn\n")
    #expect(try text("a.scn", in: workshop) == crooked)
    #expect(try workshop.run("lnote-scenario", ["format", "a.scn"]).ending == .exited(0))
    #expect(try text("a.scn", in: workshop) == "scenario v1 \"t\"\nrepeat 2 {\n  close  # why\n}\n")
    let second = try workshop.run("lnote-scenario", ["format", "--check", "a.scn"])
    #expect(second.ending == .exited(0))
    #expect(second.outputText == "")
    let wrong = try workshop.run("lnote-scenario", ["format", "wrong.scn"])
    #expect(wrong.ending == .exited(2))
    #expect(wrong.errorText.hasPrefix("wrong.scn:2:9: error: this '{' is never closed"))
    #expect(try text("wrong.scn", in: workshop) == "scenario v1 \"t\"\nrepeat 2{\n")
  }

  @Test func helpsAndLists() throws {
    let workshop = try Workshop()
    let help = try workshop.run("lnote-scenario", ["help", "remember"])
    #expect(help.outputText == "remember saved\n    names the content of every page as it is now\n")
    let unknown = try workshop.run("lnote-scenario", ["help", "remembr"])
    #expect(unknown.ending == .exited(2))
    #expect(unknown.errorText.contains("did you mean 'remember'?"))
    for list in ["mutants", "models", "problems", "words", "effects", "operations", "tears"] {
      let result = try workshop.run("lnote-scenario", ["list", list])
      #expect(result.ending == .exited(0))
      #expect(result.outputText.split(separator: "\n").count > 3)
    }
    #expect(try workshop.run("lnote-scenario", ["list", "zebras"]).ending == .exited(2))
  }

  /// A case that fails is kept as a file, fails by its seed, and becomes a regression.
  @Test func aCaseOfChanceIsAFile() throws {
    let workshop = try Workshop()
    try workshop.volume().make(
      "day.scn",
      text: """
        scenario v1 "a day"
        budget 50 cases
        document "Trip" { page p1 }
        repeat 0..5 { stroke p1 points 1..9 }
        expect p1 has 0 elements

        """)
    let run = try workshop.run("lnote-scenario", ["run", "--fast", "--keep", "kept", "day.scn"])
    #expect(run.ending == .exited(1))
    let again = try #require(run.outputText.split(separator: "\n").first { $0.hasPrefix("run again: ") })
    let seed = try #require(again.split(separator: " ").dropLast().last.map(String.init))
    let second = try workshop.run("lnote-scenario", ["run", "--fast", "--seed", seed, "day.scn"])
    #expect(second.ending == .exited(1))
    #expect(second.outputText.contains("seed \(seed)\n"))
    #expect(try workshop.run("lnote-scenario", ["run", "--fast", "kept/case.scn"]).ending == .exited(1))
    let adopted = try workshop.run("lnote-scenario", ["adopt", "--into", "regressions", "kept/case.scn"])
    #expect(adopted.outputText == "regressions/a-day.scn\n")
    #expect(try text("regressions/a-day.scn", in: workshop) == text("kept/case.scn", in: workshop))
    #expect(
      try workshop.run("lnote-scenario", ["adopt", "--into", "regressions", "kept/case.scn"]).ending == .exited(4))
    #expect(try workshop.run("lnote-scenario", ["adopt", "day.scn"]).ending == .exited(2))
    let explained = try workshop.run("lnote-scenario", ["explain", "day.scn"])
    #expect(explained.outputText.contains("   4  repeat 0..5\n"))
  }

  @Test func includesStandBesideTheFile() throws {
    let workshop = try Workshop()
    let volume = try workshop.volume()
    try volume.makeDirectory("parts", permissions: 0o755)
    try volume.make(
      "parts/pens.scn", text: "scenario v1 \"pens\"\ndefine draw(page) {\n  stroke $page points 9\n}\n")
    try volume.make(
      "a.scn",
      text:
        "scenario v1 \"a\"\ninclude \"parts/pens.scn\"\ndocument \"T\" { page p1 }\ndo draw(p1)\nexpect p1 has 1 elements\n"
    )
    #expect(try workshop.run("lnote-scenario", ["run", "--fast", "a.scn"]).ending == .exited(0))
    try volume.make("b.scn", text: "scenario v1 \"b\"\ninclude \"parts/none.scn\"\n")
    let missing = try workshop.run("lnote-scenario", ["check", "b.scn"])
    #expect(
      missing.errorText.hasPrefix("b.scn:2:9: error: 'parts/none.scn' cannot be included: No such file or directory"))
  }
}
