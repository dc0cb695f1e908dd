/// One word of the command line, as the bytes the kernel handed over; not assumed to be UTF-8.
package struct Word: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The bytes, without a terminating zero.
  package let bytes: [UInt8]

  /// A word of exactly these bytes.
  package init(bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

  /// A word of the UTF-8 bytes of `text`.
  package init(_ text: String) { bytes = Array(text.utf8) }

  /// A word written in source text.
  package init(stringLiteral value: StaticString) { bytes = value.withUTF8Buffer { Array($0) } }

  /// The text to read; bytes that are no UTF-8 are shown as replacement characters.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The same as `text`.
  package var description: String { text }

  /// The words this program was started with, its own name left out.
  package static func commandLine() -> [Word] {
    var words: [Word] = []
    for index in 1..<max(1, Int(CommandLine.argc)) {
      guard let start = CommandLine.unsafeArgv[index] else { break }
      var length = 0
      while start[length] != 0 { length += 1 }
      words.append(Word(bytes: UnsafeBufferPointer(start: start, count: length).map { UInt8(bitPattern: $0) }))
    }
    return words
  }
}
