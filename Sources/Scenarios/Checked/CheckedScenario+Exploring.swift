import FileTracing

extension CheckedScenario {
  /// The same steps as one sweep over every crash; nil where no step is left.
  ///
  /// The checks are those that every store must stand.
  /// Up to the first power cut or kill all that changes something is taken; expectations, repairs and faults are left
  /// out, and of other sweeps the first one's steps are taken.
  ///
  /// - Parameters:
  ///   - dangling: the kinds of problem that no crash may leave.
  ///   - depth: how deep crashes nest.
  ///   - goesOn: true where another session draws and saves behind a recovery, and is crashed with it.
  package func exploringCrashes(
    never dangling: [ExpectedProblem], depth: Int = 1, goesOn: Bool = false
  ) -> CheckedScenario? {
    var taken = CrashRecipe()
    taken.add(steps)
    guard let last = taken.steps.last else { return nil }
    let place = SourcePlace(line: 0, column: 0, length: 0)
    func step(_ description: String, _ action: StepAction) -> CheckedStep {
      CheckedStep(place: place, description: description, rounds: [], action: action)
    }
    let names = dangling.map(\.name).joined(separator: ", ")
    let check = [
      step("reopen", .reopen(expecting: nil)),
      step("expect document loads", .expect(.documentLoads)),
      step("expect fsck never \(names)", .expect(.fsckNever(dangling))),
      step("expect fsck no-loss", .expect(.fsckNoLoss)),
      step("repair", .repair),
      step("expect fsck clean", .expect(.fsckClean)),
    ]
    var explored = self
    var sweep = CrashSweep(atMost: nil, steps: taken.steps, check: check)
    sweep.depth = depth
    if goesOn {
      sweep.next = documents.flatMap(\.pages).map {
        step("stroke \($0.reference.spelling)", .stroke(nextStroke(on: $0)))
      }
      sweep.next.append(step("background", .background))
    }
    let title = "for each crash up to line \(last.place.line)"
    explored.steps = [step(title, .crashes(sweep))]
    return explored
  }
}

/// The stroke that another session draws on a page.
private func nextStroke(on page: ScenarioPage) -> StrokeStep {
  let id = FixedID(derivedFrom: "the next session's stroke on \(page.reference.page)")
  let stroke = ElementReference(page: page.reference, element: id, asset: nil, name: nil)
  return StrokeStep(stroke: stroke, points: 9, pen: .ballpoint, widthDeciPoints: 10, origin: nil)
}

/// The steps of a scenario that an exploration records.
private struct CrashRecipe {
  var steps: [CheckedStep] = []
  private var hasEnded = false

  mutating func add(_ all: [CheckedStep]) {
    for step in all where !hasEnded { add(step) }
  }

  private mutating func add(_ step: CheckedStep) {
    switch step.action {
    case .powerCut, .chosenCut, .kill: hasEnded = true
    case .expect, .repair, .fsck, .arm, .clear, .clearFaults, .freeSpace: break
    case .armed(let conditions, let inner):
      add(inner)
      if conditions.contains(where: { $0.rule?.effect.endsApp ?? false }) { hasEnded = true }
    case .tornRenames(let sweep): end(with: sweep.steps)
    case .crashes(let sweep): end(with: sweep.steps)
    case .failures(let sweep): end(with: sweep.steps)
    default: steps.append(step)
    }
  }

  private mutating func end(with inner: [CheckedStep]) {
    add(inner)
    hasEnded = true
  }
}
