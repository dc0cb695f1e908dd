import Testing

@testable import FaultFS

@Suite struct PatienceTests {
  /// Asks until it is time to sleep; how often it asked, the last time included.
  private func attempt(_ patience: inout Patience) -> Int {
    var asked = 1
    while !patience.isOver() { asked += 1 }
    return asked
  }

  @Test func asksAHundredTimesBeforeItSleeps() {
    var patience = Patience()
    #expect(attempt(&patience) == Patience.triesMax)
  }

  @Test func asksNoMoreAfterVainAttemptsAndLaterAgain() {
    var patience = Patience()
    let attempts = (0..<(Patience.vainAttemptsMax + Patience.sleepsMax + 1)).map { _ in
      let asked = attempt(&patience)
      patience.requestCame()
      return asked
    }
    let vain = Array(repeating: Patience.triesMax, count: Patience.vainAttemptsMax)
    let asleep = Array(repeating: 1, count: Patience.sleepsMax)
    #expect(attempts == vain + asleep + [Patience.triesMax])
  }

  @Test func aRequestWhileAskingKeepsItAsking() {
    var patience = Patience()
    for _ in 0..<(10 * Patience.vainAttemptsMax) {
      #expect(attempt(&patience) == Patience.triesMax)
      patience.requestCame()
      let goesToSleep = patience.isOver()
      #expect(!goesToSleep)
      patience.requestCame()
    }
  }
}
