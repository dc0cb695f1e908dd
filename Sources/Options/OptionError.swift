/// A command line that cannot be followed: which word, why, and what may have been meant.
package struct OptionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Why.
  package let kind: Kind
  /// The word at fault, exactly as given; empty where something is missing.
  package let word: Word
  /// What may have been meant, as it would be written: "--repair"; nil where nothing is near.
  package let meant: String?

  /// The kinds of fault.
  package enum Kind: Hashable, Sendable {
    case unknownOption
    /// It is short for each of these long names.
    case ambiguousOption([String])
    /// The option of this long name needs a value.
    case valueMissing(String)
    case valueNotTaken
    /// The option of this long name takes one of these words.
    case valueNotChoice(String, [String])
    /// The option of this long name takes a whole number within these limits.
    case valueNotNumber(String, ClosedRange<Int>)
    case unknownVerb
    /// One of these verbs must be said.
    case verbMissing([String])
    /// These operands are missing.
    case operandMissing(String)
    /// There is no place for this operand.
    case operandNotTaken
  }

  /// A fault of `word`.
  package init(_ kind: Kind, word: Word = "", meant: String? = nil) {
    self.kind = kind
    self.word = word
    self.meant = meant
  }

  /// A sentence, with a guess where there is one. The word is shown as it came: escape it before printing.
  package var description: String {
    let guess = meant.map { " Did you mean \($0)?" } ?? ""
    switch kind {
    case .unknownOption: return "there is no option \(word).\(guess)"
    case .ambiguousOption(let names):
      return "\(word) may mean \(names.map { "--" + $0 }.joined(separator: " or ")): write it out."
    case .valueMissing(let long):
      let name = word.text == "--" + long ? "" : " (--\(long))"
      return "\(word)\(name) needs a value behind it."
    case .valueNotTaken: return "\(word) takes no value."
    case .valueNotChoice(let long, let choices):
      return "--\(long) takes \(choices.joined(separator: ", ")), and not \"\(word)\".\(guess)"
    case .valueNotNumber(let long, let range):
      if range.upperBound == Int.max {
        return "--\(long) takes a whole number of at least \(range.lowerBound), and not \"\(word)\"."
      }
      return "--\(long) takes a whole number from \(range.lowerBound) to \(range.upperBound), and not \"\(word)\"."
    case .unknownVerb: return "there is no verb \"\(word)\".\(guess)"
    case .verbMissing(let verbs): return "say what to do: \(verbs.joined(separator: ", "))."
    case .operandMissing(let placeholder): return "say which: \(placeholder) is missing."
    case .operandNotTaken: return "\"\(word)\" is one word too many."
    }
  }
}
