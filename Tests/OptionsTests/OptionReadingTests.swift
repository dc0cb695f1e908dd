import Testing

@testable import Options

struct OptionReadingTests {
  static let table = OptionTable(
    program: "check", sentence: "look at folders", version: "1.2",
    options: [
      Option("to", short: "t", value: .directory("DIR"), "write a repaired copy there"),
      Option("yes", short: "y", "repair"),
      Option("color", value: .choice("WHEN", ["auto", "always", "never"]), group: .rest, "colour the text"),
      Option("jobs", short: "j", value: .number("N", 1...64), group: .rest, "work on so many at once"),
      Option("year", value: .number("N", 0...Int.max), group: .rest, "a number without an upper limit"),
    ],
    operands: Operands("FOLDER...", count: 1...3))

  static let verbs = OptionTable(
    program: "play", sentence: "play things", version: "1.2", options: [Option("quiet", short: "q", "say less")],
    verbs: [
      Verb(
        "run", "run them", options: [Option("seed", value: .number("N", 0...99), "begin there")],
        operands: Operands("FILE...", count: 1...Operands.countMax)),
      Verb("exec", "start a program", operands: Operands("COMMAND...", count: 1...Operands.countMax, endOptions: true)),
      Verb("list", "list them"),
    ])

  @Test func readsValuesOperandsAndRepetitions() throws {
    let request = try OptionReadingTests.table.read(["a", "-yt", "x", "--to=y", "--yea=7", "--", "-y"])
    guard case .run(let reading) = request else {
      Issue.record("no work")
      return
    }
    #expect(reading.verb == nil)
    #expect(reading.operands == ["a", "-y"])
    #expect(reading.has("yes") && !reading.has("color"))
    #expect(reading.text("to") == "y")
    #expect(reading.values("to") == ["x", "y"])
    #expect(reading.number("year") == 7)
    #expect(reading.number("jobs") == nil)
  }

  @Test func keepsBytesThatAreNoText() throws {
    let request = try OptionReadingTests.table.read([Word(bytes: [0xFF, 0x41])])
    #expect(request == .run(OptionReading(operands: [Word(bytes: [0xFF, 0x41])])))
  }

  static let faults: [(words: [Word], kind: OptionError.Kind, word: Word, meant: String?)] = [
    (["--yse", "a"], .unknownOption, "--yse", "--yes"),
    (["-x", "a"], .unknownOption, "-x", nil),
    (["--elephant", "a"], .unknownOption, "--elephant", nil),
    (["--y", "a"], .ambiguousOption(["yes", "year"]), "--y", nil),
    (["a", "--to"], .valueMissing("to"), "--to", nil),
    (["a", "-t"], .valueMissing("to"), "-t", nil),
    (["--yes=1", "a"], .valueNotTaken, "--yes", nil),
    (["--color=alway", "a"], .valueNotChoice("color", ["auto", "always", "never"]), "alway", "always"),
    (["-j0", "a"], .valueNotNumber("jobs", 1...64), "0", nil),
    (["-j+3", "a"], .valueNotNumber("jobs", 1...64), "+3", nil),
    (["-j", "99999999999999999999", "a"], .valueNotNumber("jobs", 1...64), "99999999999999999999", nil),
    ([], .operandMissing("FOLDER..."), "", nil),
    (["a", "b", "c", "d"], .operandNotTaken, "d", nil),
  ]

  @Test(arguments: faults.indices) func refuses(row: Int) {
    let (words, kind, word, meant) = OptionReadingTests.faults[row]
    #expect(throws: OptionError(kind, word: word, meant: meant)) { try OptionReadingTests.table.read(words) }
  }

  static let verbRows: [(words: [Word], reading: OptionReading)] = [
    (["run", "a"], OptionReading(verb: "run", operands: ["a"])),
    (
      ["-q", "run", "a", "--seed=3", "-q"],
      OptionReading(
        verb: "run", operands: ["a"],
        given: [.init(long: "quiet", value: nil), .init(long: "seed", value: "3"), .init(long: "quiet", value: nil)])
    ),
    (["--", "list"], OptionReading(verb: "list")),
    (["exec", "ls", "-q", "--seed"], OptionReading(verb: "exec", operands: ["ls", "-q", "--seed"])),
    (["exec", "--", "-q"], OptionReading(verb: "exec", operands: ["-q"])),
  ]

  @Test(arguments: verbRows.indices) func readsVerbs(row: Int) throws {
    let (words, reading) = OptionReadingTests.verbRows[row]
    #expect(try OptionReadingTests.verbs.read(words) == .run(reading))
  }

  static let verbFaults: [(words: [Word], error: OptionError)] = [
    ([], OptionError(.verbMissing(["run", "exec", "list"]))),
    (["rnu", "a"], OptionError(.unknownVerb, word: "rnu", meant: "run")),
    (["--seed", "3", "run", "a"], OptionError(.unknownOption, word: "--seed")),
    (["list", "--seed=3"], OptionError(.unknownOption, word: "--seed")),
    (["list", "a"], OptionError(.operandNotTaken, word: "a")),
    (["run", "--sed=3", "a"], OptionError(.unknownOption, word: "--sed", meant: "--seed")),
  ]

  @Test(arguments: verbFaults.indices) func refusesVerbs(row: Int) {
    let (words, error) = OptionReadingTests.verbFaults[row]
    #expect(throws: error) { try OptionReadingTests.verbs.read(words) }
  }

  @Test func helpAndVersionWinWhereTheyComeFirst() throws {
    let table = OptionReadingTests.table
    #expect(try table.read(["--version"]) == .show("check 1.2\n"))
    #expect(try table.read(["--help", "--nonsense"]) == .show(table.help))
    #expect(try table.read(["-h"]) == .show(table.help))
    #expect(throws: OptionError(.unknownOption, word: "--nonsense")) { try table.read(["--nonsense", "--help"]) }
    let verbs = OptionReadingTests.verbs
    #expect(try verbs.read(["run", "--help"]) == .show(verbs.help(of: verbs.verbs[0])))
    #expect(try verbs.read(["--help"]) == .show(verbs.help))
  }

  static let sentences: [(error: OptionError, text: String)] = [
    (OptionError(.unknownOption, word: "--yse", meant: "--yes"), "there is no option --yse. Did you mean --yes?"),
    (OptionError(.ambiguousOption(["yes", "year"]), word: "--y"), "--y may mean --yes or --year: write it out."),
    (OptionError(.valueMissing("to"), word: "-t"), "-t (--to) needs a value behind it."),
    (OptionError(.valueMissing("to"), word: "--to"), "--to needs a value behind it."),
    (
      OptionError(.valueNotNumber("jobs", 1...64), word: "many"),
      "--jobs takes a whole number from 1 to 64, and not \"many\"."
    ),
    (OptionError(.operandMissing("FILE")), "say which: FILE is missing."),
  ]

  @Test(arguments: sentences.indices) func says(row: Int) {
    #expect(OptionReadingTests.sentences[row].error.description == OptionReadingTests.sentences[row].text)
  }
}

struct NearestTests {
  static let rows: [(word: String, found: String?)] = [
    ("strokes", "stroke"), ("stork", nil), ("srtoke", "stroke"), ("pag", "page"), ("p", nil), ("", nil),
    ("PAGE", nil), ("paeg", "page"),
  ]

  @Test(arguments: rows.indices) func finds(row: Int) {
    let candidates = ["stroke", "page", "photo"]
    #expect(nearest(to: NearestTests.rows[row].word, among: candidates) == NearestTests.rows[row].found)
  }
}
