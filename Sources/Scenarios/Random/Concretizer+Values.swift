import PropertyTesting

extension Concretizer {
  func number(_ syntax: NumberSyntax?) throws(Diagnostic) -> NumberSyntax? {
    guard let syntax else { return nil }
    return try number(syntax) as NumberSyntax
  }

  /// The number, or one of those that it may be.
  func number(_ syntax: NumberSyntax) throws(Diagnostic) -> NumberSyntax {
    var chosen = syntax
    switch syntax.form {
    case .exactly(let operand): chosen.form = .exactly(self.operand(operand))
    case .oneOf(let all): chosen.form = .exactly(self.operand(all[source.int(in: 0...(all.count - 1))]))
    case .range(let low, let high):
      let ends = try [low, high].map { (operand) throws(Diagnostic) in
        try environment.number(NumberSyntax(place: syntax.place, form: .exactly(operand)), "the end of a range")
          .millionths
      }
      guard ends[0] <= ends[1] else { throw Concretizer.empty(syntax.place) }
      let unit = Concretizer.unit(of: ends)
      let drawn = source.int(in: Int(ends[0] / unit)...Int(ends[1] / unit))
      chosen.form = .exactly(.literal(Numeral(millionths: Int64(drawn) * unit)))
    }
    return chosen
  }

  /// The distance of the numbers that a range is drawn from: whole numbers, or as exact as its ends are.
  private static func unit(of ends: [Int64]) -> Int64 {
    var unit: Int64 = 1_000_000
    while unit > 1, ends.contains(where: { $0 % unit != 0 }) { unit /= 10 }
    return unit
  }

  func size(_ syntax: SizeSyntax) throws(Diagnostic) -> SizeSyntax {
    SizeSyntax(place: syntax.place, form: try measured(syntax.form, syntax.place))
  }

  func duration(_ syntax: DurationSyntax) throws(Diagnostic) -> DurationSyntax {
    DurationSyntax(place: syntax.place, form: try measured(syntax.form, syntax.place))
  }

  private func measured(_ form: SizeSyntax.Form, _ place: SourcePlace) throws(Diagnostic) -> SizeSyntax.Form {
    switch form {
    case .exactly(.literal): return form
    case .exactly(.variable(let variable)):
      switch written[variable.value] {
      case .size(let value), .duration(let value): return .exactly(.literal(value))
      default: return form
      }
    case .range(let low, let high):
      guard low <= high else { throw Concretizer.empty(place) }
      return .exactly(.literal(UInt64(source.int(in: Int(low)...Int(high)))))
    }
  }

  // MARK: Variables that are written out

  private func operand(_ operand: Operand<Numeral>) -> Operand<Numeral> {
    guard case .variable(let variable) = operand, case .number(let value) = written[variable.value] else {
      return operand
    }
    return .literal(value)
  }

  func scalar(_ syntax: ScalarSyntax) -> ScalarSyntax {
    guard case .variable(let name) = syntax.value, let value = written[name] else { return syntax }
    return ScalarSyntax(place: syntax.place, value: value)
  }

  func reference(_ syntax: Reference) -> Reference {
    guard case .variable(let variable) = syntax.first, case .name(let name) = written[variable.value] else {
      return syntax
    }
    var syntax = syntax
    syntax.first = .literal(Word(name, variable.place))
    return syntax
  }
}
