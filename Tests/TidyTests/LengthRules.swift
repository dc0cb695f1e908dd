/// Files and functions that a reader sees whole.
enum LengthRules {
  static let fileLinesMax = 400
  static let functionLinesMax = 70

  static func fileFindings(path: String, text: String) -> [Finding] {
    let count = text.split(separator: "\n", omittingEmptySubsequences: false).count - (text.hasSuffix("\n") ? 1 : 0)
    guard count > fileLinesMax else { return [] }
    return [
      Finding(path: path, line: 0, message: "\(count) lines; at most \(fileLinesMax): make it Type+Feature.swift")
    ]
  }

  /// Functions from their first line to their closing brace.
  static func functionFindings(_ source: SourceText) -> [Finding] {
    source.code.indices.compactMap { start in
      guard startsFunction(source.code[start]), let end = lastLine(of: start, in: source.code) else { return nil }
      let count = end - start + 1
      guard count > functionLinesMax else { return nil }
      return source.finding(start, "a function of \(count) lines; at most \(functionLinesMax)")
    }
  }

  private static let functionStart = Pattern(#"(^|\s)(func\s+\S|init[?!]?\s*[(<]|deinit\s*\{|subscript\s*[(<])"#)
  private static let nextDeclaration = Pattern(
    #"^\s*(@\w+|package|public|private|fileprivate|internal|static|mutating|func|var|let|init|case|struct|enum|class|extension|typealias|associatedtype)\b"#
  )

  private static func startsFunction(_ line: String) -> Bool {
    functionStart.fits(line)
  }

  /// The line with the brace that closes the body; nil for a requirement without a body.
  private static func lastLine(of start: Int, in code: [String]) -> Int? {
    var parentheses = 0
    var braces = 0
    for index in code[start...].indices {
      if index > start && braces == 0 && parentheses == 0 && nextDeclaration.fits(code[index]) {
        return nil
      }
      for byte in code[index].utf8 {
        switch byte {
        case UInt8(ascii: "("), UInt8(ascii: "["): parentheses += 1
        case UInt8(ascii: ")"), UInt8(ascii: "]"): parentheses -= 1
        case UInt8(ascii: "{"): if parentheses == 0 || braces > 0 { braces += 1 }
        case UInt8(ascii: "}"):
          if braces == 0 && parentheses == 0 { return nil }
          if braces > 0 { braces -= 1 }
          if braces == 0 && parentheses == 0 { return index }
        default: break
        }
      }
    }
    return nil
  }
}
