import Glibc
import PropertyTesting

/// Steps of trivial machines by chance, as many as a number of cases makes: what is timed is the drawing itself.
struct MachineSteps {
  /// What a step draws besides its rule.
  enum Kind: String, CaseIterable {
    /// Nothing.
    case plain
    /// Two numbers.
    case numbers
    /// A thing that an earlier step has made, and a float.
    case references
  }

  let kind: Kind
  let cases: Int

  /// How many steps a second of processor time, as one line: "steps 12345 processor 67890 cases 100", nanoseconds.
  var line: String {
    var settings = SearchSettings()
    settings.executionsMax = cases
    var steps = 0
    let property: Property
    switch kind {
    case .plain: property = plain { steps += 1 }
    case .numbers: property = numbers { steps += 1 }
    case .references: property = references { steps += 1 }
    }
    let begin = MachineSteps.processorNanoseconds
    var search = Search(property, settings)
    let counts = search.run().counts
    let spent = MachineSteps.processorNanoseconds - begin
    return "steps \(steps) processor \(spent) cases \(counts.executions)"
  }

  private func plain(_ count: @escaping () -> Void) -> Property {
    StateMachine(
      "plain", initial: 0,
      rules: (0..<3).map { number in
        .init("rule \(number)") { model, _ in
          count()
          model += number
          return .holds
        }
      }
    ).property
  }

  private func numbers(_ count: @escaping () -> Void) -> Property {
    StateMachine(
      "numbers", initial: 0,
      rules: (0..<3).map { number in
        .init("rule \(number)") { model, source in
          count()
          model += source.int(in: 0...1000) - source.int(in: 0...1000)
          return .holds
        }
      }
    ).property
  }

  private func references(_ count: @escaping () -> Void) -> Property {
    StateMachine(
      "references", initial: Bundle<Double>("thing"),
      rules: [
        .init("make") { model, source in
          count()
          model.add(source.float(in: 0...1))
          return .holds
        },
        .init("use", when: { !$0.isEmpty }) { model, source in
          count()
          return model.draw(source).value <= source.float(in: 1...2) ? .holds : .fails(bucket: "larger")
        },
      ]
    ).property
  }

  private static var processorNanoseconds: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
