extension JSONValue {
  /// The value as UTF-8 JSON text, keys sorted by their bytes, without a newline at the end.
  ///
  /// `indent` is the number of spaces a level, with each member on a line of its own; nil puts all on one line without
  /// spaces. Reals are printed with the fewest digits that read back as the same number.
  /// Precondition: every real is finite.
  package func serialized(indent: Int? = nil) -> [UInt8] {
    var printer = Printer(indent: indent)
    printer.print(self, level: 0)
    return printer.text
  }

  /// The bytes of a JSON file of ours: keys sorted, 2 spaces a level, a newline at the end.
  package func fileBytes() -> [UInt8] { serialized(indent: 2) + [UInt8(ascii: "\n")] }
}

/// Appends values to a text.
private struct Printer {
  let indent: Int?
  var text: [UInt8] = []

  mutating func print(_ value: JSONValue, level: Int) {
    switch value {
    case .null: append("null")
    case .bool(let value): append(value ? "true" : "false")
    case .integer(let number): append(String(number))
    case .real(let number):
      precondition(number.isFinite, "JSON has no number \(number)")
      append(number.description)
    case .string(let string): print(string)
    case .array(let elements):
      printMembers(elements, "[", "]", level) { $0.print($1, level: level + 1) }
    case .object(let members):
      let sorted = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      printMembers(sorted, "{", "}", level) { printer, member in
        printer.print(member.key)
        printer.append(printer.indent == nil ? ":" : ": ")
        printer.print(member.value, level: level + 1)
      }
    }
  }

  private mutating func printMembers<Member>(
    _ members: [Member], _ opening: StaticString, _ closing: StaticString, _ level: Int,
    each printMember: (inout Printer, Member) -> Void
  ) {
    append(opening)
    for (index, member) in members.enumerated() {
      if index > 0 { append(",") }
      breakLine(level: level + 1)
      printMember(&self, member)
    }
    if !members.isEmpty { breakLine(level: level) }
    append(closing)
  }

  private mutating func breakLine(level: Int) {
    guard let indent else { return }
    append("\n")
    text.append(contentsOf: repeatElement(UInt8(ascii: " "), count: indent * level))
  }

  private mutating func print(_ string: String) {
    append("\"")
    // Whole at once where nothing has to be escaped; strings may be pictures of megabytes.
    if isPlain(string) {
      append(string)
      append("\"")
      return
    }
    for byte in string.utf8 {
      switch byte {
      case UInt8(ascii: "\""): append("\\\"")
      case UInt8(ascii: "\\"): append("\\\\")
      case UInt8(ascii: "\n"): append("\\n")
      case UInt8(ascii: "\r"): append("\\r")
      case UInt8(ascii: "\t"): append("\\t")
      case 0..<0x20, 0x7F:
        append("\\u00")
        append(String(byte >> 4, radix: 16))
        append(String(byte & 15, radix: 16))
      default: text.append(byte)
      }
    }
    append("\"")
  }

  private func isPlain(_ string: String) -> Bool {
    var string = string
    return string.withUTF8 { bytes in
      var place = 0
      while place < bytes.count {
        let byte = bytes[place]
        if byte < 0x20 || byte == 0x7F || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return false }
        place += 1
      }
      return true
    }
  }

  private mutating func append(_ piece: StaticString) { piece.withUTF8Buffer { text.append(contentsOf: $0) } }

  private mutating func append(_ piece: String) { text.append(contentsOf: piece.utf8) }
}
