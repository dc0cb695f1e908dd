/// Splits words into options and operands with the grammar of GNU getopt_long(3).
///
/// `--name=value`, `--name value`, abbreviations that fit one name only, bundled letters, `-nvalue`, `-n value`,
/// `--` before operands that look like options, and operands between options.
/// A test holds the result equal to that of getopt_long itself.
struct OptionScanner {
  /// One thing found, in the order of the words.
  enum Event: Hashable {
    /// The option of this index in the table, with its value where it has one.
    case option(Int, value: Word?)
    /// Something that is wrong; scanning goes on behind it.
    case problem(OptionError.Kind, word: Word)
  }

  /// What a scan found.
  struct Result: Hashable {
    /// Options and problems.
    var events: [Event] = []
    /// Everything else, in its order.
    var operands: [Word] = []
    /// True where `--` ended the options.
    var endedByDashes = false
  }

  /// The options looked for.
  let options: [Option]
  /// True where the first operand ends the options.
  let endsAtOperand: Bool

  /// Reads all the words; never fails, problems are events.
  func scan(_ words: [Word]) -> Result {
    var result = Result()
    var rest = words[...]
    while let word = rest.popFirst() {
      if word.bytes == [0x2D, 0x2D] {
        result.operands += rest
        result.endedByDashes = true
        break
      }
      if word.bytes.count > 2 && word.bytes.starts(with: [0x2D, 0x2D]) {
        result.events.append(long(word, &rest))
      } else if word.bytes.count > 1 && word.bytes[0] == 0x2D {
        letters(of: word, &rest, into: &result.events)
      } else {
        result.operands.append(word)
        if endsAtOperand {
          result.operands += rest
          break
        }
      }
    }
    return result
  }

  private func long(_ word: Word, _ rest: inout ArraySlice<Word>) -> Event {
    let body = word.bytes.dropFirst(2)
    let equals = body.firstIndex(of: UInt8(ascii: "="))
    let name = body[..<(equals ?? body.endIndex)]
    let given = equals.map { Word(bytes: body[($0 + 1)...]) }
    let written = Word(bytes: [0x2D, 0x2D] + name)

    let index: Int
    if let exact = options.firstIndex(where: { $0.long.utf8.elementsEqual(name) }) {
      index = exact
    } else {
      let fitting = options.indices.filter { options[$0].long.utf8.starts(with: name) }
      guard let first = fitting.first else { return .problem(.unknownOption, word: written) }
      guard fitting.count == 1 else {
        return .problem(.ambiguousOption(fitting.map { options[$0].long }), word: written)
      }
      index = first
    }
    let option = options[index]
    guard option.value != nil else {
      return given == nil ? .option(index, value: nil) : .problem(.valueNotTaken, word: written)
    }
    if given != nil || option.valueIsOptional { return .option(index, value: given) }
    guard let next = rest.popFirst() else { return .problem(.valueMissing(option.long), word: written) }
    return .option(index, value: next)
  }

  private func letters(of word: Word, _ rest: inout ArraySlice<Word>, into events: inout [Event]) {
    var body = word.bytes.dropFirst()
    while let letter = body.popFirst() {
      let written = Word(bytes: [0x2D, letter])
      guard let index = options.firstIndex(where: { $0.shortByte == letter }) else {
        events.append(.problem(.unknownOption, word: written))
        continue
      }
      let option = options[index]
      if option.value == nil {
        events.append(.option(index, value: nil))
      } else if !body.isEmpty {
        events.append(.option(index, value: Word(bytes: body)))
        return
      } else if option.valueIsOptional {
        events.append(.option(index, value: nil))
      } else if let next = rest.popFirst() {
        events.append(.option(index, value: next))
      } else {
        events.append(.problem(.valueMissing(option.long), word: written))
      }
    }
  }
}
