/// Whether the app runs at a step, as far as the text tells.
struct AppLife: Hashable, Sendable {
  enum State: Hashable, Sendable {
    case open
    /// Ended by this step.
    case ended(String)
    /// A fault may or may not have ended it.
    case unknown
  }

  var state = State.open
  /// True once the first step behind an end has been warned of.
  private var hasWarned = false

  mutating func end(by word: String) {
    state = .ended(word)
    hasWarned = false
  }

  mutating func open() { state = .open }

  mutating func becomeUnknown() { if state == .open { state = .unknown } }

  /// The warning of a step that needs the app; nil where the app may run, and for all but the first.
  mutating func unreachable() -> String? {
    guard case .ended(let word) = state, !hasWarned else { return nil }
    hasWarned = true
    return "unreachable - '\(word)' above, nothing reopened"
  }
}
