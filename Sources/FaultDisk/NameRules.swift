import Files

/// When two names in a directory are the same name; by their bytes alone where nothing is chosen.
///
/// The disk keeps the spelling of who made a name. Names that are not UTF-8 are compared by their bytes.
package struct NameRules: OptionSet, Hashable, Sendable {
  /// The bits.
  package let rawValue: UInt8
  /// Names that differ in upper and lower case only are the same.
  package static let caseInsensitive = NameRules(rawValue: 1)
  /// Names that are canonically equivalent in Unicode are the same.
  ///
  /// So é is one name, as one character and as e with an accent.
  package static let normalising = NameRules(rawValue: 2)

  /// The rules with these bits.
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  private static let words: [(word: String, rule: NameRules)] = [
    ("case-insensitive", .caseInsensitive), ("normalising", .normalising),
  ]

  /// The words, as they are written in a list.
  package static var knownWords: [String] { words.map(\.word) }

  /// The rules of a list of words with commas between them; a word that is none is thrown.
  package init(text: String) throws(UnknownWord) {
    self = []
    for piece in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let known = NameRules.words.first(where: { $0.word == piece }) else {
        throw UnknownWord(word: String(piece))
      }
      insert(known.rule)
    }
  }

  /// The words with commas between them; `init(text:)` gives the same rules.
  package var text: String { NameRules.words.filter { contains($0.rule) }.map(\.word).joined(separator: ",") }

  /// A word that is no rule for names.
  package struct UnknownWord: Error, Hashable, CustomStringConvertible {
    /// The word.
    package let word: String

    /// "'upper' is no rule for names; write …", and what is known.
    package var description: String {
      "'\(word)' is no rule for names; write \(NameRules.knownWords.joined(separator: " or ")), "
        + "or both with a comma between them"
    }
  }
}

/// What names are compared by.
enum NameKey: Hashable {
  /// By these bytes.
  case bytes(BytePath)
  /// As Unicode says that texts are equal.
  case text(String)
}

extension NameRules {
  /// What a name is compared by: equal for names that are the same.
  func key(of name: BytePath) -> NameKey {
    guard !isEmpty, let text = name.exactText else { return .bytes(name) }
    let folded = contains(.caseInsensitive) ? NameRules.folded(text) : text
    return contains(.normalising) ? .text(folded) : .bytes(BytePath(folded))
  }

  /// The text without the difference of upper and lower case, as the full case folding of Unicode has it.
  ///
  /// Swift offers no case folding. Lower, upper and lower again sets the same characters equal: ß and ẞ and SS, σ and
  /// ς. But for ı, a letter of its own in Turkish, which has the capital I.
  static func folded(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.lowercased() }
    var folded = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if scalar == dotlessI {
        folded.append(scalar)
        continue
      }
      for lower in scalar.properties.lowercaseMapping.unicodeScalars {
        for upper in lower.properties.uppercaseMapping.unicodeScalars {
          folded.append(contentsOf: upper.properties.lowercaseMapping.unicodeScalars)
        }
      }
    }
    return String(folded)
  }

  private static let dotlessI: Unicode.Scalar = "ı"
}
