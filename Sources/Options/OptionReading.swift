/// What a command line said.
package struct OptionReading: Hashable, Sendable {
  /// The verb; nil for a program without verbs.
  package internal(set) var verb: String?
  /// What stood beside the options, in its order.
  package internal(set) var operands: [Word] = []
  /// Each option given, in order, with its value where it had one.
  package internal(set) var given: [Given] = []

  /// An option as it was given.
  package struct Given: Hashable, Sendable {
    /// The long name, also where the letter was used.
    package let long: String
    /// Its value; nil where it takes none, or where an optional one was left out.
    package let value: Word?
  }

  /// True where the option of this long name was given.
  package func has(_ long: String) -> Bool { given.contains { $0.long == long } }

  /// The value given last for the option of this long name.
  package func value(_ long: String) -> Word? { given.last { $0.long == long }?.value }

  /// Every value given for the option of this long name, in order.
  package func values(_ long: String) -> [Word] { given.filter { $0.long == long }.compactMap(\.value) }

  /// The text given last for the option of this long name.
  package func text(_ long: String) -> String? { value(long)?.text }

  /// The number given last for the option of this long name; its limits have been checked.
  package func number(_ long: String) -> Int? { value(long).flatMap { Int($0.text) } }
}

/// What a command line asks for.
package enum OptionRequest: Hashable, Sendable {
  /// Print this text on standard output and end with status 0.
  case show(String)
  /// Do the work.
  case run(OptionReading)
}

extension OptionTable {
  /// Reads the words behind the program's name.
  ///
  /// - Throws: the first fault; `--help` and `--version` before it win.
  package func read(_ words: [Word]) throws(OptionError) -> OptionRequest {
    if words.count == 1, let text = printed(words[0]) { return .show(text) }
    guard !verbs.isEmpty else { return try read(words, options, operands, verb: nil) }

    // What stands before the verb may be options that every verb takes; they end at the first operand.
    let all = options + OptionTable.common
    let front = OptionScanner(options: all, endsAtOperand: true).scan(words)
    if let text = shown(front.events, all, verb: nil) { return .show(text) }
    guard let word = front.operands.first else {
      try refuse(front.events, all)
      throw OptionError(.verbMissing(verbs.map(\.name)))
    }
    guard let verb = verbs.first(where: { $0.name == word.text }) else {
      try refuse(front.events, all)
      let meant = nearest(to: word.text, among: verbs.map(\.name))
      throw OptionError(.unknownVerb, word: word, meant: meant)
    }
    let before = words.count - front.operands.count
    let rest = words[..<(before - (front.endedByDashes ? 1 : 0))] + words[(before + 1)...]
    return try read(Array(rest), options + verb.options, verb.operands, verb: verb)
  }

  /// What packagers ask for, with a word of its own that no help shows.
  private func printed(_ word: Word) -> String? {
    if word == "--print-man" { return manual }
    return CompletingShell.allCases.first { word == Word("--print-completion=\($0.rawValue)") }
      .map { completion(for: $0) }
  }

  private func read(
    _ words: [Word], _ options: [Option], _ operands: Operands, verb: Verb?
  ) throws(OptionError) -> OptionRequest {
    let all = options + OptionTable.common
    let result = OptionScanner(options: all, endsAtOperand: operands.endOptions).scan(words)
    if let text = shown(result.events, all, verb: verb) { return .show(text) }
    var reading = OptionReading(verb: verb?.name, operands: result.operands)
    reading.given = try refuse(result.events, all)
    if result.operands.count < operands.count.lowerBound {
      throw OptionError(.operandMissing(operands.placeholder))
    }
    if result.operands.count > operands.count.upperBound {
      throw OptionError(.operandNotTaken, word: result.operands[operands.count.upperBound])
    }
    return .run(reading)
  }

  /// The text that `--help` or `--version` asks for, where one of them stands before the first problem.
  private func shown(_ events: [OptionScanner.Event], _ all: [Option], verb: Verb?) -> String? {
    for event in events {
      guard case .option(let index, _) = event else { return nil }
      if all[index].long == "help" { return verb.map { help(of: $0) } ?? help }
      if all[index].long == "version" { return "\(program) \(version)\n" }
    }
    return nil
  }

  /// The options given, or the first problem as an error.
  @discardableResult
  private func refuse(
    _ events: [OptionScanner.Event], _ all: [Option]
  ) throws(OptionError) -> [OptionReading.Given] {
    var given: [OptionReading.Given] = []
    for event in events {
      switch event {
      case .problem(let kind, let word):
        let names = all.map { "--" + $0.long }
        throw OptionError(kind, word: word, meant: kind == .unknownOption ? nearest(to: word.text, among: names) : nil)
      case .option(let index, let value):
        if let value { try check(value, all[index]) }
        given.append(.init(long: all[index].long, value: value))
      }
    }
    return given
  }

  private func check(_ word: Word, _ option: Option) throws(OptionError) {
    switch option.value {
    case .choice(_, let choices):
      guard !choices.contains(word.text) else { return }
      throw OptionError(
        .valueNotChoice(option.long, choices), word: word, meant: nearest(to: word.text, among: choices))
    case .number(_, let range):
      let isPlain = word.bytes.first != UInt8(ascii: "+")
      if isPlain, let number = Int(word.text), range.contains(number) { return }
      throw OptionError(.valueNotNumber(option.long, range), word: word)
    case .text, .file, .directory, nil: return
    }
  }
}
