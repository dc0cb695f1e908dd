/// The columns a text takes on a terminal: wide characters take 2, combining and invisible ones none.
///
/// After Unicode's East Asian Width (W and F) and general categories, in coarse ranges; the text should be
/// `printable`.
package func displayColumns(_ text: some StringProtocol) -> Int {
  text.unicodeScalars.reduce(0) { $0 + columns(of: $1) }
}

/// The text, cut to at most `columns`, with `mark` at its end where something was cut off.
package func truncated(_ text: String, columns: Int, mark: String = "...") -> String {
  if displayColumns(text) <= columns { return text }
  let room = columns - displayColumns(mark)
  if room < 0 { return String(mark.prefix(max(0, columns))) }
  return prefix(of: text, columns: room) + mark
}

/// The text with blanks, so that it takes at least `columns`. They stand before it where `atRight`.
package func padded(_ text: String, columns: Int, atRight: Bool = false) -> String {
  let blanks = String(repeating: " ", count: max(0, columns - displayColumns(text)))
  return atRight ? blanks + text : text + blanks
}

/// The text broken between words into lines of at most `columns`; a longer word gets a line of its own.
///
/// - Parameters:
///   - first: what the first line begins with.
///   - rest: what every other line begins with; as `first` in blanks where nil.
package func wrapped(_ text: String, columns: Int = 80, first: String = "", rest: String? = nil) -> [String] {
  let margin = rest ?? String(repeating: " ", count: displayColumns(first))
  var lines: [String] = []
  var line = first
  var isEmpty = true
  for word in text.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
    if !isEmpty && displayColumns(line) + 1 + displayColumns(word) > columns {
      lines.append(line)
      line = margin
      isEmpty = true
    }
    line += (isEmpty ? "" : " ") + word
    isEmpty = false
  }
  return lines + [line]
}

/// One line: `left`, blanks, and `right` at the right edge; `left` is cut where both do not fit.
package func spread(_ left: String, _ right: String, columns: Int = 80) -> String {
  let room = columns - displayColumns(right) - 1
  let cut = truncated(left, columns: max(0, room))
  return padded(cut, columns: max(0, room)) + " " + right
}

/// The longest beginning that takes at most `columns`, never without the marks of its last letter.
func prefix(of text: String, columns: Int) -> String {
  var result = ""
  var taken = 0
  for character in text {
    let width = displayColumns(String(character))
    if taken + width > columns { break }
    taken += width
    result.append(character)
  }
  return result
}

private func columns(of scalar: Unicode.Scalar) -> Int {
  switch scalar.value {
  case 0x20...0x7E: return 1
  case 0x00...0x1F, 0x7F...0x9F, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x2069, 0xFEFF: return 0
  case 0x1100...0x115F, 0x231A...0x231B, 0x2329...0x232A, 0x23E9...0x23EC, 0x25FD...0x25FE, 0x2614...0x2615,
    0x2648...0x2653, 0x26A1, 0x26BD...0x26BE, 0x26C4...0x26C5, 0x2705, 0x270A...0x270B, 0x2728, 0x274C,
    0x2753...0x2755, 0x2757, 0x2795...0x2797, 0x2B1B...0x2B1C, 0x2B50, 0x2B55, 0x2E80...0x303E, 0x3041...0x4DBF,
    0x4E00...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF01...0xFF60,
    0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF, 0x1F004, 0x1F0CF, 0x1F18E, 0x1F191...0x1F19A,
    0x1F200...0x1F320, 0x1F32D...0x1F335, 0x1F337...0x1F37C, 0x1F37E...0x1F393, 0x1F3A0...0x1F3CA,
    0x1F3E0...0x1F3F0, 0x1F3F4, 0x1F3F8...0x1F43E, 0x1F440, 0x1F442...0x1F4FC, 0x1F4FF...0x1F53D,
    0x1F54B...0x1F567, 0x1F5FB...0x1F64F, 0x1F680...0x1F6C5, 0x1F6D0...0x1F6DF, 0x1F6EB...0x1F6FC,
    0x1F7E0...0x1F7EB, 0x1F90C...0x1F9FF, 0x1FA70...0x1FAFF, 0x20000...0x3FFFD:
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: return 0
    default: return 2
    }
  default:
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: return 1
    }
  }
}
