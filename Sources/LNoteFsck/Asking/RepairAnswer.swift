/// What a user says to the question whether something is to be repaired.
package enum RepairAnswer: CaseIterable, Sendable {
  /// This one.
  case yes
  /// Not this one.
  case no
  /// This one and all that follow.
  case all
  /// Neither this one nor any that follows.
  case quit
  /// What the choices mean; then it is asked again.
  case explain

  /// The answer in a line from the terminal, in capitals or not; nil where it is none.
  package init?(line: [UInt8]) {
    guard let text = String(validating: line, as: UTF8.self) else { return nil }
    let words = text.split(whereSeparator: \.isWhitespace)
    guard words.count == 1, let answer = RepairAnswer.words[words[0].lowercased()] else { return nil }
    self = answer
  }

  private static let words: [String: RepairAnswer] = [
    "y": .yes, "yes": .yes, "n": .no, "no": .no, "a": .all, "all": .all, "q": .quit, "quit": .quit, "?": .explain,
    "help": .explain,
  ]
}

/// What the answers of a run permit, one after the other.
package struct RepairPermission: Sendable {
  /// What holds for every repair that follows; nil as long as each is asked for.
  package private(set) var rest: Bool?

  /// Nothing was answered yet.
  package init() {}

  /// Whether the repair that was asked for may be done; nil where it is to be asked again.
  package mutating func take(_ answer: RepairAnswer) -> Bool? {
    switch answer {
    case .yes: return true
    case .no: return false
    case .all: rest = true
    case .quit: rest = false
    case .explain: return nil
    }
    return rest
  }
}
