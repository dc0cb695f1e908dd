/// Loops that count.
extension Checker {
  /// How many rounds a loop until success has at the most, where it names no last number.
  static let untilRoundsMax = 1000

  /// The numbers that a loop's variable takes.
  func numbers(of loop: LoopSyntax, to last: Word, _ place: SourcePlace) throws(Diagnostic) -> ClosedRange<Int> {
    guard let from = Int(loop.from.value), let to = Int(last.value), from <= to else {
      throw Diagnostic(.error, last.place, "the last number is smaller than the first")
    }
    guard to - from < Checker.stepsMax else {
      throw Diagnostic(.error, place, "a loop has at most \(Checker.stepsMax) rounds")
    }
    return from...to
  }

  /// `for n = 1.. until success { … }`: each round is made ready; the run ends behind the first in which nothing failed.
  mutating func untilSuccess(_ loop: LoopSyntax, _ place: SourcePlace) throws(Diagnostic) -> CheckedStep {
    let numbers: ClosedRange<Int>
    if let last = loop.to {
      numbers = try self.numbers(of: loop, to: last, place)
    } else {
      guard let from = Int(loop.from.value), from < Numeral.wholeMax else {
        throw Diagnostic(.error, loop.from.place, "the first number is too large")
      }
      numbers = from...(from + Checker.untilRoundsMax - 1)
    }
    if loop.body.steps.isEmpty { throw Diagnostic(.error, place, "in an empty block nothing can succeed") }
    let description = StepPrinter(environment: environment).line(Step(place: place, action: .loop(loop)))
    let outer = (environment: environment, rounds: rounds)
    let before = names
    defer { (environment, rounds) = outer }
    let all = try nested(place) { checker in
      var all: [[CheckedStep]] = []
      for number in numbers where !checker.unrolled.isStopped {
        checker.environment.variables[loop.name.value] = .number(Numeral(whole: number))
        checker.rounds = outer.rounds + [.init(number: number - numbers.lowerBound + 1, count: nil)]
        all.append(checker.check(steps: loop.body.steps))
        // Where the first round is wrong, the others are so too.
        if checker.diagnostics.forbidsRun { break }
      }
      return all
    }
    // Nobody knows which round is the last: what was named in it is known in it only.
    names.forgetNames(since: before)
    return CheckedStep(place: place, description: description, rounds: outer.rounds, action: .untilSuccess(all))
  }
}
