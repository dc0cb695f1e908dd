/// One JSON value a line, as a stream of bytes that comes in pieces of any size.
///
/// Give it bytes with `append`, take values with `next` until it answers nil. Lines of white space only are passed
/// over. A line that is no JSON value is thrown and passed over; the lines behind it can still be taken.
package struct JSONLines: Sendable {
  /// The most bytes that a line may have unless the caller says otherwise.
  package static let lineBytesMax = 64 << 20

  private let lineBytesMax: Int
  private var buffer: [UInt8] = []
  private var lineStart = 0
  // Up to here no newline was found, so that bytes of a long line are looked at once.
  private var searched = 0
  private var linesTaken = 0
  private var bytesTaken = 0
  private var isSkipping = false

  /// An empty stream whose lines have at most `lineBytesMax` bytes.
  package init(lineBytesMax: Int = JSONLines.lineBytesMax) { self.lineBytesMax = lineBytesMax }

  /// The value as one line, with its newline.
  package static func line(_ value: JSONValue) -> [UInt8] { value.serialized() + [UInt8(ascii: "\n")] }

  /// The values of a whole text; the last line may lack its newline.
  package static func parse(_ bytes: [UInt8]) throws(JSONError) -> [JSONValue] {
    var lines = JSONLines()
    lines.append(bytes)
    lines.append([UInt8(ascii: "\n")])
    var values: [JSONValue] = []
    while let value = try lines.next() { values.append(value) }
    return values
  }

  /// How many bytes wait for the end of their line; 0 means that the stream may end here.
  package var pendingCount: Int { buffer.count - lineStart }

  /// Takes these bytes in.
  package mutating func append(_ bytes: some Sequence<UInt8>) {
    if lineStart > 0 {
      buffer.removeFirst(lineStart)
      searched -= lineStart
      lineStart = 0
    }
    buffer.append(contentsOf: bytes)
  }

  /// The value of the next whole line; nil where no line is whole yet.
  ///
  /// - Throws: where the line is no JSON value or too long; the place is that in the stream.
  package mutating func next() throws(JSONError) -> JSONValue? {
    while let line = try nextLine() {
      if line.bytes.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: "\r") }) {
        continue
      }
      do throws(JSONError) {
        return try JSONValue.parse(line.bytes)
      } catch {
        throw JSONError(
          kind: error.kind, offset: line.offset + error.offset, line: line.number, column: error.column,
          message: error.message)
      }
    }
    return nil
  }

  private mutating func nextLine() throws(JSONError) -> (bytes: [UInt8], offset: Int, number: Int)? {
    while true {
      guard let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) else {
        searched = buffer.count
        try dropPartOfLongLine()
        return nil
      }
      let line = (Array(buffer[lineStart..<end]), bytesTaken, linesTaken + 1)
      let wasSkipping = isSkipping
      bytesTaken += end + 1 - lineStart
      linesTaken += 1
      lineStart = end + 1
      searched = lineStart
      isSkipping = false
      // The end of a line that was refused before.
      if wasSkipping { continue }
      if line.0.count > lineBytesMax { throw tooLong(line: line.2, offset: line.1) }
      return line
    }
  }

  /// Lets go of a line that is too long already, so that memory stays bounded.
  private mutating func dropPartOfLongLine() throws(JSONError) {
    guard isSkipping || pendingCount > lineBytesMax else { return }
    let offset = bytesTaken
    let wasSkipping = isSkipping
    bytesTaken += pendingCount
    buffer.removeAll()
    lineStart = 0
    searched = 0
    isSkipping = true
    if !wasSkipping { throw tooLong(line: linesTaken + 1, offset: offset) }
  }

  private func tooLong(line: Int, offset: Int) -> JSONError {
    JSONError(
      kind: .tooLong, offset: offset, line: line, column: 1, message: "a line of more than \(lineBytesMax) bytes")
  }
}
