/// A shell that completes command lines.
package enum CompletingShell: String, CaseIterable, Sendable {
  case bash
  case zsh
  case fish
}

extension OptionTable {
  /// A script that teaches a shell the options and verbs of the program.
  package func completion(for shell: CompletingShell) -> String {
    let head = "# \(shell.rawValue) completion, printed by: \(program) --print-completion=\(shell.rawValue)\n"
    return switch shell {
    case .bash: head + bash
    case .zsh: "#compdef \(program)\n" + head + zsh
    case .fish: head + fish
    }
  }

  /// Every reading that there is: without a verb, or with one.
  private var readings: [(verb: Verb?, options: [Option])] {
    [(nil, options + OptionTable.common)] + verbs.map { ($0, $0.options + options + OptionTable.common) }
  }

  private var functionName: String { "_" + program.map { $0 == "-" ? "_" : $0 } }

  private static func names(_ option: Option) -> [String] {
    (option.short.map { ["-\($0)"] } ?? []) + ["--" + option.long]
  }

  private static func quoted(_ text: String) -> String { "'" + text.replacing("'", with: "'\\''") + "'" }

  // MARK: bash

  private var bash: String {
    let verbNames = verbs.map(\.name)
    var lines = [
      "\(functionName)() {",
      "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} verb= word",
      "  # bash makes a word of its own of the = in --name=value.", "  if [[ $current == '=' ]]; then",
      "    current=", "    previous+='='", "  elif [[ $previous == '=' ]]; then",
      "    previous=${COMP_WORDS[COMP_CWORD-2]}'='", "  fi", "  COMPREPLY=()",
    ]
    if !verbs.isEmpty {
      lines += [
        "  for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do",
        "    case $word in \(verbNames.joined(separator: " | "))) verb=$word; break ;; esac", "  done",
      ]
    }
    lines.append("  case $verb:$previous in")
    for reading in readings { for option in reading.options { lines += bashValue(option, reading.verb) } }
    lines += ["  esac", "  if [[ $current == -* ]]; then", "    case $verb in"]
    for reading in readings {
      let names = reading.options.flatMap(OptionTable.names).joined(separator: " ")
      lines.append("      \(reading.verb?.name ?? "''")) word=\(OptionTable.quoted(names)) ;;")
    }
    lines += ["    esac", "    mapfile -t COMPREPLY < <(compgen -W \"$word\" -- \"$current\")"]
    if !verbs.isEmpty {
      let words = OptionTable.quoted(verbNames.joined(separator: " "))
      lines += [
        "  elif [[ -z $verb ]]; then", "    mapfile -t COMPREPLY < <(compgen -W \(words) -- \"$current\")",
      ]
    }
    lines += [
      "  else", "    compopt -o filenames 2> /dev/null",
      "    mapfile -t COMPREPLY < <(compgen -f -- \"$current\")", "  fi", "}", "complete -F \(functionName) \(program)",
    ]
    return lines.joined(separator: "\n") + "\n"
  }

  private func bashValue(_ option: Option, _ verb: Verb?) -> [String] {
    guard let value = option.value else { return [] }
    // What may be left out is given behind = only.
    let words = (option.valueIsOptional ? [] : OptionTable.names(option)) + ["--\(option.long)="]
    let pattern = words.map { "\(verb?.name ?? ""):\($0)" }.joined(separator: " | ")
    let action =
      switch value {
      case .text, .number: ""
      case .file: "compopt -o filenames 2> /dev/null; mapfile -t COMPREPLY < <(compgen -f -- \"$current\"); "
      case .directory: "compopt -o filenames 2> /dev/null; mapfile -t COMPREPLY < <(compgen -d -- \"$current\"); "
      case .choice(_, let choices):
        "mapfile -t COMPREPLY < <(compgen -W \(OptionTable.quoted(choices.joined(separator: " "))) -- \"$current\"); "
      }
    return ["    \(pattern)) \(action)return ;;"]
  }

  // MARK: zsh

  private var zsh: String {
    var lines: [String] = []
    if verbs.isEmpty {
      lines += ["_arguments -s -S \\"] + readings[0].options.map { "  \(zshOption($0)) \\" } + ["  '*:file:_files'"]
    } else {
      let described = verbs.map { "\($0.name)\\:\(OptionTable.zshText($0.sentence))" }
      lines += [
        "local state line", "typeset -A opt_args", "_arguments -s -S -C \\",
        "  \(OptionTable.quoted("1:verb:((" + described.map { zshItem($0) }.joined(separator: " ") + "))")) \\",
        "  '*::argument:->arguments' \\",
      ]
      lines += readings[0].options.map { "  \(zshOption($0)) \\" }
      lines += ["  && return", "case $line[1] in"]
      for reading in readings.dropFirst() {
        lines += ["  \(reading.verb?.name ?? "")) _arguments -s -S \\"]
        lines += reading.options.map { "    \(zshOption($0)) \\" } + ["    '*:file:_files' ;;"]
      }
      lines.append("esac")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func zshItem(_ text: String) -> String { text.replacing(" ", with: "\\ ") }

  private func zshOption(_ option: Option) -> String {
    var value = ""
    var mark = ""
    if let kind = option.value {
      mark = option.valueIsOptional ? "=-" : "="
      let action =
        switch kind {
        case .text, .number: " "
        case .file: "_files"
        case .directory: "_files -/"
        case .choice(_, let choices): "(\(choices.joined(separator: " ")))"
        }
      value = (option.valueIsOptional ? "::" : ":") + "\(OptionTable.zshText(kind.placeholder)):\(action)"
    }
    let rest = "[\(OptionTable.zshText(option.help))]\(value)"
    guard let short = option.short else { return OptionTable.quoted("--\(option.long)\(mark)\(rest)") }
    let plus = option.value == nil ? "" : option.valueIsOptional ? "-" : "+"
    return "'(-\(short) --\(option.long))'{-\(short)\(plus),--\(option.long)\(mark)}\(OptionTable.quoted(rest))"
  }

  /// The text without what _arguments would take for its own marks.
  private static func zshText(_ text: String) -> String {
    text.map { "[]:()\\".contains($0) ? "\\\($0)" : String($0) }.joined()
  }

  // MARK: fish

  private var fish: String {
    let lead = "complete -c \(program)"
    let names = verbs.map(\.name).joined(separator: " ")
    var lines: [String] = []
    for verb in verbs {
      lines.append(
        "\(lead) -f -n \(OptionTable.quoted("not __fish_seen_subcommand_from \(names)")) -a \(verb.name) "
          + "-d \(OptionTable.fishText(verb.sentence))")
      let condition = " -n \(OptionTable.quoted("__fish_seen_subcommand_from \(verb.name)"))"
      lines += verb.options.map { lead + condition + fishOption($0) }
    }
    lines += (options + OptionTable.common).map { lead + fishOption($0) }
    return lines.joined(separator: "\n") + "\n"
  }

  private func fishOption(_ option: Option) -> String {
    var line = option.short.map { " -s \($0)" } ?? ""
    line += " -l \(option.long)"
    switch option.value {
    case nil: break
    case .text, .number: line += " -x"
    case .file: line += " -r -F"
    case .directory: line += " -x -a '(__fish_complete_directories)'"
    case .choice(_, let choices): line += " -x -a \(OptionTable.fishText(choices.joined(separator: " ")))"
    }
    return line + " -d \(OptionTable.fishText(option.help))"
  }

  private static func fishText(_ text: String) -> String {
    "'" + text.map { "'\\".contains($0) ? "\\\($0)" : String($0) }.joined() + "'"
  }
}
