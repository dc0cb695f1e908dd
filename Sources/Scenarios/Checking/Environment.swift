/// The values of parameters, arguments and loop variables at one place, and the reading of values there.
struct Environment: Sendable {
  var variables: [String: ScalarSyntax.Value] = [:]

  /// What this version does not run, in one sentence.
  static func notYet(_ place: SourcePlace, _ what: String) -> Diagnostic {
    Diagnostic(.notYet, place, "\(what) does not run yet in this version")
  }

  private static func random(_ place: SourcePlace, _ what: String) -> Diagnostic {
    Diagnostic(.error, place, "\(what) cannot stand here - write one value")
  }

  /// What the variable stands for.
  func value(of variable: Word) throws(Diagnostic) -> ScalarSyntax.Value {
    if let value = variables[variable.value] { return value }
    let known = variables.keys.sorted()
    let near = Spelling.suggestion(for: variable.value, among: known)
    let list = known.isEmpty ? " - write 'param \(variable.value) = …' above" : ""
    throw Diagnostic(
      .error, variable.place, "'$\(variable.value)' is not set here\(near.isEmpty ? list : near)")
  }

  private func numeral(_ operand: Operand<Numeral>, _ what: String) throws(Diagnostic) -> Numeral {
    switch operand {
    case .literal(let numeral): return numeral
    case .variable(let variable):
      let value = try value(of: variable)
      guard case .number(let numeral) = value else {
        throw Diagnostic(.error, variable.place, "'$\(variable.value)' is \(value.kind); \(what) is a number")
      }
      return numeral
    }
  }

  func number(_ syntax: NumberSyntax, _ what: String) throws(Diagnostic) -> Numeral {
    switch syntax.form {
    case .exactly(let operand): return try numeral(operand, what)
    case .range: throw Environment.random(syntax.place, "a range")
    case .oneOf: throw Environment.random(syntax.place, "'one of'")
    }
  }

  /// A whole number within limits.
  func whole(_ syntax: NumberSyntax, _ what: String, in limits: ClosedRange<Int>) throws(Diagnostic) -> Int {
    guard let whole = try number(syntax, what).whole else {
      throw Diagnostic(.error, syntax.place, "\(what) is a whole number")
    }
    guard limits.contains(Int(whole)) else {
      throw Diagnostic(.error, syntax.place, "\(what) is \(limits.lowerBound) to \(limits.upperBound)")
    }
    return Int(whole)
  }

  /// A length in points, given in tenths.
  func deciPoints(_ syntax: NumberSyntax, _ what: String, in limits: ClosedRange<Int32>) throws(Diagnostic) -> Int32 {
    let numeral = try number(syntax, what)
    guard numeral.millionths % 100_000 == 0 else {
      throw Diagnostic(.error, syntax.place, "\(what) has at most one digit behind the point: tenths of a point")
    }
    let tenths = numeral.millionths / 100_000
    guard limits.contains(Int32(clamping: tenths)) else {
      let bounds = [limits.lowerBound, limits.upperBound].map { Environment.text(Int64($0) * 100_000) }
      throw Diagnostic(.error, syntax.place, "\(what) is \(bounds[0]) to \(bounds[1]) points")
    }
    return Int32(tenths)
  }

  func size(_ syntax: SizeSyntax, _ what: String) throws(Diagnostic) -> UInt64 {
    switch syntax.form {
    case .exactly(.literal(let bytes)): return bytes
    case .range: throw Environment.random(syntax.place, "a range")
    case .exactly(.variable(let variable)):
      let value = try value(of: variable)
      guard case .size(let bytes) = value else {
        throw Diagnostic(
          .error, variable.place, "'$\(variable.value)' is \(value.kind); \(what) is a size, such as 64KiB")
      }
      return bytes
    }
  }

  /// A duration in milliseconds.
  func duration(_ syntax: DurationSyntax, _ what: String) throws(Diagnostic) -> UInt64 {
    switch syntax.form {
    case .exactly(.literal(let milliseconds)): return milliseconds
    case .range: throw Environment.random(syntax.place, "a range")
    case .exactly(.variable(let variable)):
      let value = try value(of: variable)
      guard case .duration(let milliseconds) = value else {
        throw Diagnostic(
          .error, variable.place, "'$\(variable.value)' is \(value.kind); \(what) is a duration, such as 600ms")
      }
      return milliseconds
    }
  }

  func scalar(_ syntax: ScalarSyntax) throws(Diagnostic) -> ScalarSyntax.Value {
    guard case .variable(let name) = syntax.value else { return syntax.value }
    return try value(of: Word(name, syntax.place))
  }

  /// The names of a reference, variables filled in: `p1` or `trip`, `p1`.
  func names(of reference: Reference) throws(Diagnostic) -> (first: String, second: String?) {
    switch reference.first {
    case .literal(let word): return (word.value, reference.second?.value)
    case .variable(let variable):
      let value = try value(of: variable)
      guard case .name(let name) = value else {
        throw Diagnostic(.error, variable.place, "'$\(variable.value)' is \(value.kind); a name is needed here")
      }
      return (name, reference.second?.value)
    }
  }

  /// A number of millionths as text, without zeros at the end.
  static func text(_ millionths: Int64) -> String {
    let sign = millionths < 0 ? "-" : ""
    let whole = millionths.magnitude / 1_000_000
    var fraction = String(millionths.magnitude % 1_000_000)
    if fraction == "0" { return "\(sign)\(whole)" }
    fraction = String(repeating: "0", count: 6 - fraction.count) + fraction
    while fraction.last == "0" { fraction.removeLast() }
    return "\(sign)\(whole).\(fraction)"
  }
}

extension Diagnostic: Error {}
