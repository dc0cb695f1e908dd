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

  @Test func aFailingScenarioIsMadeSmall() throws {
    let workshop = try Workshop()
    try workshop.volume().make("day.scn", text: Self.day)
    let result = try workshop.run("lnote-scenario", ["shrink", "day.scn"])
    #expect(result.ending == .exited(0), "\(result.errorText)")
    #expect(result.outputText.contains("14 lines -> "), "\(result.outputText)")
    #expect(result.outputText.hasSuffix("\nlnote-scenario run --fast day.small.scn\n"), "\(result.outputText)")
    #expect(try workshop.run("lnote-scenario", ["run", "--fast", "day.small.scn"]).ending == .exited(1))
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
