import Harness
import Testing

@Suite struct HistoryTests {
  /// Versions a, b, c, made by commands 1, 3 and 5.
  private func history(durable: UInt64? = nil) -> History<String> {
    var history = History("a", madeBy: 1, isDurable: false)
    history.append("b", number: 3)
    history.append("c", number: 5)
    if let durable { history.acknowledge(upTo: durable) }
    return history
  }

  static let acknowledgements: [(upTo: UInt64, durable: String?)] = [
    (0, nil), (1, "a"), (2, "a"), (3, "b"), (4, "b"), (5, "c"), (99, "c"),
  ]

  @Test(arguments: acknowledgements) func acknowledgesWhatIsNotNewer(upTo: UInt64, durable: String?) {
    #expect(history(durable: upTo).lastDurable == durable)
  }

  @Test func aLaterAcknowledgementIsNotTakenBack() {
    var history = history(durable: 5)
    history.acknowledge(upTo: 3)
    #expect(history.lastDurable == "c")
  }

  @Test func aCrashAbandonsWhatIsNewerThanWhatItLeft() {
    var history = history(durable: 1)
    history.resume(from: "b", number: 7, isDurable: true)
    #expect(history.breaches.isEmpty)
    #expect(history.working == "b")
    #expect(history.lastDurable == "b")
    #expect(history.latest == "c", "what the user drew is remembered, though it is lost")
    #expect(history.index(of: "c") == nil, "it can no longer come back")
    history.append("d", number: 8)
    #expect(history.latest == "d")
  }

  @Test func aKillDoesNotMakeDurable() {
    var history = history(durable: 1)
    history.resume(from: "c", number: 7, isDurable: false)
    #expect(history.lastDurable == "a")
  }

  /// What is found behind a crash where "b" was called durable.
  static let findings: [(found: String, isBreach: Bool, isOlder: Bool)] = [
    ("c", false, false), ("b", false, false), ("a", true, true), ("x", true, false),
  ]

  @Test(arguments: findings) func aBreachStaysWhateverComesAfterwards(found: String, isBreach: Bool, isOlder: Bool) {
    for isDurable in [true, false] {
      var history = history(durable: 3)
      history.resume(from: found, number: 7, isDurable: isDurable)
      history.append("d", number: 8)
      history.acknowledge(upTo: 8)
      #expect(history.working == "d")
      #expect(history.breaches.map(\.owed) == (isBreach ? ["b"] : []))
      #expect(history.breaches.map(\.found) == (isBreach ? [found] : []))
      #expect(history.breaches.map(\.isOlder) == (isBreach ? [isOlder] : []))
    }
  }

  @Test func aRepairThatBringsBackWhatWasOwedEndsTheBreach() {
    var history = history(durable: 3)
    history.resume(from: "a", number: 7, isDurable: true)
    #expect(history.lastDurable == "b", "what was promised is not forgotten")
    #expect(history.floor == "a")
    history.resume(from: "b", number: 8, isDurable: true)
    #expect(history.breaches.isEmpty)
    #expect(history.working == "b")
  }

  /// "c" was on its way when the crash came; a repair finds and finishes it later.
  @Test(arguments: [(false, false), (false, true), (true, true), (true, false)])
  func aRepairMayFinishAnOldSave(isRepaired: Bool, isEditedSince: Bool) {
    var history = history(durable: 3)
    history.resume(from: "b", number: 7, isDurable: true)
    if isEditedSince {
      history.append("d", number: 8)
      history.acknowledge(upTo: 8)
    }
    let isAllowed = isRepaired && !isEditedSince
    #expect(history.allows("c", isRepaired: isRepaired) == isAllowed)
    history.resume(from: "c", number: 9, isDurable: false, isRepaired: isRepaired)
    #expect(history.breaches.isEmpty == isAllowed)
    #expect(history.working == "c")
  }

  @Test func aForgivenFindIsNoBreach() {
    var history = history(durable: 3)
    history.resume(from: "x", number: 7, isDurable: false, isForgiven: true)
    #expect(history.breaches.isEmpty)
    #expect(history.working == "x")
    #expect(history.allows("x"))
    #expect(!history.allows("b"))
  }

  @Test func whatACrashInterruptedMayBeThere() {
    var history = history(durable: 5)
    history.interrupt(with: "d")
    #expect(history.allows("c") && history.allows("d"))
    var kept = history
    kept.resume(from: "d", number: 7, isDurable: true)
    #expect(kept.breaches.isEmpty && kept.lastDurable == "d")
    history.resume(from: "c", number: 7, isDurable: true)
    #expect(history.breaches.isEmpty)
    #expect(!history.allows("d"), "it was not there, so it cannot come later")
  }

  static let searches: [(content: String, from: Int, through: Int?, found: Int?)] = [
    ("a", 0, nil, 0), ("c", 0, nil, 2), ("c", 0, 1, nil), ("a", 1, nil, nil), ("x", 0, nil, nil),
  ]

  @Test(arguments: searches) func finds(content: String, from: Int, through: Int?, found: Int?) {
    #expect(history().index(of: content, from: from, through: through) == found)
  }
}
