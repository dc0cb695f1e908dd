import Harness
import PropertyTesting
import Scenarios
import Testing

@testable import Inventing

@Suite struct InventorTests {
  private func scenario(_ seed: UInt64, mutant: String? = nil) -> InventedScenario {
    ScenarioInventor(mutant: mutant).scenario(from: ChoiceSource(beyond: .random(seed: seed)))
  }

  /// A text that the reader refuses would be a mistake of ours, and such a case would prove nothing.
  @Test func everyScenarioIsRight() {
    for seed in 0..<300 as Range<UInt64> {
      let text = scenario(seed).text(title: "x")
      let reading = ScenarioReading.read(Array(text.utf8), file: "x", vocabulary: .own)
      #expect(reading.text == "", "seed \(seed)\n\(text)")
    }
  }

  @Test func theSimplestIsShort() {
    #expect(
      ScenarioInventor(mutant: "retry-fsync", models: ["xfs"], durability: "file").scenario(from: ChoiceSource())
        .text(title: "x", comments: ["why"]) == """
          scenario v1 "x"
          # why

          model xfs
          durability file
          mutant retry-fsync

          document "Notes" {
            page p1
          }

          stroke p1 points 5
          background
          power-cut
          reopen
          expect document loads
          expect fsck never asset-missing
          expect fsck no-loss
          repair
          expect fsck clean

          """)
  }

  @Test func theSameChoicesMakeTheSameScenario() {
    for seed in 0..<50 as Range<UInt64> {
      let source = ChoiceSource(beyond: .random(seed: seed))
      let first = ScenarioInventor().scenario(from: source)
      let values = source.record(.holds).values
      #expect(ScenarioInventor().scenario(from: ChoiceSource(prefix: values)) == first)
    }
    #expect(scenario(1) != scenario(2))
  }

  /// Every kind of hazard and of step comes about.
  @Test func nothingIsNeverDrawn() {
    let texts = (0..<400 as Range<UInt64>).map { scenario($0).text(title: "x") }
    let words = [
      "power-cut\n", "power-cut keep-all", "kill\n", "power-cut on", "kill on", "for each crash", "with maybe EIO",
      "fsync-fail drop-dirty", "for each failure", "for each torn-rename", "with free-space", "insert-image", "erase",
      "delete a", "undo", "redo", "add page", "delete page", "move page", "move p", "title", "foreground", "close",
      "wait until saved", "wait 600ms", "background",
    ]
    for word in words { #expect(texts.contains { $0.contains(word) }, "\(word)") }
  }

  /// The store as it is has to pass what is made up: else the scenarios ask for too much.
  @Test func theStorePasses() throws {
    let doors = try Doors(.inProcess)
    for seed in 0..<14 as Range<UInt64> {
      let text = scenario(seed).text(title: "x")
      let trial = ScenarioTrial(text: text, file: "x", doors: doors)
      #expect(trial.report?.verdict != .failed, "\(trial.report?.text(again: "", kept: nil) ?? "")\n\(text)")
    }
  }

  @Test func aCrashBecomesAStep() {
    let swept = InventedScenario(
      settings: [], pages: ["page p1"], steps: ["undo"],
      middle: .sweep("for each crash in {", ["background"], check: ["reopen"]),
      ending: [])
    let block = swept.concrete("power-cut losing write of page p1 on rename of page p1 after {")
    #expect(
      block?.text(title: "x").hasSuffix(
        "undo\npower-cut losing write of page p1 on rename of page p1 after {\n  background\n}\nreopen\n") == true)
    let step = swept.concrete("power-cut losing write of page p1")
    #expect(step?.text(title: "x").hasSuffix("undo\nbackground\npower-cut losing write of page p1\nreopen\n") == true)
    var plain = swept
    plain.middle = .plain([])
    #expect(plain.concrete("power-cut") == nil)
  }
}
