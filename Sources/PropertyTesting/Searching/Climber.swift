/// Raises what the test wants to be large, by changing one number at a time.
struct Climber {
  /// The best case of each target, in the order of first mention.
  private(set) var best: [(target: CaseRecord.Target, record: CaseRecord)] = []

  /// Keeps the case where it is the best of one of its targets.
  mutating func see(_ record: CaseRecord) {
    guard record.status != .overrun, record.status != .invalid else { return }
    for target in record.targets {
      guard let known = best.firstIndex(where: { $0.target.name == target.name }) else {
        best.append((target, record))
        continue
      }
      if best[known].target.value < target.value { best[known] = (target, record) }
    }
  }

  /// Changes each number of the best case upwards and downwards as long as the target rises. `execute` ends with nil.
  mutating func climb(_ number: Int, execute: ([ChoiceValue]) -> CaseRecord?) {
    var isOver = false
    var index = 0
    while index < best[number].record.choices.count, !isOver {
      for direction in [1, -1] where index < best[number].record.choices.count {
        let base = best[number].record
        Adaptive.largest { step in
          guard !isOver, let values = Climber.values(of: base, index, step, direction) else { return false }
          let before = best[number].target.value
          guard let record = execute(values) else {
            isOver = true
            return false
          }
          see(record)
          return best[number].target.value > before
        }
      }
      index += 1
    }
  }

  private static func values(of record: CaseRecord, _ index: Int, _ step: Int, _ direction: Int) -> [ChoiceValue]? {
    let choice = record.choices[index]
    guard !choice.isForced, let value = choice.value.moved(by: step, direction, within: choice.constraint) else {
      return nil
    }
    var values = record.values
    values[index] = value
    return values
  }
}

extension ChoiceValue {
  /// The number so many steps up or down; nil where that is not permitted, or it is no number.
  fileprivate func moved(by step: Int, _ direction: Int, within constraint: Constraint) -> ChoiceValue? {
    let moved: ChoiceValue
    switch self {
    case .bool(let value): moved = .bool(!value)
    case .int(let value):
      let (sum, overflows) = value.addingReportingOverflow(step * direction)
      if overflows { return nil }
      moved = .int(sum)
    case .float(let value): moved = .float(value + Double(step * direction))
    case .bytes: return nil
    }
    if case .bool = self, step > 1 { return nil }
    return constraint.permits(moved) ? moved : nil
  }
}
