import Testing

@testable import Scenarios

/// The tables of words: the page is printed from them, and help finds every word.
@Suite struct WordTableTests {
  @Test(arguments: WordTable.all.indices) func thePageIsPrintedFromTheTable(_ place: Int) throws {
    #expect(try ScenarioPagesTests.page("words.md").contains("\n\n" + WordTable.all[place].page))
  }

  /// Words that only join others are shown in the forms of those.
  @Test func helpKnowsTheWords() {
    let words = Synonyms.steps + Synonyms.items + EffectSyntax.words + OperationWord.words
    let unknown = Set(words).filter { ScenarioGuide.help($0) == nil }
    #expect(unknown.sorted() == [])
    #expect(ScenarioGuide.keywords.count > 150)
  }

  static let helped: [(word: String, text: String)] = [
    ("kill", "kill\n    the process dies; what it wrote is there\nkill on … { … }\n"),
    ("seed", "seed 7\n    of everything made up"),
    (
      "save",
      "'save' is not a word of the language - write 'wait until saved' (autosave) or 'background' (saves at once)\n"
    ),
    ("bit-rot", "'bit-rot' is not a word of the language - write 'fault flip 1 bits on …'\n"),
    (
      "fsync",
      "fsync\n    an operation that a fault hits: fault EIO on fsync nth 1; counted alike in process and on a mount\n"
    ),
    ("redo", "undo\nundo 3\nredo\n    takes back the last change"),
  ]

  @Test(arguments: helped) func helps(word: String, text: String) throws {
    let help = try #require(ScenarioGuide.help(word))
    let lines = text.split(separator: "\n")
    #expect(lines.allSatisfy { help.contains($0) }, Comment(rawValue: help))
  }

  @Test func doesNotKnowEveryWord() {
    #expect(ScenarioGuide.help("zebra") == nil)
    #expect(ScenarioGuide.help("reopne") == nil)
    #expect(ScenarioGuide.suggestion(for: "reopne") == " - did you mean 'reopen'?")
  }

  /// Meanings are shown without the marks of the page.
  @Test func marksOfThePageGo() {
    let row = WordTable.Row(["a"], "leaves [one state](#one) of `b`")
    #expect(row.plainMeaning == "leaves one state of 'b'")
  }

  @Test func theFirstScenarioIsRight() {
    let text = ScenarioGuide.first(title: "my \"first\"")
    #expect(ScenarioTexts.reading(text).text == "")
    #expect(ScenarioTexts.reading(text).scenario?.title == "my \"first\"")
    #expect(ScenarioFormatter.formatted(text) == text)
  }

  @Test func explains() {
    let text = ScenarioTexts.withSteps("repeat 2 {\n  close\n  reopen\n}\nclose\nexpect ok")
    guard case .explained(let explained) = ScenarioExplanation.explain(Array(text.utf8), file: "a", files: .none) else {
      return #expect(Bool(false))
    }
    #expect(
      explained == """
        test
        There is "Trip" with page p1, p2, safe on disk.
           3  repeat 2
                  three times
           4    close
                    closes every document, which cleans what it no longer uses
           5    reopen
                    opens every document again. A failure is a failed expectation, unless 'expect error E' stands directly behind
           7  close
           8  expect ok

        """)
    guard
      case .unreadable(let wrong) = ScenarioExplanation.explain(
        Array("scenario v1 \"t\"\nclos".utf8), file: "a", files: .none)
    else { return #expect(Bool(false)) }
    #expect(wrong.hasPrefix("a:2:1: error: unknown step 'clos'"))
  }

  private func adopt(_ text: String) -> AdoptedScenario {
    AdoptedScenario.adopt(Array(text.utf8), file: "case.scn", vocabulary: ScenarioTexts.vocabulary, files: .none)
  }

  @Test func adoptsACounterexample() {
    let text =
      "scenario v1 \"photo empty: found 2026\"\n# found by seed 7\ntags nightly\nseed 7\ndocument \"T\" {page p1}\nclose\n"
    guard case .adopted(let name, let adopted) = adopt(text) else { return #expect(Bool(false)) }
    #expect(name == "photo-empty-found-2026.scn")
    #expect(
      adopted
        == "scenario v1 \"photo empty: found 2026\"\n# found by seed 7\nseed 7\ndocument \"T\" { page p1 }\nclose\n")
  }

  static let refused: [(text: String, reason: String)] = [
    ("scenario v1 \"t\"\ndocument \"T\" { page p1 }\nwait 1ms..2ms\n", "case.scn: it leaves something to chance"),
    (
      "scenario v1 \"t\"\ndocument \"T\" { page p1 }\nstroke p9\n", "case.scn:3:8: error: page 'p9' does not exist here"
    ),
  ]

  @Test(arguments: refused) func adoptsNothingElse(text: String, reason: String) {
    guard case .refused(let said) = adopt(text) else { return #expect(Bool(false)) }
    #expect(said.hasPrefix(reason))
  }
}
