import Files
import Processes
import TestSupport
import Testing

/// `lnote-scenario shrink` as it is used.
@Suite struct ScenarioShrinkTests {
  private static let day = """
    scenario v1 "a day"
    mutant close-without-save
    document "Notes" { page p1 strokes 12 points 80; page p2 strokes 3 }

    stroke p1 points 300
    insert-image p2 size 90KiB as photo
    wait until saved
    repeat 3 {
      stroke p2 points 40
      erase p1 last 1
    }
    close
    reopen
    expect p2 equals latest

    """

  /// The values that fail stand in the small file, which needs no others.
  @Test func otherValuesOfParametersAreWrittenDown() throws {
    let workshop = try Workshop()
    try workshop.volume().make(
      "room.scn",
      text: """
        scenario v1 "room"
        include "much.scn"
        document "Notes" { page p1 }
        stroke p1 points 9
        with free-space $room { stroke p1 points $much; background }
        expect ok

        """)
    try workshop.volume().make(
      "much.scn", text: "scenario v1 \"values\"\nparam room = 64KiB\nparam much = 40\n")
    #expect(try workshop.run("lnote-scenario", ["shrink", "room.scn"]).ending == .exited(3))
    #expect(try workshop.run("lnote-scenario", ["shrink", "-D", "room", "room.scn"]).ending == .exited(2))
    #expect(try workshop.run("lnote-scenario", ["shrink", "-D", "rum=0B", "room.scn"]).ending == .exited(2))
    let result = try workshop.run("lnote-scenario", ["shrink", "-D", "room=0B", "-D", "much=50", "room.scn"])
    #expect(result.ending == .exited(0), "\(result.errorText)")
    let small = String(decoding: try workshop.volume().readWhole("room.small.scn", sizeMax: 1 << 20), as: UTF8.self)
    #expect(small.contains("# made small from room.scn with -D room=0B with -D much=50\n"), "\(small)")
    #expect(small.contains("param room = 0B") && !small.contains("include"), "\(small)")
    #expect(try workshop.run("lnote-scenario", ["run", "--fast", "room.small.scn"]).ending == .exited(1))
  }

  /// Seeds and cases are those that are named, else those of the file.
  @Test func casesOfChanceAreTakenInTurn() throws {
    let workshop = try Workshop()
    let text = """
      scenario v1 "x"
      seed 40
      document "Notes" { page p1 strokes 1..9 }
      expect p1 has 100 elements

      """
    try workshop.volume().make("x.scn", text: text)
    for (number, words) in [(40, []), (7, ["--seed", "7"])] as [(Int, [String])] {
      let result = try workshop.run(
        "lnote-scenario", ["shrink", "--to", "\(number).scn", "--runs", "2"] + words + ["x.scn"])
      #expect(result.ending == .exited(0) && result.outputText.contains(" in 2 runs"), "\(result.outputText)")
      let bytes = try workshop.volume().readWhole(BytePath("\(number).scn"), sizeMax: 1 << 20)
      let small = String(decoding: bytes, as: UTF8.self)
      #expect(small.contains("# made small from drawn from x.scn with seed \(number)\n"), "\(small)")
    }
    // Each case has one stroke or two, and two are one too many: sooner or later one fails.
    let either = text.replacing("1..9", with: "1..2").replacing("has 100", with: "has 1")
    try workshop.volume().make("either.scn", text: either)
    let seed = try #require(
      try (1..<40).first { seed in
        try workshop.run(
          "lnote-scenario", ["shrink", "--seed", "\(seed)", "--cases", "1", "--to", "s\(seed).scn", "either.scn"]
        )
        .ending == .exited(3)
      })
    let words = ["shrink", "--seed", "\(seed)", "--to"]
    #expect(
      try workshop.run("lnote-scenario", words + ["few.scn", "--cases", "39", "either.scn"]).ending == .exited(0))
    #expect(try workshop.run("lnote-scenario", words + ["usual.scn", "either.scn"]).ending == .exited(0))
    try workshop.volume().make("one.scn", text: either.replacing("seed 40", with: "budget 1 cases"))
    #expect(try workshop.run("lnote-scenario", words + ["one.small.scn", "one.scn"]).ending == .exited(3))
    // Runs of another program are not the same, so nothing can be made small.
    try workshop.volume().make("other.scn", text: "scenario v1 \"x\"\nstore external\nexec \"true\"\n")
    let other = try workshop.run("lnote-scenario", ["shrink", "other.scn"])
    #expect(other.ending == .exited(2) && other.errorText.contains("it is about another program"))
  }

  @Test func aFailingScenarioIsMadeSmall() throws {
    let workshop = try Workshop()
    try workshop.volume().make("day.scn", text: Self.day)
    let result = try workshop.run("lnote-scenario", ["shrink", "day.scn"])
    #expect(result.ending == .exited(0), "\(result.errorText)")
    #expect(result.outputText.contains("14 lines -> "), "\(result.outputText)")
    #expect(result.outputText.hasSuffix("\nlnote-scenario run --fast day.small.scn\n"), "\(result.outputText)")
    #expect(try workshop.run("lnote-scenario", ["run", "--fast", "day.small.scn"]).ending == .exited(1))
    let small = String(decoding: try workshop.volume().readWhole("day.small.scn", sizeMax: 1 << 20), as: UTF8.self)
    #expect(small.contains("\n# made small from day.scn\n") && small.contains("# or any other number of points\n"))
    // What is there is never written over.
    #expect(try workshop.run("lnote-scenario", ["shrink", "day.scn"]).ending == .exited(4))
    #expect(
      try workshop.run("lnote-scenario", ["shrink", "--to", "x.scn", "--runs", "1", "day.scn"]).ending == .exited(0))
    // What passes cannot be made small, nor what is wrong.
    try workshop.volume().make("good.scn", text: Self.day.replacing("mutant close-without-save\n", with: ""))
    let passes = try workshop.run("lnote-scenario", ["shrink", "good.scn"])
    #expect(passes.ending == .exited(3) && passes.errorText.contains("it does not fail"))
    try workshop.volume().make("wrong.scn", text: "scenario v1 \"x\"\nrenam\n")
    #expect(try workshop.run("lnote-scenario", ["shrink", "wrong.scn"]).ending == .exited(2))
    #expect(try workshop.leftBehind() == [])
  }
}
