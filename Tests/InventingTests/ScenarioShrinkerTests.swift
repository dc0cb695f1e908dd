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

        document "Notes" as notes { page p1 strokes 1 points 1 }

        stroke notes.p1 points 1
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

  /// Bounds are kept, and what passes is nothing to make small.
  @Test func itEndsInTime() throws {
    #expect(try #require(try shrink(Self.day, runsMax: 5)).runs == 5)
    #expect(try shrink(Self.day.replacing("mutant close-without-save\n", with: "")) == nil)
  }
}
