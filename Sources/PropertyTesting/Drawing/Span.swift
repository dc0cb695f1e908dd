/// Choices that were drawn together, one behind the other: an argument, a step, a whole list.
package struct Span: Hashable, Sendable {
  /// The kind of what was drawn; spans of one kind can stand for each other.
  package let label: String
  /// The first of its choices.
  package let start: Int
  /// The choice behind its last one.
  package internal(set) var end: Int
  /// The span around it, by its number in the order of opening; nil for an outermost one.
  package let parent: Int?
  /// How many spans are around it.
  package let depth: Int
  /// True where the test made no use of it.
  package internal(set) var isDiscarded = false

  /// Where its choices are.
  package var range: Range<Int> { start..<end }
  /// How many choices it has.
  package var count: Int { end - start }
}
