import Campaigns
import Harness
import PropertyTesting
import Scenarios
import Testing

@testable import Inventing

/// What a made-up case draws, how long it goes on, and what its failure is called.
@Suite struct InventedCaseTests {
  private func planned(_ number: Int) -> PlannedCase { PlannedCase(kind: .invented, name: "\(number)") }

  private func one(
    _ number: Int, _ inventor: ScenarioInventor, campaignSeed: UInt64 = 5, runsMax: Int = 20, statesMax: Int = 3000
  ) throws -> InventedCase {
    InventedCase(
      planned(number), campaignSeed: campaignSeed, inventor, try Doors(.inProcess), shrinkRunsMax: runsMax,
      shrinkStatesMax: statesMax, stepsMax: CampaignPlan.stepsMaxUsual)
  }

  /// Each campaign begins at another place of the list of aims.
  @Test func aCampaignBeginsAtItsOwnAim() {
    for (number, seed) in [(0, 0), (0, 7), (12, 7), (3, 1_000_003)] as [(Int, UInt64)] {
      let place = number + Int(seed % 1_000_003)
      #expect(InventedCase.aim(planned(number), campaignSeed: seed) == ScenarioInventor.Aim(number: place))
    }
  }

  /// The first draws of a case keep to its aim; where nothing comes of them, chance alone is asked.
  @Test func aCaseKeepsToItsAim() throws {
    let inventor = ScenarioInventor()
    for number in 0..<20 {
      let one = try one(number, inventor)
      let aim = InventedCase.aim(planned(number), campaignSeed: 5)
      let seed = planned(number).seed(ofCampaign: 5)
      for draw in 0..<5 {
        let source = ChoiceSource(beyond: .random(seed: seed &+ UInt64(draw)))
        #expect(one.drawn(draw).scenario == inventor.scenario(from: source, aim: draw < 3 ? aim : nil))
      }
    }
  }

  /// A scenario of which nothing can be said is followed by another.
  @Test func itDrawsUntilSomethingCanBeSaid() throws {
    let inventor = ScenarioInventor()
    let doors = try Doors(.inProcess)
    let open = try #require(
      (0..<400).first { number in
        let text = InventedCase.firstScenario(self.planned(number), campaignSeed: 5, inventor)
        guard text.contains("\nkill on ") else { return false }
        return ScenarioTrial(text: text, file: "x", doors: doors).report?.verdict == .inconclusive
      })
    guard case .passed = try one(open, inventor).record().outcome else {
      Issue.record("case \(open): \(try one(open, inventor).record().outcome)")
      return
    }
  }

  /// A failure keeps the name of the scenario that was drawn, also where one crash takes the place of all of them.
  @Test func aFailureOfASweepKeepsItsName() throws {
    let inventor = ScenarioInventor(mutant: "overwrite-in-place", models: ["ext4-ordered"])
    let doors = try Doors(.inProcess)
    let number = try #require(
      (0..<200).first { number in
        let text = InventedCase.firstScenario(self.planned(number), campaignSeed: 5, inventor)
        guard text.contains("for each crash at-most 24 "), text.split(separator: "\n").count < 26 else { return false }
        return ScenarioTrial(text: text, file: "x", doors: doors).signature != nil
      })
    let text = InventedCase.firstScenario(planned(number), campaignSeed: 5, inventor)
    let signature = try #require(ScenarioTrial(text: text, file: "x", doors: doors).signature)
    let told = try one(number, inventor, runsMax: 160, statesMax: 100).record()
    let finding = try #require(told.finding, "\(told.outcome)")
    #expect(finding.signature == signature && signature.contains("/crash/"))
    #expect(!finding.scenario.contains("for each"), "\(finding.scenario)")
    // Nothing is judged behind what fails.
    let lines = finding.scenario.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(finding.line == lines.count - 1, "\(finding.scenario)")
    #expect(finding.shrunk?.contains(" to see what matters") == true, "\(finding.shrunk ?? "")")
    #expect(finding.again == .init(failed: 10, of: 10))
    // Without states to judge nothing is made small.
    let large = try #require(try one(number, inventor, runsMax: 4, statesMax: 0).record().finding?.shrunk)
    let steps = large.split(separator: " ").compactMap { Int($0) }
    #expect(steps[0] == steps[1], "\(large)")
  }
}
