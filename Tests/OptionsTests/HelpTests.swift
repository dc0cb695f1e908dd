import Testing

@testable import Options

struct HelpTests {
  static let table = OptionTable(
    program: "check", sentence: "look at folders and repair them", version: "1.2",
    options: [
      Option(
        "to", value: .directory("DIR"), "write a repaired copy there, and leave the folder as it is, whatever it holds"),
      Option("yes", short: "y", "repair"),
      Option(
        "color", value: .choice("WHEN", ["auto", "never"]), valueIsOptional: true, group: .rest, "colour the text"),
    ],
    operands: Operands("FOLDER...", count: 1...Operands.countMax, "What to look at"),
    examples: [
      Example("check ~/Notes", "look only"), Example("check -y --to ~/Notes-repaired ~/Notes", "repair a copy"),
    ],
    exitStatuses: [ExitStatus(0, "nothing was found"), ExitStatus(2, "wrong words")])

  @Test func isThisText() {
    #expect(
      HelpTests.table.help == """
        check: look at folders and repair them.

        Usage: check [OPTION]... FOLDER...
          What to look at.

        Options:
              --to=DIR  write a repaired copy there, and leave the folder as it is,
                        whatever it holds
          -y, --yes     repair

        More options:
              --color[=WHEN]  colour the text
          -h, --help          show this text
              --version       show the version

        Examples:
          check ~/Notes  look only
          check -y --to ~/Notes-repaired ~/Notes
                         repair a copy

        Exit status:
          0  nothing was found
          2  wrong words

        """)
  }

  @Test func aProgramWithVerbsListsThem() {
    let verbs = OptionReadingTests.verbs
    #expect(
      verbs.help == """
        play: play things.

        Usage: play VERB [OPTION]...

        Verbs:
          run   run them
          exec  start a program
          list  list them

        Options:
          -q, --quiet  say less

        More options:
          -h, --help     show this text
              --version  show the version

        More about a verb: play VERB --help

        """)
    #expect(verbs.help(of: verbs.verbs[0]).hasPrefix("play run: run them.\n\nUsage: play run [OPTION]... FILE...\n"))
  }

  @Test func keepsToItsColumns() {
    let long = HelpTests.table.help.split(separator: "\n").filter { $0.count > OptionTable.helpColumns }
    #expect(long == [])
  }
}
