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
    #expect(history.resume(from: "b", number: 7, isDurable: true) == true)
    #expect(history.working == "b")
    #expect(history.lastDurable == "b")
    #expect(history.latest == "c", "what the user drew is remembered, though it is lost")
    #expect(history.index(of: "c") == nil, "it can no longer come back")
    history.append("d", number: 8)
    #expect(history.latest == "d")
  }

  @Test func aKillDoesNotMakeDurable() {
    var history = history(durable: 1)
    _ = history.resume(from: "c", number: 7, isDurable: false)
    #expect(history.lastDurable == "a")
  }

  @Test func whatNeverWasIsSaid() {
    var history = history(durable: 5)
    #expect(history.resume(from: "x", number: 7, isDurable: true) == false)
    #expect(history.working == "x")
  }

  static let searches: [(content: String, from: Int, through: Int?, found: Int?)] = [
    ("a", 0, nil, 0), ("c", 0, nil, 2), ("c", 0, 1, nil), ("a", 1, nil, nil), ("x", 0, nil, nil),
  ]

  @Test(arguments: searches) func finds(content: String, from: Int, through: Int?, found: Int?) {
    #expect(history().index(of: content, from: from, through: through) == found)
  }
}
