import Testing

@testable import Scenarios

/// The diagnostics of the language's page, word for word, and the words of other first guesses.
@Suite struct DiagnosticTests {
  @Test func showsTheLineWithCaretAndTildes() {
    let text = "scenario v1 \"test\"\nwith EIO on renam of page p1 nth 1 { background }\n"
    #expect(
      ScenarioTexts.parsing(text) == """
        bg.scn:2:13: error: unknown operation 'renam' - did you mean 'rename'?
          with EIO on renam of page p1 nth 1 { background }
                      ^~~~~

        """)
  }

  static let shown: [(text: String, head: String)] = [
    ("scenario v1 \"t\"\nwait 600", "bg.scn:2:6: error: a duration needs a unit - write 600ms or 600s"),
    ("scenario v1 \"t\"\nfree-space 2MB", "bg.scn:2:12: error: 'MB' is not a unit here - write MiB (1024 x 1024)"),
    ("scenario v1 \"t\"\nrepeat 3 {", "bg.scn:2:10: error: this '{' is never closed"),
    (
      "scenario v1 \"t\"\ndocument \"A\" {\n page p1\n page p2\n}\n\n\n\nstroke p3",
      "bg.scn:9:8: error: page 'p3' does not exist here; pages: p1, p2"
    ),
    ("stroke p1", "bg.scn:1:1: error: the first line must be: scenario v1 \"title\""),
    ("scenario v3 \"t\"", "bg.scn:1:10: error: made for v3; this tool knows v1"),
    (
      ScenarioTexts.withSteps(String(repeating: "\n", count: 10) + "close\nbackground"),
      "bg.scn:14:1: warning: unreachable - 'close' above, nothing reopened"
    ),
  ]

  @Test(arguments: shown) func saysAsThePageShows(text: String, head: String) {
    #expect(ScenarioTexts.heads(ScenarioTexts.reading(text).text) == [head])
  }

  /// A step, and what is said of it.
  static let guesses: [(step: String, message: String)] = [
    ("save", "3:1: error: 'save' is not a step - write 'wait until saved' (autosave) or 'background' (saves at once)"),
    ("draw p1", "3:1: error: 'draw' is not a step - write 'stroke p1 points 50'"),
    ("crash", "3:1: error: 'crash' is not a step - write 'power-cut' (the machine) or 'kill' (the program)"),
    ("checkpoint a", "3:1: error: 'checkpoint' is not a step - write 'remember NAME'"),
    ("quota 5KiB", "3:1: error: 'quota' is not a step - write 'free-space 64KiB'"),
    ("wait 1", "3:6: error: a duration needs a unit - write 1ms or 1s"),
    (
      "wait for autosave", "3:6: error: did you mean 'wait until saved'? - a time is written 'wait 600ms'"
    ),
    (
      "disk full",
      "3:1: error: 'disk' is not a step - write 'free-space 0B' for a full disk, 'free-space unlimited' for room again"
    ),
    (
      "expect p1 = saved", "3:11: error: write 'equals' in place of '=' - did you mean 'equals last-durable'?"
    ),
    (
      "expect p1 has 3 strokes",
      "3:17: error: strokes and images are counted together - did you mean 'elements'?"
    ),
    ("repeat 3 times { stroke p1 }", "3:10: error: leave 'times' out: repeat 3 { … }"),
    ("background-flush", "3:1: error: 'background-flush' is not a step - write 'background'"),
    ("stroke 10 on p1", "3:8: error: the page comes first - did you mean 'stroke p1 points 10'?"),
    (
      "power-cut during rename",
      "3:11: error: write 'power-cut on rename of page p1 during { … }' around the steps it hits"
    ),
    ("power-cut now", "3:11: error: 'power-cut' alone means now - leave 'now' out"),
    ("strok p1", "3:1: error: unknown step 'strok' - did you mean 'stroke'?"),
    ("xyzzy", "3:1: error: unknown step 'xyzzy'"),
    ("stroke p1 point 5", "3:11: error: unknown word 'point' for a stroke - did you mean 'points'?"),
    ("stroke P1", "3:8: error: 'P1' is not a name - write lower-case letters, digits and '-': p1"),
    ("stroke \"p1\"", "3:8: error: the page stands without quotes: p1"),
    ("stroke", "3:7: error: the page is missing here, before the end of the line"),
    ("wait 5MiB", "3:6: error: '5MiB' is a size - a duration is needed here, such as 600ms"),
    ("wait 5sec", "3:6: error: 'sec' is not a unit here - write s"),
    ("free-space 0.3B", "3:12: error: '0.3B' is not a whole number of bytes"),
    ("free-space 99999GiB", "3:12: error: '99999GiB' is too large"),
    ("fault eio on write", "3:7: error: 'eio' is not an effect - errors are written in capitals: EIO, ENOSPC"),
    ("fault EIO", "3:10: error: 'on' is missing here: on rename of page p1, before the end of the line"),
    ("fault EIO on write of pag p1", "3:23: error: unknown file 'pag' - did you mean 'page'?"),
    ("fault EIO on write of asset a", "3:23: error: unknown file 'asset' - did you mean 'image NAME'?"),
    ("EIO on write", "3:1: error: 'EIO' is an effect - write 'fault EIO on …', or 'with EIO on … { … }'"),
    (
      "power-cut on rename of page p1",
      "3:31: error: 'power-cut on …' stands around the steps it hits: write { … } behind it, or 'fault power-cut on …'"
    ),
    ("expect clean", "3:8: error: 'clean' alone says too little - write 'expect fsck clean'"),
    ("expect fsck cleen", "3:13: error: unknown word 'cleen' - did you mean 'clean'?"),
    ("note \"never", "3:6: error: this string is never closed - write \" at its end"),
    ("background }", "3:12: error: this '}' closes nothing"),
    ("repeat 2 { stroke p1 } kill", "3:24: error: a new line is missing here, before 'kill'"),
    ("repeat 2 { store snapshot }", "3:12: error: 'store' stands outside of blocks, at the top of the file"),
    ("close // done", "3:7: error: '/' means nothing here - comments begin with #, paths stand in quotes"),
    (
      "for each crash in { close }",
      "3:28: error: a sweep ends in 'check { … }', which is missing here"
    ),
  ]

  @Test(arguments: guesses) func answersFirstGuesses(step: String, message: String) {
    #expect(ScenarioTexts.heads(ScenarioTexts.parsing(ScenarioTexts.withSteps(step))).first == "bg.scn:\(message)")
  }

  @Test(arguments: guesses) func saysOneThingOfOneMistake(step: String, message: String) {
    let count = step == "close // done" ? 2 : 1
    #expect(ScenarioTexts.heads(ScenarioTexts.parsing(ScenarioTexts.withSteps(step))).count == count)
  }

  @Test(arguments: Synonyms.firstWords.keys.sorted()) func everySynonymAnswers(_ word: String) {
    let head = ScenarioTexts.heads(ScenarioTexts.parsing(ScenarioTexts.withSteps(word)))
    #expect(head == ["bg.scn:3:1: error: '\(word)' is not a step - \(Synonyms.firstWords[word] ?? "")"])
  }

  // MARK: Going on

  @Test func goesOnAtTheNextLine() {
    let text = ScenarioTexts.withSteps(
      "strok p1\nbackground\nwait 5\nwith EIO on wrote { stroke }\nrepeat 2 { wait 3; clos; close }")
    #expect(
      ScenarioTexts.heads(ScenarioTexts.parsing(text)) == [
        "bg.scn:3:1: error: unknown step 'strok' - did you mean 'stroke'?",
        "bg.scn:5:6: error: a duration needs a unit - write 5ms or 5s",
        "bg.scn:6:13: error: unknown operation 'wrote' - did you mean 'write'?",
        "bg.scn:6:28: error: the page is missing here, before '}'",
        "bg.scn:7:17: error: a duration needs a unit - write 3ms or 3s",
        "bg.scn:7:20: error: unknown step 'clos' - did you mean 'close'?",
      ])
  }

  @Test func keepsBracesInBalanceBehindABrokenHead() {
    let text = ScenarioTexts.withSteps("repeet 3 {\n stroke p1\n}\nfor each crush in { close } check { reopen }\nclose")
    #expect(
      ScenarioTexts.heads(ScenarioTexts.parsing(text)) == [
        "bg.scn:3:1: error: unknown step 'repeet' - did you mean 'repeat'?",
        "bg.scn:6:10: error: unknown word 'crush' - did you mean 'crash'?",
      ])
  }

  @Test func reportsAtMostTwenty() {
    let text = ScenarioTexts.withSteps(String(repeating: "wait 5\n", count: 100))
    let reading = ScenarioTexts.reading(text)
    #expect(reading.diagnostics.count == 20)
    #expect(reading.scenario == nil)
    #expect(reading.diagnostics.last?.place.line == 22)
  }

  @Test func warningsPushOutNoError() {
    let warnings = String(repeating: "close\nbackground\nreopen\n", count: 25)
    let reading = ScenarioTexts.reading(ScenarioTexts.withSteps(warnings + "stroke p9"))
    #expect(reading.diagnostics.map(\.severity) == [.error])
  }

  // MARK: Showing

  @Test func hidesControlCharactersAndCutsLongLines() {
    let text =
      "scenario v1 \"t\"\n\tnote \"\u{1b}[31m\" wait\n" + "note \"" + String(repeating: "x", count: 300) + "\" 7\n"
    let shown = ScenarioTexts.parsing(text)
    #expect(!shown.contains("\u{1b}"))
    #expect(shown.contains("   note \"?[31m\" wait\n                ^~~~\n"))
    #expect(shown.split(separator: "\n").allSatisfy { $0.count <= 140 })
    #expect(shown.hasSuffix("xxx\" 7\n                      ^\n"))
  }

  @Test func countsColumnsInCharacters() {
    #expect(
      ScenarioTexts.heads(ScenarioTexts.parsing("scenario v1 \"t\"\ntitle \"Übung \u{1F600}\" x\n"))
        == ["bg.scn:2:17: error: 'x' does not belong here, behind 'title'"])
  }

  @Test func refusesWhatIsNoText() {
    let read = { (bytes: [UInt8]) in
      ScenarioReading.read(bytes, file: "bg.scn", vocabulary: ScenarioTexts.vocabulary).text
    }
    #expect(
      read(Array("scenario v1 \"t\"\nnote \"".utf8) + [0xFF, 0x22])
        == "bg.scn:2:1: error: this line is not UTF-8 text\n")
    #expect(
      read([UInt8](repeating: 0x20, count: Scenario.fileBytesMax + 1))
        == "bg.scn: error: the file is larger than 1 MiB\n")
    #expect(read([]) == "bg.scn:1:1: error: the first line must be: scenario v1 \"title\"\n  \n  ^\n")
  }
}
