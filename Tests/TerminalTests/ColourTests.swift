import Testing

@testable import Terminal

struct ColourTests {
  static let rows: [(choice: ColourChoice, isTerminal: Bool, noColor: String?, term: String?, colours: Bool)] = [
    (.auto, true, nil, "xterm", true), (.auto, true, "", "xterm", true), (.auto, true, "1", "xterm", false),
    (.auto, false, nil, "xterm", false), (.auto, true, nil, "dumb", false), (.auto, true, nil, nil, false),
    (.always, false, "1", "dumb", true), (.never, true, nil, "xterm", false),
  ]

  @Test(arguments: rows.indices) func decides(row: Int) {
    let (choice, isTerminal, noColor, term, colours) = ColourTests.rows[row]
    #expect(choice.colours(isTerminal: isTerminal, noColor: noColor, term: term) == colours)
  }

  @Test func paints() {
    #expect(Paint(isOn: true).red("no") == "\u{1B}[31mno\u{1B}[0m")
    #expect(Paint(isOn: true).red("") == "")
    #expect(Paint(isOn: false).bold("no") == "no")
  }
}
