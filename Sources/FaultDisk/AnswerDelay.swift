/// How late an answer comes; the operation itself has happened.
package enum AnswerDelay: Hashable, Sendable {
  /// So many milliseconds.
  case milliseconds(UInt64)
  /// Not before the rule of this name is cleared.
  case untilCleared(rule: String)
}
