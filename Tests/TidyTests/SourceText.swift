/// A Swift source, taken apart into code, comments and strings without parsing it.
///
/// `code` has the same lines and columns as the source, but blanks instead of comments and of what strings hold;
/// code in an interpolation stays. So a rule that looks for a call does not see it in a sentence.
struct SourceText {
  /// Relative to the package.
  let path: String
  /// The source, line by line.
  let lines: [String]
  /// Code only, line by line.
  let code: [String]

  init(path: String, text: String) {
    self.path = path
    var blanker = CodeBlanker(Array(text.utf8))
    lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    code = String(decoding: blanker.blanked(), as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// A finding at the line of this index.
  func finding(_ index: Int, _ message: String) -> Finding { Finding(path: path, line: index + 1, message: message) }
}

/// Replaces comments and strings by blanks, byte by byte.
private struct CodeBlanker {
  private enum Context {
    case code
    /// Code in an interpolation: how many parentheses are open in it.
    case interpolation(open: Int)
    case string(pounds: Int, isLong: Bool)
  }

  private let bytes: [UInt8]
  private var at = 0
  private var result: [UInt8] = []
  private var contexts: [Context] = [.code]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func blanked() -> [UInt8] {
    while at < bytes.count {
      if case .string(let pounds, let isLong) = contexts[contexts.count - 1] {
        inString(pounds, isLong)
      } else {
        inCode()
      }
    }
    return result
  }

  private mutating func inCode() {
    let isPlain =
      switch bytes[at] {
      case UInt8(ascii: "/"), UInt8(ascii: "#"), UInt8(ascii: "\""), UInt8(ascii: "("), UInt8(ascii: ")"): false
      default: true
      }
    if isPlain {
      keep(1)
    } else if follows("//") {
      blank((bytes[at...].firstIndex(of: 0x0A) ?? bytes.count) - at)
    } else if follows("/*") {
      inComment()
    } else if let pounds = poundsBeforeQuote() {
      keep(pounds)
      let isLong = follows("\"\"\"")
      keep(isLong ? 3 : 1)
      contexts.append(.string(pounds: pounds, isLong: isLong))
    } else {
      countParentheses()
      keep(1)
    }
  }

  private mutating func countParentheses() {
    guard case .interpolation(let open) = contexts[contexts.count - 1] else { return }
    if bytes[at] == UInt8(ascii: "(") {
      contexts[contexts.count - 1] = .interpolation(open: open + 1)
    } else if bytes[at] == UInt8(ascii: ")") {
      contexts.removeLast()
      if open > 1 { contexts.append(.interpolation(open: open - 1)) }
    }
  }

  private mutating func inComment() {
    var depth = 0
    repeat {
      if follows("/*") {
        depth += 1
        blank(2)
      } else if follows("*/") {
        depth -= 1
        blank(2)
      } else {
        blank(1)
      }
    } while depth > 0 && at < bytes.count
  }

  private mutating func inString(_ pounds: Int, _ isLong: Bool) {
    if bytes[at] != UInt8(ascii: "\\") && bytes[at] != UInt8(ascii: "\"") && bytes[at] != 0x0A {
      blank(1)
      return
    }
    let hashes = String(repeating: "#", count: pounds)
    if follows("\\" + hashes + "(") {
      blank(1 + pounds)
      keep(1)
      contexts.append(.interpolation(open: 1))
    } else if follows("\\" + hashes) {
      blank(2 + pounds)
    } else if follows((isLong ? "\"\"\"" : "\"") + hashes) {
      keep((isLong ? 3 : 1) + pounds)
      contexts.removeLast()
    } else if bytes[at] == 0x0A && !isLong {
      // No such string; so that one slip does not hide the rest of the file.
      contexts.removeLast()
    } else {
      blank(1)
    }
  }

  private func poundsBeforeQuote() -> Int? {
    var next = at
    while next < bytes.count && bytes[next] == UInt8(ascii: "#") { next += 1 }
    return next < bytes.count && bytes[next] == UInt8(ascii: "\"") ? next - at : nil
  }

  private func follows(_ text: String) -> Bool { bytes[at...].starts(with: text.utf8) }

  private mutating func keep(_ count: Int) {
    if count == 1 {
      result.append(bytes[at])
      at += 1
      return
    }
    let end = min(bytes.count, at + count)
    result += bytes[at..<end]
    at = end
  }

  private mutating func blank(_ count: Int) {
    let end = min(bytes.count, at + count)
    result += bytes[at..<end].map { $0 == 0x0A ? 0x0A : 0x20 }
    at = end
  }
}
