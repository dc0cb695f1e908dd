/// Everything a program takes on its command line; reader, help and version come from it.
///
/// `--help` and `--version` need no row: every table has them.
package struct OptionTable: Sendable {
  /// The name it is called by.
  package let program: String
  /// One sentence without its full stop, for the first line of the help.
  package let sentence: String
  /// The version, "1.0".
  package let version: String
  /// The options of the program; with verbs, those that every verb takes.
  package let options: [Option]
  /// What it takes beside its options; of no use where there are verbs.
  package let operands: Operands
  /// The verbs; empty for a program without.
  package let verbs: [Verb]
  /// Lines to copy.
  package let examples: [Example]
  /// What its exit statuses say.
  package let exitStatuses: [ExitStatus]

  /// A table; two options of one name in one reading are a programmer's error and trap.
  package init(
    program: String, sentence: String, version: String, options: [Option], operands: Operands = .none,
    verbs: [Verb] = [], examples: [Example] = [], exitStatuses: [ExitStatus] = []
  ) {
    self.program = program
    self.sentence = sentence
    self.version = version
    self.options = options
    self.operands = operands
    self.verbs = verbs
    self.examples = examples
    self.exitStatuses = exitStatuses
    for verb in verbs { OptionTable.checkNames(options + verb.options + OptionTable.common) }
    OptionTable.checkNames(options + OptionTable.common)
  }

  /// The two options that every program has.
  package static let common = [
    Option("help", short: "h", group: .rest, "show this text"),
    Option("version", group: .rest, "show the version"),
  ]

  private static func checkNames(_ options: [Option]) {
    let names = options.map(\.long)
    let letters = options.compactMap(\.short)
    precondition(Set(names).count == names.count, "an option is named twice: \(names)")
    precondition(Set(letters).count == letters.count, "a letter is given twice: \(letters)")
  }
}
