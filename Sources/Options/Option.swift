/// One option of a program: how it is written, what it takes, and the sentence that explains it.
package struct Option: Sendable {
  /// The long name without its dashes: "to".
  package let long: String
  /// The one-letter name without its dash, an ASCII letter or digit; nil where there is none.
  package let short: Character?
  /// What the option takes; nil where it takes nothing.
  package let value: OptionValue?
  /// True where the value may be left out; it is then given only as `--name=value` or `-nvalue`.
  package let valueIsOptional: Bool
  /// Where the help shows it.
  package let group: OptionGroup
  /// One sentence without its full stop: "write a repaired copy, leave the folder as it is".
  package let help: String

  /// An option; a name that could not be written on a command line is a programmer's error and traps.
  package init(
    _ long: String, short: Character? = nil, value: OptionValue? = nil, valueIsOptional: Bool = false,
    group: OptionGroup = .everyday, _ help: String
  ) {
    precondition(!long.isEmpty && long.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "=") }, long)
    precondition(short.map { $0.isASCII && ($0.isLetter || $0.isNumber) } ?? true, long)
    self.long = long
    self.short = short
    self.value = value
    self.valueIsOptional = valueIsOptional
    self.group = group
    self.help = help
  }

  /// The byte of the short name.
  var shortByte: UInt8? { short?.asciiValue }
}

/// Where the help shows an option: everyday ones first.
package enum OptionGroup: CaseIterable, Sendable {
  case everyday
  case rest
}

/// What an option takes; the text is the placeholder that the help shows for it.
package enum OptionValue: Hashable, Sendable {
  /// Any text.
  case text(String)
  /// The path of a file.
  case file(String)
  /// The path of a directory.
  case directory(String)
  /// One of these words.
  case choice(String, [String])
  /// A whole number, decimal, within these limits.
  case number(String, ClosedRange<Int>)

  /// What the help shows for the value: "FILE".
  package var placeholder: String {
    switch self {
    case .text(let name), .file(let name), .directory(let name), .choice(let name, _), .number(let name, _): name
    }
  }
}

/// What a program or verb takes beside its options.
package struct Operands: Sendable {
  /// As the usage line shows it: "FOLDER..."; empty where there are none.
  package let placeholder: String
  /// One sentence about them; empty where nothing needs saying.
  package let help: String
  /// How many are right.
  package let count: ClosedRange<Int>
  /// True where the first operand ends the options, as for `faultfs run -- COMMAND ARGUMENTS`.
  package let endOptions: Bool

  /// Operands shown as `placeholder`.
  package init(_ placeholder: String, count: ClosedRange<Int>, endOptions: Bool = false, _ help: String = "") {
    self.placeholder = placeholder
    self.help = help
    self.count = count
    self.endOptions = endOptions
  }

  /// No operands at all.
  package static let none = Operands("", count: 0...0)

  /// The most a command line can hold; for "any number".
  package static let countMax = Int.max
}

/// A verb of a program: `lnote-scenario run`.
package struct Verb: Sendable {
  /// The word: "run".
  package let name: String
  /// One sentence without its full stop: "run scenarios and say what came of it".
  package let sentence: String
  /// What it takes beside the program's own options.
  package let options: [Option]
  /// What it takes beside its options.
  package let operands: Operands
  /// Lines to copy.
  package let examples: [Example]
  /// What its exit statuses say; nil where they are the program's.
  package let exitStatuses: [ExitStatus]?

  /// A verb named `name`.
  package init(
    _ name: String, _ sentence: String, options: [Option] = [], operands: Operands = .none, examples: [Example] = [],
    exitStatuses: [ExitStatus]? = nil
  ) {
    self.name = name
    self.sentence = sentence
    self.options = options
    self.operands = operands
    self.examples = examples
    self.exitStatuses = exitStatuses
  }
}

/// A line to copy, with what it does.
package struct Example: Sendable {
  /// The whole line, with the program's name.
  package let line: String
  /// What it does, in a few words.
  package let meaning: String

  /// An example.
  package init(_ line: String, _ meaning: String) {
    self.line = line
    self.meaning = meaning
  }
}

/// An exit status, with what it says.
package struct ExitStatus: Sendable {
  /// 0 to 255.
  package let number: Int
  /// What it says: "nothing was found".
  package let meaning: String

  /// An exit status.
  package init(_ number: Int, _ meaning: String) {
    self.number = number
    self.meaning = meaning
  }
}
