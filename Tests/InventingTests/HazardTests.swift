import Harness
import PropertyTesting
import Scenarios
import Testing

@testable import Inventing

/// What goes wrong in a made-up session: where it strikes, and what stands around it.
@Suite struct HazardTests {
  private typealias Aim = ScenarioInventor.Aim

  private func scenarios(_ aim: Aim, seeds: Range<UInt64> = 0..<40) -> [InventedScenario] {
    seeds.map { ScenarioInventor().scenario(from: ChoiceSource(beyond: .random(seed: $0)), aim: aim) }
  }

  private func only(_ hazard: ScenarioInventor.Hazard) throws -> Aim { try #require(Aim.all(hazard).first) }

  /// Each aim at a fault is hit by its effect and its operation, whatever the session.
  @Test func everyFaultIsHit() throws {
    for aim in Aim.all(.fault) {
      let effect = HazardWriter.effects[try #require(aim.effect)]
      let operation = HazardWriter.operations(of: effect)[try #require(aim.operation)]
      for scenario in scenarios(aim, seeds: 0..<3) {
        let text = scenario.text(title: "x")
        #expect(text.contains("with maybe \(effect) on \(operation) of "), "\(aim)\n\(text)")
      }
    }
    for aim in Aim.all(.everyFailure) {
      let error = HazardWriter.errors[try #require(aim.effect)]
      let operations = HazardWriter.failureOperations[try #require(aim.operation)]
      for scenario in scenarios(aim, seeds: 0..<3) {
        #expect(scenario.text(title: "x").contains("for each failure \(error)\(operations) at-most 40 in {"), "\(aim)")
      }
    }
  }

  /// A fault that strikes again strikes later ones; a folder that is made is called by no page's name.
  @Test func aFaultStrikesOneAfterTheOther() throws {
    let aims = Aim.all(.fault).filter { $0.effect == 0 }
    var again = 0
    for scenario in aims.flatMap({ scenarios($0, seeds: 0..<8) }) {
      guard case .block(let head, _, _) = scenario.middle else { continue }
      let places = head.split(separator: " and ").compactMap { hit in
        hit.firstRange(of: "nth ").flatMap { Int(hit[$0.upperBound...].prefix { $0.isNumber }) }
      }
      again += places.count - 1
      #expect(zip(places, places.dropFirst()).allSatisfy { $0 < $1 }, "\(head)")
      #expect(!head.contains("on mkdir") || head.contains("on mkdir of \"**\""), "\(head)")
    }
    #expect(again > 20)
    #expect(aims.contains { HazardWriter.operations(of: "EIO")[$0.operation ?? 0] == "mkdir" })
  }

  /// A short run of aims sees more than the beginning of their list.
  @Test func aimsThatFollowAreFarApart() {
    let faults = (0..<Aim.turns.count * 3).map { Aim(number: $0) }.filter { $0.hazard == .fault }
    #expect(faults.count == 12)
    #expect(Set(faults.map(\.effect)).count > 3 && Set(faults.map(\.operation)).count > 3)
  }

  /// What is read has to be out of memory before.
  @Test func whatCannotBeReadIsOpenedAgain() throws {
    for scenario in scenarios(try only(.unreadable)) { #expect(scenario.steps.suffix(2) == ["close", "reopen"]) }
  }

  /// Only what was saved comes back older, and the check has to notice.
  @Test func aPageThatComesBackOlderWasSaved() throws {
    for scenario in scenarios(try only(.olderPage)) {
      guard case .block(let head, _, let after) = scenario.middle else { continue }
      #expect(head.hasPrefix("with torn-rename old-target"))
      #expect(scenario.steps.last == "background")
      #expect(after.first == "expect fsck exactly page-rolled-back")
    }
  }

  /// Where no page has stayed none comes back.
  @Test func whereNoPageHasStayedNoneComesBack() throws {
    let aim = try only(.olderPage)
    let plain = try #require(
      (0..<4000 as Range<UInt64>).lazy.flatMap { self.scenarios(aim, seeds: $0..<($0 + 1)) }.first {
        if case .plain = $0.middle { true } else { false }
      })
    #expect(plain.steps.contains { $0.hasPrefix("add page") } || plain.text(title: "x").contains("add page"))
  }

  /// Nobody opens a document behind a rename that the disk has torn.
  @Test func nothingIsOpenedBehindATornRename() throws {
    for scenario in scenarios(try only(.tornRename), seeds: 0..<80) {
      guard case .sweep(_, let steps, _) = scenario.middle else { continue }
      #expect(!steps.contains("close") && !steps.contains("reopen"))
    }
  }

  /// Each document keeps a page, whatever is deleted.
  @Test func noDocumentLosesItsLastPage() {
    for seed in 0..<600 as Range<UInt64> {
      let text = ScenarioInventor().scenario(from: ChoiceSource(beyond: .random(seed: seed))).text(title: "x")
      var pages: [String: Int] = [:]
      var document = ""
      for line in text.split(separator: "\n").map({ $0.drop { $0 == " " } }) {
        let words = line.split(separator: " ")
        if words[0] == "document" {
          document = words.count > 3 ? String(words[3]) : ""
        } else if words[0] == "page" {
          pages[document, default: 0] += 1
        } else if words.count > 2, words[1] == "page", words[0] == "add" || words[0] == "delete" {
          let own = words[2].contains(".") ? String(words[2].prefix { $0 != "." }) : document
          pages[own, default: 0] += words[0] == "add" ? 1 : -1
          #expect(pages[own, default: 0] > 0, "seed \(seed)\n\(text)")
        }
      }
    }
  }
}
