import Harness
import Scenarios
import Testing

@testable import Inventing

/// What does not matter in a failing scenario stands behind its steps, and what matters does not.
@Suite struct ExplainedTextTests {
  private func explained(_ text: String, runsMax: Int = 200, stepsMax: Int = 100_000) throws -> ExplainedText {
    let doors = try Doors(.inProcess)
    func run(_ text: String) -> ScenarioTrial { ScenarioTrial(text: text, file: "x", doors: doors) }
    let failed = run(text)
    #expect(failed.signature != nil)
    let explained = ExplainedText(text, failed, runsMax: runsMax, stepsMax: stepsMax, run: run)
    // It is the same failure, in the same line.
    let again = run(explained.text)
    #expect(again.failsLike(failed))
    #expect(again.report.flatMap { Failure($0)?.line } == failed.report.flatMap { Failure($0)?.line })
    return explained
  }

  /// The autosave comes after 500 ms: what was drawn is lost before it, however much it is.
  private static let early = """
    scenario v1 "x"
    document "Trip" { page p1 strokes 2 points 20; page p2 }

    stroke p1 points 7
    wait 100ms
    kill
    reopen
    expect p1 equals latest

    """

  @Test func whatDoesNotMatterIsTold() throws {
    let early = try explained(Self.early)
    #expect(
      early.text == """
        scenario v1 "x"
        document "Trip" { page p1 strokes 2 points 20; page p2 }  # or any other number of strokes, any other number of points

        stroke p1 points 7  # or any other number of points
        wait 100ms
        kill
        reopen
        expect p1 equals latest

        """, "\(early.text)")
    #expect(early.isWhole)
    #expect(early.summary == "\(early.runs) to see what matters")
    #expect(early.runs < 60, "\(early.runs)")
  }

  /// The page matters here: the other one is saved before.
  @Test func aPageIsToldWhereAnyWillDo() throws {
    let text = Self.early.replacing("expect p1 equals latest", with: "expect p2 has 1 elements")
      .replacing("wait 100ms", with: "wait until saved")
    let matters = try explained(text)
    #expect(matters.text.contains("\nstroke p1 points 7  # or any other number of points\n"), "\(matters.text)")
    let other = try explained(text.replacing("expect p2 has 1", with: "expect p2 has 2"))
    #expect(
      other.text.contains("\nstroke p1 points 7  # or any other page, any other number of points\n"),
      "\(other.text)")
  }

  /// What there was no room for is not told to be free.
  @Test func itEndsInTime() throws {
    let few = try explained(Self.early, runsMax: 5)
    #expect(few.runs == 5 && !few.isWhole && few.text == Self.early)
    #expect(few.summary == "5 to see what matters, of some values only")
    let steps = try explained(Self.early, stepsMax: 20)
    #expect(!steps.isWhole && steps.text == Self.early)
    #expect(try explained(Self.early, runsMax: 0).summary == nil)
  }

  @Test func argumentsAreFound() {
    let lines = [
      "scenario v1 \"points 5\"", "# points 5", "model ext4-ordered",
      "document \"At points 3\" as trip { page p1 strokes 3 }", "expect p1 has 4 elements", "note \"points 5\"",
      "with maybe short-write 512B on write of page p1 nth 2 {", "  move p2 by 7, 0", "}",
      "insert-image p1 size 4MiB as a", "for each crash at-most 24 in {",
    ]
    let found = ScenarioArgument.all(of: lines, pages: ["p1", "p2"])
    #expect(
      found.map { "\($0.line) \($0.what)" } == [
        "3 number of strokes", "6 size", "6 page", "6 turn", "7 page", "7 distance", "9 page", "9 size",
      ])
    #expect(found[1].others.first == "1B" && found[1].others.last == "987B")
    #expect(found[3].others == ["1", "3", "5", "8", "13", "21"])
    #expect(found[5].line(lines[7], with: "89") == "  move p2 by 89, 0")
    #expect(found[4].others == ["p1"])
    #expect(found[7].others == ["1MiB", "2MiB", "3MiB"])
    // With one page there is no other.
    #expect(ScenarioArgument.all(of: ["x", "delete page p1"], pages: ["p1"]).isEmpty)
  }
}
