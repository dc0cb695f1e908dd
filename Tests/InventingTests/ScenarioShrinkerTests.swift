import Campaigns
import Harness
import Scenarios
import Testing

@testable import Inventing

/// Failing scenarios made small: by hand, with a seeded bug, by a sweep, by chance.
@Suite struct ScenarioShrinkerTests {
  private func shrink(_ text: String, seeds: Range<UInt64>? = nil, runsMax: Int = 300) throws -> FailingText.Small? {
    let file = CaseWork.CaseText(file: "day.scn", text: text)
    return FailingText(file, seeds: seeds, doors: try Doors(.inProcess))?.shrunk(runsMax: runsMax)
  }

  /// A day of work, in which a bug of the store loses what was drawn.
  private static let day = """
    scenario v1 "a day"
    # A long one.
    mutant close-without-save
    autosave 700ms
    document "Notes" as notes { page p1 strokes 12 points 80; page p2 strokes 3 }
    document "Diary" as diary { page p1 strokes 4 }

    stroke notes.p1 points 300
    insert-image diary.p1 size 90KiB as photo
    wait until saved
    repeat 3 {
      stroke diary.p1 points 40
      erase notes.p1 last 1
      wait 900ms
    }
    background
    foreground
    with maybe slow 20ms on write {
      stroke notes.p2 points 400
      stroke diary.p1 points 60
    }
    close
    reopen
    expect diary.p1 equals latest
    expect document loads
    """

  @Test func aSeededBugIsMadeSmall() throws {
    let small = try #require(try shrink(Self.day))
    #expect(
      small.text == """
        scenario v1 "a day"

        mutant close-without-save

        document "Notes" as notes { page p1 strokes 1 points 1 }  # or any other number of strokes, any other number of points

        stroke notes.p1 points 1  # or any other number of points
        close

        """, "\(small.text)")
    #expect(small.runs < 120, "\(small.runs)")
  }

  /// A sweep becomes the crash that convicts, and a fault that is not needed goes.
  @Test func aSweepBecomesItsCrash() throws {
    let text = """
      scenario v1 "x"
      durability none
      model ext4-ordered
      document "Trip" { page p1 strokes 2 points 20 }
      with maybe slow 20ms on write { stroke p1 points 90 }
      for each crash at-most 12 in {
        stroke p1 points 30
        background
      }
      check {
        reopen
        expect document loads
        expect p1 at-least last-durable
      }
      """
    let small = try #require(try shrink(text))
    #expect(!small.text.contains("for each") && small.text.contains("power-cut"), "\(small.text)")
    #expect(!small.text.contains("slow") && !small.text.contains("expect document loads"), "\(small.text)")
    #expect(small.text.hasSuffix("reopen\nexpect p1 at-least last-durable\n"), "\(small.text)")
  }

  /// The first case that fails is taken, with what chance has done.
  @Test func aCaseOfChanceIsMadeSmall() throws {
    let text = """
      scenario v1 "x"
      document "Trip" { page p1 strokes 3..9 }
      stroke p1 points 2..50
      with maybe EIO on write of page p1 probability 0.5 { background; expect ok }
      """
    let file = CaseWork.CaseText(file: "day.scn", text: text)
    let failing = try #require(FailingText(file, seeds: 1..<40, doors: try Doors(.inProcess)))
    #expect(failing.text.contains("nth 1 ") && !failing.text.contains("probability"), "\(failing.text)")
    #expect(failing.comment.hasPrefix("drawn from day.scn with seed "))
    #expect(failing.shrunk(runsMax: 200).text.contains("with maybe EIO on write of page p1 nth 1"))
    #expect(FailingText(file, seeds: 1..<1, doors: try Doors(.inProcess)) == nil)
  }

  /// A number that cannot be 1 is as small as it goes, and what is expected stays.
  @Test func numbersAreHalved() throws {
    let text = "scenario v1 \"x\"\n\ndocument \"T\" { page p1 }\n\nwait 3700ms\n"
    let failed = try trial(Self.weak)
    let passed = try trial(text)
    let small = ScenarioShrinker.shrink(text, failed, runsMax: 99) { text in
      let figure = text.firstRange(of: "wait ").map { text[$0.upperBound...].prefix { $0.isNumber } } ?? ""
      return Int(figure) ?? 0 >= 500 ? failed : passed
    }
    #expect(small.text.contains("\nwait 500ms\n"), "\(small.text)")
    let expected = try #require(
      try shrink("scenario v1 \"x\"\ndocument \"T\" { page p1 strokes 3 }\nexpect p1 has 9 elements\n"))
    #expect(expected.text.contains("expect p1 has 9 elements"), "\(expected.text)")
  }

  private func trial(_ text: String) throws -> ScenarioTrial {
    ScenarioTrial(text: text, file: "x", doors: try Doors(.inProcess))
  }

  private static func sweep(_ settings: String, _ check: String) -> String {
    """
    scenario v1 "x"
    \(settings)
    document "Trip" { page p1 strokes 2 points 20 }
    for each crash in {
      stroke p1 points 30
      background
    }
    check {
      reopen
      \(check)
    }

    """
  }

  private static let weak = sweep("durability none\nmodel ext4-ordered", "expect p1 at-least last-durable")

  /// What fails otherwise in another shape stays as it was, and a crash that shows another mistake is not taken.
  @Test func whatFailsOtherwiseIsNotTaken() throws {
    let failed = try trial(Self.weak)
    let passed = try trial("scenario v1 \"x\"\ndocument \"T\" { page p1 }\n")
    let other = try trial("scenario v1 \"x\"\ndocument \"T\" { page p1 }\nexpect p1 has 3 elements\n")
    let stays = ScenarioShrinker.shrink(Self.weak, failed, runsMax: 50) { _ in passed }
    #expect(stays.text == Self.weak && stays.runs == 1)
    let swept = ScenarioShrinker.shrink(Self.weak, failed, runsMax: 50) { $0.contains("for each") ? failed : other }
    #expect(swept.text.contains("for each crash"), "\(swept.text)")
    // A text without chance is taken only where it fails alike.
    let chance = """
      scenario v1 "x"
      document "T" { page p1 }
      stroke p1
      with maybe EIO on write of page p1 probability 0.7 { background; expect ok }

      """
    let draws = try (1..<20).map { try DrawnText(of: CaseWork.CaseText(file: "x", text: chance), seed: $0) }
    let drawn = try #require(try draws.first { try trial($0.text).signature != nil })
    let hit = try trial(drawn.text)
    #expect(FailingText(drawn, hit) { _ in passed }.text == drawn.text)
    #expect(FailingText(drawn, hit) { _ in hit }.text.contains("nth 1"))
  }

  @Test func stepsAreCounted() throws {
    let failed = try trial(Self.weak)
    let few = ScenarioShrinker.shrink(Self.weak, failed, runsMax: 50, stepsMax: 1) { _ in failed }
    #expect(few.runs == 2)
  }

  /// Bounds are kept, and what passes is nothing to make small.
  @Test func itEndsInTime() throws {
    #expect(try #require(try shrink(Self.day, runsMax: 5)).runs == 5)
    #expect(try shrink(Self.day.replacing("mutant close-without-save\n", with: "")) == nil)
  }
}
