/// A number as written: exact to a millionth.
struct Numeral: Hashable, Sendable {
  var millionths: Int64

  /// The largest number before the point.
  static let wholeMax: Int64 = 1_000_000_000_000

  init(millionths: Int64) { self.millionths = millionths }

  /// This whole number.
  init(whole: Int) { millionths = Int64(whole) * 1_000_000 }

  /// The number, where it has no part behind the point.
  var whole: Int64? { millionths % 1_000_000 == 0 ? millionths / 1_000_000 : nil }
}

/// A number or a variable that stands for one.
enum Operand<Value: Hashable & Sendable>: Hashable, Sendable {
  case literal(Value)
  case variable(Word)
}

/// A number, a range of numbers, or one of several.
struct NumberSyntax: Hashable, Sendable {
  var place: SourcePlace
  var form: Form

  enum Form: Hashable, Sendable {
    case exactly(Operand<Numeral>)
    case range(Operand<Numeral>, Operand<Numeral>)
    case oneOf([Operand<Numeral>])
  }
}

/// A size in bytes, a range of sizes, or a variable.
struct SizeSyntax: Hashable, Sendable {
  var place: SourcePlace
  var form: Form

  enum Form: Hashable, Sendable {
    case exactly(Operand<UInt64>)
    case range(UInt64, UInt64)
  }
}

/// A duration in milliseconds, a range of durations, or a variable.
struct DurationSyntax: Hashable, Sendable {
  var place: SourcePlace
  var form: SizeSyntax.Form
}

/// A value of a parameter or of an argument.
struct ScalarSyntax: Hashable, Sendable {
  var place: SourcePlace
  var value: Value

  enum Value: Hashable, Sendable {
    case number(Numeral)
    case size(UInt64)
    case duration(UInt64)
    case string(String)
    case name(String)
    case variable(String)

    /// What kind of value it is, with its article.
    var kind: String {
      switch self {
      case .number: "a number"
      case .size: "a size"
      case .duration: "a duration"
      case .string: "a string"
      case .name: "a name"
      case .variable: "a variable"
      }
    }
  }
}

/// `p1`, `trip.p1`, `$page`.
struct Reference: Hashable, Sendable {
  var place: SourcePlace
  var first: Operand<Word>
  var second: Word?
}
