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

  /// One document mostly, and two or three often enough; steps go from one to the other.
  @Test func documentsAreSeveralAtTimes() {
    let counts = (0..<400 as Range<UInt64>).map { scenario($0).documents.count }
    let shares = [1, 2, 3].map { count in counts.count { $0 == count } }
    #expect(shares[0] > 300 && shares[1] > 30 && shares[2] > 3, "\(shares)")
    let texts = (0..<1000 as Range<UInt64>).map { scenario($0).text(title: "x") }
    #expect(texts.contains { $0.contains(" notes.p") && $0.contains(" diary.p") && $0.contains(" physics.p") })
    let several = [
      "delete page ", "move page ", "insert-image diary.p1", "of page notes.p1", "undo in notes", "undo in diary",
      "redo in ", "title \"Title 1\" in diary", "add page notes.p", "add page diary.p",
    ]
    for word in several {
      #expect(texts.contains { $0.contains(" as diary {") && $0.contains(word) }, "\(word)")
    }
  }

  /// What several documents have shown is told with one where one is enough.
  @Test func aFailureIsMadeSmallToOneDocument() throws {
    let inventor = ScenarioInventor()
    let seed = try #require(
      (0..<2000 as Range<UInt64>).first { seed in
        let text = scenario(seed).text(title: "x")
        return text.contains(" as physics {") && text.contains("insert-image ") && text.contains("for each crash")
      })
    let property = Property("a photo, and every crash") { source in
      let text = inventor.scenario(from: source).text(title: "x")
      return text.contains("insert-image ") && text.contains("for each crash") ? .fails(bucket: "x") : .holds
    }
    let source = ChoiceSource(beyond: .random(seed: seed))
    _ = inventor.scenario(from: source)
    var search = Search(property)
    let result = search.run(stored: [source.record(.fails(bucket: "x")).values])
    let small = try #require(result.failures.first?.record.values)
    let text = inventor.scenario(from: ChoiceSource(prefix: small)).text(title: "x")
    #expect(text.contains("document \"Notes\" {\n  page p1\n}\n\nfor each crash"), "\(text)")
    #expect(text.contains("in {\n  insert-image p1 size 4KiB as a1\n  background\n}\ncheck {"), "\(text)")
  }

  /// What a case is about is drawn like all else: the choices alone make it again.
  @Test func anAimIsKeptInTheChoices() {
    for number in 0..<200 {
      let aim = ScenarioInventor.Aim(number: number)
      let source = ChoiceSource(beyond: .random(seed: UInt64(number)))
      let first = ScenarioInventor().scenario(from: source, aim: aim)
      #expect(ScenarioInventor().scenario(from: ChoiceSource(prefix: source.record(.holds).values)) == first)
      let text = first.text(title: "x")
      #expect(ScenarioReading.read(Array(text.utf8), file: "x", vocabulary: .own).text == "", "\(number)\n\(text)")
    }
  }

  /// A long run aims at all there is, and a short one at each hazard as often as chance would.
  @Test func aimsLeaveNothingOut() {
    let aims = (0..<800).map { ScenarioInventor.Aim(number: $0) }
    for hazard in ScenarioInventor.Hazard.allCases {
      let all = ScenarioInventor.Aim.all(hazard)
      #expect(Set(all).subtracting(aims).isEmpty, "\(hazard)")
      #expect(Set(all).count == all.count)
      #expect(ScenarioInventor.Aim.turns.count { $0 == hazard } == hazard.weight)
    }
    #expect(ScenarioInventor.Aim.turns.count == ScenarioInventor.Hazard.allCases.reduce(0) { $0 + $1.weight })
  }

  /// What is aimed at is hit, where the session has such a file.
  @Test func anAimIsHit() throws {
    let aims = ScenarioInventor.Aim.all(.cutInside)
    let manifest = try #require(aims.first { $0.file == .manifest && $0.effect == 1 && $0.operation == 4 })
    for seed in 0..<20 as Range<UInt64> {
      let scenario = ScenarioInventor().scenario(from: ChoiceSource(beyond: .random(seed: seed)), aim: manifest)
      #expect(scenario.text(title: "x").contains("kill on unlink of manifest nth "))
    }
  }

  /// Every kind of hazard and of step comes about.
  @Test func nothingIsNeverDrawn() {
    let texts = (0..<400 as Range<UInt64>).map { scenario($0).text(title: "x") }
    let words = [
      "power-cut\n", "power-cut keep-all", "kill\n", "power-cut on", "kill on", "for each crash", "with maybe EIO",
      "fsync-fail drop-dirty", "for each failure", "for each torn-rename", "with free-space", "insert-image", "erase",
      "delete a", "undo", "redo", "add page", "delete page", "move page", "move p", "title", "foreground", "close",
      "wait until saved", "wait 600ms", "background", "and maybe", "torn-rename old-target", "expect count",
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

  /// Several documents, with all that is about one of them: few seeds draw that.
  @Test func theStorePassesSessionsOfSeveralDocuments() throws {
    let doors = try Doors(.inProcess)
    let texts = (0..<2000 as Range<UInt64>).lazy.map { self.scenario($0).text(title: "x") }
    for word in ["undo in ", "redo in ", "title \"Title 1\" in ", "add page diary.p"] {
      let text = try #require(texts.first { $0.contains(word) && !$0.contains("for each") })
      let trial = ScenarioTrial(text: text, file: "x", doors: doors)
      #expect(trial.report?.verdict != .failed, "\(trial.report?.text(again: "", kept: nil) ?? "")\n\(text)")
    }
  }

  /// Pages that come back older, and sessions that end on a full disk: what few seeds draw.
  @Test(arguments: [ScenarioInventor.Hazard.olderPage, .fullDisk]) func theStorePassesWhatIsRare(
    hazard: ScenarioInventor.Hazard
  ) throws {
    let doors = try Doors(.inProcess)
    let aim = try #require(ScenarioInventor.Aim.all(hazard).first)
    for seed in 0..<12 as Range<UInt64> {
      let scenario = ScenarioInventor().scenario(from: ChoiceSource(beyond: .random(seed: seed)), aim: aim)
      let trial = ScenarioTrial(text: scenario.text(title: "x"), file: "x", doors: doors)
      #expect(trial.report?.verdict == .passed, "\(trial.report?.text(again: "", kept: nil) ?? "")\n\(scenario)")
    }
  }

  /// With models given there is no rename to be torn besides.
  @Test func whatIsMadeUpForModelsCanBeRead() {
    let inventor = ScenarioInventor(models: ["ext4-ordered"])
    for seed in 0..<100 as Range<UInt64> {
      let text = inventor.scenario(from: ChoiceSource(beyond: .random(seed: seed))).text(title: "x")
      #expect(!text.contains("torn-rename"))
    }
  }

  @Test func aCrashBecomesAStep() {
    let swept = InventedScenario(
      settings: [], documents: [.init(pages: ["page p1"])], steps: ["undo"],
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
