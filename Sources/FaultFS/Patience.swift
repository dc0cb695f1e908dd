/// Whether to ask for the next request again, or to sleep until it comes.
///
/// A program that saves a small file sends its next request within some microseconds, and being woken costs more than
/// the request: so the server asks for a while first. But where the program waits for the very processor that the
/// server asks on, asking only keeps it waiting and never succeeds. So after a few vain attempts in a row the server
/// goes to sleep at once for a while, and then tries whether asking pays again.
struct Patience {
  /// How often it asks before it sleeps.
  static let triesMax = 100
  /// After so many attempts in vain it stops asking.
  static let vainAttemptsMax = 4
  /// After so many sleeps without asking it asks again.
  static let sleepsMax = 64

  private var tries = 0
  private var vainAttempts = 0
  private var sleepsLeft = 0

  /// A request is there.
  mutating func requestCame() {
    if tries > 0 { vainAttempts = 0 }
    tries = 0
  }

  /// No request is there: true where it is time to sleep.
  mutating func isOver() -> Bool {
    if sleepsLeft > 0 {
      sleepsLeft -= 1
      return true
    }
    tries += 1
    if tries < Patience.triesMax { return false }
    tries = 0
    vainAttempts += 1
    if vainAttempts == Patience.vainAttemptsMax {
      vainAttempts = 0
      sleepsLeft = Patience.sleepsMax
    }
    return true
  }
}
