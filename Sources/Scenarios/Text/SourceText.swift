/// A scenario's text in lines, for diagnostics to show.
struct SourceText: Sendable {
  /// The lines without their ends.
  let lines: [Substring]

  init(_ text: String) {
    lines = text.split(separator: "\n", omittingEmptySubsequences: false)
  }

  /// The longest piece of a line that a diagnostic shows, in characters.
  static let shownMax = 120

  /// The text of a file, or why it is none.
  static func decoded(_ bytes: [UInt8]) throws(Diagnostic) -> String {
    let nowhere = SourcePlace(line: 0, column: 0, length: 0)
    guard bytes.count <= Scenario.fileBytesMax else {
      throw Diagnostic(.error, nowhere, "the file is larger than \(Scenario.fileBytesMax >> 20) MiB")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      let line = 1 + bytes.prefix(firstBadByte(bytes)).count { $0 == UInt8(ascii: "\n") }
      throw Diagnostic(.error, SourcePlace(line: line, column: 1, length: 0), "this line is not UTF-8 text")
    }
    return text
  }

  /// Where the first byte stands that is no part of a character.
  private static func firstBadByte(_ bytes: [UInt8]) -> Int {
    var decoder = UTF8()
    var iterator = bytes.makeIterator()
    var offset = 0
    while case .scalarValue(let scalar) = decoder.decode(&iterator) { offset += UTF8.width(scalar) }
    return offset
  }

  /// The diagnostic with its source line, a caret and tildes, as the user sees it; ends with a newline.
  func shown(_ diagnostic: Diagnostic, file: String) -> String {
    let place = diagnostic.place
    let at = place.line == 0 ? "" : ":\(place.line):\(place.column)"
    let head = "\(SourceText.visible(file))\(at): \(diagnostic.word): \(SourceText.visible(diagnostic.message))\n"
    guard lines.indices.contains(place.line - 1) else { return head }
    // A line that is too long is shown from a little in front of the place.
    let first = place.column <= SourceText.shownMax - 20 ? 0 : place.column - 21
    let piece = Array(lines[place.line - 1].unicodeScalars.dropFirst(first).prefix(SourceText.shownMax))
    let line = SourceText.visible(String(String.UnicodeScalarView(piece)))
    let indent = String(repeating: " ", count: max(place.column - 1 - first, 0))
    let room = max(piece.count - (place.column - 1 - first), 1)
    let tildes = String(repeating: "~", count: max(min(place.length, room) - 1, 0))
    return head + "  \(line)\n  \(indent)^\(tildes)\n"
  }

  /// The text with a space for every tab and a question mark for every other control character.
  static func visible(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control: scalars.append(scalar == "\t" ? " " : "?")
      case .format, .lineSeparator, .paragraphSeparator: scalars.append("?")
      default: scalars.append(scalar)
      }
    }
    return String(scalars)
  }
}
