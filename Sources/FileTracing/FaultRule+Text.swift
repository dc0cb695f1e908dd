import Files

// How a rule is written in scenarios, plans and on command lines, and shown everywhere. Reading the text gives an equal
// rule, as far as the language can say it: a pattern that is no UTF-8 is shown with marks in place of its bytes, and a
// probability has six digits.
extension FaultRule {
  /// "maybe EIO on rename to "a" or "b" nth 2 after": all but the name.
  package var text: String { (isOptional ? "maybe " : "") + bareText }

  /// "EIO on rename to "a" or "b" nth 2 after": what is written behind `fault NAME =`.
  package var bareText: String {
    var words = [effect.text, "on", operationsText]
    if let target { words.append(target.text) }
    words += occurrence.words
    if phase != effect.phaseByDefault { words.append(phase.rawValue) }
    return words.joined(separator: " ")
  }

  private var operationsText: String {
    if operations.isEmpty { return "any" }
    return OperationKind.allCases.filter(operations.contains).map(\.rawValue).joined(separator: " or ")
  }
}

extension FaultEffect {
  /// "short-write 512B".
  package var text: String {
    switch self {
    case .errno(let errno): errno.name
    case .shortWrite(let bytesMax), .tornWrite(let bytesMax), .shortRead(let bytesMax):
      "\(word.rawValue) \(PlanUnits.text(bytes: bytesMax))"
    case .tornRename(.targetPrefix(bytes: let bytes?)):
      "\(word.rawValue) target-prefix \(PlanUnits.text(bytes: bytes))"
    case .tornRename(let way): "\(word.rawValue) \(way.name)"
    case .fsyncFail(let pages): "\(word.rawValue) \(pages.rawValue)"
    case .flip(let bits): "\(word.rawValue) \(bits) bits"
    case .slow(let milliseconds): "\(word.rawValue) \(PlanUnits.text(milliseconds: milliseconds))"
    case .powerCut(let survivors): "\(word.rawValue) \(survivors.rawValue)"
    case .fsyncLie, .zeroBlock, .misplacedBlock, .staleRead, .badSector, .asyncError, .remountReadOnly, .shutdown,
      .lockedDevice, .rolledBack, .placeholder, .shuffled, .hang, .kill:
      word.rawValue
    }
  }
}

extension FaultTarget {
  /// "of "a" or "b"": the side and the patterns.
  package var text: String { "\(side == .either ? "of" : side.rawValue) \(FaultTarget.spelling(of: patterns))" }

  /// Patterns as a plan writes them, quoted.
  package static func spelling(of patterns: [NamePattern]) -> String {
    patterns.map { quoted($0.glob.description) }.joined(separator: " or ")
  }

  /// A text between quotes, as the language writes it.
  package static func quoted(_ text: String) -> String {
    var quoted = ""
    for character in text.unicodeScalars {
      switch character {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\t": quoted += "\\t"
      default: quoted.unicodeScalars.append(character)
      }
    }
    return "\"\(quoted)\""
  }
}

extension FaultOccurrence {
  fileprivate var words: [String] {
    var words: [String] = []
    if let nth { words.append("nth \(nth)") }
    if let every { words.append("every \(every)") }
    if let afterBytes { words.append("after-bytes \(PlanUnits.text(bytes: afterBytes))") }
    if let probability { words.append("probability \(PlanUnits.text(probability: probability))") }
    if let times { words.append("times \(times)") }
    return words
  }
}

/// The units of the language, the smallest first, and numbers with them.
package enum PlanUnits {
  /// What one of each unit of size is in bytes.
  package static let sizes: [(unit: String, value: UInt64)] = [
    ("B", 1), ("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30),
  ]
  /// What one of each unit of time is in milliseconds.
  package static let durations: [(unit: String, value: UInt64)] = [
    ("ms", 1), ("s", 1000), ("min", 60_000), ("h", 3_600_000),
  ]

  /// "64KiB": in the largest unit that needs no point.
  package static func text(bytes: UInt64) -> String { text(bytes, in: sizes) }

  /// "200ms": in the largest unit that needs no point.
  package static func text(milliseconds: UInt64) -> String { text(milliseconds, in: durations) }

  /// A number in the largest of these units that needs no point.
  package static func text(_ value: UInt64, in units: [(unit: String, value: UInt64)]) -> String {
    let fitting = units.last { value != 0 && value % $0.value == 0 } ?? units[0]
    return "\(value / fitting.value)\(fitting.unit)"
  }

  /// "0.05": at most six digits behind the point, and at least one.
  static func text(probability: Double) -> String {
    let millionths = Int((probability * 1_000_000).rounded())
    var fraction = String(millionths % 1_000_000)
    fraction = String(repeating: "0", count: 6 - fraction.count) + fraction
    while fraction.count > 1, fraction.last == "0" { fraction.removeLast() }
    return "\(millionths / 1_000_000).\(fraction)"
  }
}
