/// Where something stands in a scenario's text.
package struct SourcePlace: Hashable, Sendable {
  /// The line, counted from 1.
  package let line: Int
  /// The column of the first character, counted from 1 in Unicode scalars.
  package let column: Int
  /// The number of characters; 0 for the end of a line.
  package let length: Int

  /// A place of these figures.
  package init(line: Int, column: Int, length: Int) {
    self.line = line
    self.column = column
    self.length = length
  }
}

extension SourcePlace: Comparable {
  /// Order by line, then by column.
  package static func < (left: SourcePlace, right: SourcePlace) -> Bool {
    (left.line, left.column) < (right.line, right.column)
  }
}
