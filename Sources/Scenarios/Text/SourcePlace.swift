/// Where something stands in a scenario's text.
package struct SourcePlace: Hashable, Sendable {
  /// The line, counted from 1.
  package let line: Int
  /// The column of the first character, counted from 1 in Unicode scalars.
  package let column: Int
  /// The number of characters; 0 for the end of a line.
  package let length: Int

  /// Which file of a scenario: 0 is the scenario's own, others are included.
  package let file: Int

  /// A place of these figures.
  package init(line: Int, column: Int, length: Int, file: Int = 0) {
    self.file = file
    self.line = line
    self.column = column
    self.length = length
  }
}

extension SourcePlace: Comparable {
  /// Order by file, then by line, then by column.
  package static func < (left: SourcePlace, right: SourcePlace) -> Bool {
    (left.file, left.line, left.column) < (right.file, right.line, right.column)
  }
}
