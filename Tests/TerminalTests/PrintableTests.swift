import Testing

@testable import Terminal

struct PrintableTests {
  static let texts: [(text: String, shown: String)] = [
    ("Physics 3, déjà vu, 物理", "Physics 3, déjà vu, 物理"),
    ("\u{1B}[2Jgone", "\\x1B[2Jgone"),
    ("a\nb\tc\rd", "a\\nb\\tc\\rd"),
    ("\u{07}\u{7F}\u{9B}31m", "\\x07\\x7F\\x9B31m"),
    ("gpj.\u{202E}exe", "gpj.\\u{202E}exe"),
    ("\u{2066}x\u{2069}\u{FEFF}", "\\u{2066}x\\u{2069}\\u{FEFF}"),
    ("می\u{200C}خواهم", "می\u{200C}خواهم"),
    ("", ""),
  ]

  @Test(arguments: texts.indices) func showsText(row: Int) {
    #expect(printable(PrintableTests.texts[row].text) == PrintableTests.texts[row].shown)
    #expect(printable(Array(PrintableTests.texts[row].text.utf8)) == PrintableTests.texts[row].shown)
  }

  static let bytes: [(bytes: [UInt8], shown: String)] = [
    ([0xFF, 0x41], "\\xFFA"),
    ([0xC3, 0xA9], "é"),
    ([0xC3], "\\xC3"),
    ([0xC0, 0xAF], "\\xC0\\xAF"),
    ([0xED, 0xA0, 0x80], "\\xED\\xA0\\x80"),
    ([0xF0, 0x9F, 0x98, 0x80, 0xF0, 0x9F], "😀\\xF0\\x9F"),
    ([0xF4, 0x90, 0x80, 0x80], "\\xF4\\x90\\x80\\x80"),
    ([0xE2, 0x41, 0x42], "\\xE2AB"),
  ]

  @Test(arguments: bytes.indices) func showsBytes(row: Int) {
    #expect(printable(PrintableTests.bytes[row].bytes) == PrintableTests.bytes[row].shown)
  }

  @Test func letsNoControlCharacterThrough() {
    for value in 0..<UInt32(0x3000) {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let shown = printable(String(Character(scalar)))
      let isControl = shown.unicodeScalars.contains { $0.properties.generalCategory == .control }
      #expect(!isControl, "U+\(String(value, radix: 16))")
    }
  }
}
