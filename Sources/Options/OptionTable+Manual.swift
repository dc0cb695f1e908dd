extension OptionTable {
  /// The manual page of section 1, in the language of man(7).
  package var manual: String {
    var lines = [
      ".\\\" Printed by \(program) --print-man; change the table of options instead.",
      ".TH \(program.uppercased()) 1 \"\" \"\(program) \(version)\" \"User Commands\"",
      ".SH NAME", "\(OptionTable.roff(program)) \\- \(OptionTable.roff(sentence))", ".SH SYNOPSIS",
    ]
    if verbs.isEmpty {
      lines += synopsis([program], operands)
    } else {
      for (place, verb) in verbs.enumerated() {
        if place > 0 { lines.append(".br") }
        lines += synopsis([program, verb.name], verb.operands)
      }
    }
    if !operands.help.isEmpty { lines += [".SH DESCRIPTION", text(operands.help + ".")] }
    lines += [".SH OPTIONS"] + definitions(options + OptionTable.common)
    if !verbs.isEmpty { lines += [".SH VERBS"] + verbs.flatMap { section($0) } }
    lines += self.examples(examples, title: ".SH EXAMPLES")
    lines += statuses(exitStatuses, title: ".SH EXIT STATUS")
    return lines.joined(separator: "\n") + "\n"
  }

  private func synopsis(_ names: [String], _ operands: Operands) -> [String] {
    [".B \(OptionTable.roff(names.joined(separator: " ")))", text("[OPTION]... \(operands.placeholder)".trimmed)]
  }

  private func section(_ verb: Verb) -> [String] {
    var lines = [".SS \(OptionTable.roff(verb.name))", text("\(verb.sentence.capitalised).")]
    if !verb.operands.help.isEmpty { lines.append(text(verb.operands.help + ".")) }
    lines += definitions(verb.options)
    lines += examples(verb.examples, title: ".PP\nExamples:")
    return lines + statuses(verb.exitStatuses ?? [], title: ".PP\nExit status:")
  }

  /// Everyday options first, as in the help.
  private func definitions(_ options: [Option]) -> [String] {
    OptionGroup.allCases.flatMap { group in
      options.filter { $0.group == group }.flatMap { option in
        [".TP", term(option), text("\(option.help.capitalised).")]
      }
    }
  }

  /// "\fB\-o\fR, \fB\-\-output\fR=\fIFILE\fR".
  private func term(_ option: Option) -> String {
    var term = option.short.map { "\\fB\\-\($0)\\fR, " } ?? ""
    term += "\\fB\(OptionTable.roff("--" + option.long))\\fR"
    guard let value = option.value else { return term }
    let placeholder = "=\\fI\(OptionTable.roff(value.placeholder))\\fR"
    term += option.valueIsOptional ? "[\(placeholder)]" : placeholder
    if case .choice(_, let choices) = value { term += " (\(choices.joined(separator: ", ")))" }
    return term
  }

  private func examples(_ examples: [Example], title: String) -> [String] {
    if examples.isEmpty { return [] }
    return [title]
      + examples.flatMap { [".TP", ".B \(OptionTable.roff($0.line))", text("\($0.meaning.capitalised).")] }
  }

  private func statuses(_ statuses: [ExitStatus], title: String) -> [String] {
    if statuses.isEmpty { return [] }
    return [title] + statuses.flatMap { [".TP", ".B \($0.number)", text("\($0.meaning.capitalised).")] }
  }

  /// A line of text, which must not look like a request.
  private func text(_ text: String) -> String {
    let line = OptionTable.roff(text)
    return line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" + line : line
  }

  /// The text with everything that roff would take for its own language, or draw as another character, escaped.
  static func roff(_ text: String) -> String {
    text.map { character in
      switch character {
      case "\\": "\\e"
      case "-": "\\-"
      case "'": "\\(aq"
      case "`": "\\(ga"
      case "~": "\\(ti"
      case "^": "\\(ha"
      case "\"": "\\(dq"
      default: String(character)
      }
    }.joined()
  }
}

extension String {
  fileprivate var capitalised: String { prefix(1).uppercased() + dropFirst() }
  fileprivate var trimmed: String { hasSuffix(" ") ? String(dropLast()) : self }
}
