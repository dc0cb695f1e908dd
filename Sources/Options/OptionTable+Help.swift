extension OptionTable {
  /// The columns a help text keeps to; an example may be longer, since it is for copying.
  package static let helpColumns = 80

  /// What `--help` prints.
  package var help: String {
    var lines = ["\(program): \(sentence).", ""]
    if verbs.isEmpty {
      lines += usage([program], options, operands)
    } else {
      lines += ["Usage: \(program) VERB [OPTION]...", ""]
      lines += ["Verbs:"] + pairs(verbs.map { ($0.name, $0.sentence) })
    }
    lines += section(options, operands)
    lines += closing(examples, exitStatuses)
    if !verbs.isEmpty { lines += ["", "More about a verb: \(program) VERB --help"] }
    return lines.joined(separator: "\n") + "\n"
  }

  /// What `--help` behind a verb prints.
  package func help(of verb: Verb) -> String {
    var lines = ["\(program) \(verb.name): \(verb.sentence).", ""]
    lines += usage([program, verb.name], verb.options + options, verb.operands)
    lines += section(verb.options + options, verb.operands)
    lines += closing(verb.examples, verb.exitStatuses ?? exitStatuses)
    return lines.joined(separator: "\n") + "\n"
  }

  private func usage(_ names: [String], _ options: [Option], _ operands: Operands) -> [String] {
    let words = ["Usage:"] + names + ["[OPTION]..."] + (operands.placeholder.isEmpty ? [] : [operands.placeholder])
    let line = words.joined(separator: " ")
    guard !operands.help.isEmpty else { return [line] }
    return [line] + wrap(operands.help + ".", first: "  ", rest: "  ")
  }

  private func section(_ options: [Option], _ operands: Operands) -> [String] {
    var lines: [String] = []
    let all = options + OptionTable.common
    let titles: [(OptionGroup, String)] = [(.everyday, "Options:"), (.rest, "More options:")]
    for (group, title) in titles {
      let rows = all.filter { $0.group == group }
      if rows.isEmpty { continue }
      let isFirst = group == .rest && !all.contains { $0.group == .everyday }
      lines += ["", isFirst ? "Options:" : title] + pairs(rows.map { (written($0), $0.help) })
    }
    return lines
  }

  private func closing(_ examples: [Example], _ statuses: [ExitStatus]) -> [String] {
    var lines: [String] = []
    if !examples.isEmpty {
      lines += ["", "Examples:"] + pairs(examples.map { ($0.line, $0.meaning) })
    }
    if !statuses.isEmpty {
      lines += ["", "Exit status:"] + pairs(statuses.map { ("\($0.number)", $0.meaning) })
    }
    return lines
  }

  /// "-o, --output=FILE" as the help shows an option.
  private func written(_ option: Option) -> String {
    var text = option.short.map { "-\($0), " } ?? "    "
    text += "--\(option.long)"
    guard let value = option.value else { return text }
    return text + (option.valueIsOptional ? "[=\(value.placeholder)]" : "=\(value.placeholder)")
  }

  /// Two columns; a left one too wide for its place gets a line of its own.
  private func pairs(_ rows: [(left: String, right: String)]) -> [String] {
    let leftColumnsMax = 34
    let fitting = rows.map(\.left.count).filter { $0 <= leftColumnsMax }
    let width = fitting.max() ?? 0
    let margin = String(repeating: " ", count: 2 + width + 2)
    return rows.flatMap { left, right in
      if left.count > width { return ["  " + left] + wrap(right, first: margin, rest: margin) }
      let padded = left + String(repeating: " ", count: width - left.count)
      return wrap(right, first: "  \(padded)  ", rest: margin)
    }
  }

  /// Breaks ASCII text between words, so that each line keeps to `helpColumns`.
  private func wrap(_ text: String, first: String, rest: String) -> [String] {
    var lines: [String] = []
    var line = first
    var isEmpty = true
    for word in text.split(separator: " ") {
      if !isEmpty && line.count + 1 + word.count > OptionTable.helpColumns {
        lines.append(line)
        line = rest
        isEmpty = true
      }
      line += (isEmpty ? "" : " ") + word
      isEmpty = false
    }
    return lines + [line]
  }
}
