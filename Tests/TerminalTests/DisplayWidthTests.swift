import Testing

@testable import Terminal

struct DisplayWidthTests {
  static let widths: [(text: String, columns: Int)] = [
    ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("物理", 4), ("😀", 2), ("한국", 4), ("ｗ", 2), ("\u{200D}", 0),
    ("ﾊﾝ", 2), ("–…", 2),
  ]

  @Test(arguments: widths.indices) func counts(row: Int) {
    #expect(displayColumns(DisplayWidthTests.widths[row].text) == DisplayWidthTests.widths[row].columns)
  }

  static let cutRows: [(text: String, columns: Int, shown: String)] = [
    ("Physics", 7, "Physics"), ("Physics 3", 7, "Phys..."), ("物理学物理", 8, "物理..."), ("物理学物理", 9, "物理学..."),
    ("cafe\u{301}s", 4, "c..."), ("e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}", 4, "e\u{301}..."), ("abcdef", 3, "..."),
    ("abcdef", 2, ".."), ("abcdef", 0, ""),
  ]

  @Test(arguments: cutRows.indices) func cuts(row: Int) {
    let (text, columns, shown) = DisplayWidthTests.cutRows[row]
    #expect(truncated(text, columns: columns) == shown)
  }

  @Test func pads() {
    #expect(padded("物", columns: 4) == "物  ")
    #expect(padded("7", columns: 3, atRight: true) == "  7")
    #expect(padded("long", columns: 2) == "long")
    #expect(spread("Physics 3", "1 problem", columns: 24) == "Physics 3      1 problem")
    #expect(spread("A very long title", "1 problem", columns: 20) == "A very ... 1 problem")
  }

  @Test func wraps() {
    #expect(wrapped("one two three four", columns: 9) == ["one two", "three", "four"])
    #expect(wrapped("one two three", columns: 9, first: "- ") == ["- one two", "  three"])
    #expect(wrapped("one two", columns: 9, first: "a", rest: "b") == ["aone two"])
    #expect(wrapped("unbreakable is", columns: 4) == ["unbreakable", "is"])
    #expect(wrapped("物理 学物", columns: 8) == ["物理", "学物"])
    #expect(wrapped("", columns: 9) == [""])
  }
}
