/// Where a test draws all that is not fixed: from a prefix, then by chance or as simple as can be.
///
/// A draw never fails. Beyond a limit it answers the simplest value and the case is an overrun, whatever the test says of
/// it; a test that does something expensive asks `isOverrun` first. The same prefix, seed and limits draw the same.
package final class ChoiceSource {
  /// What is drawn where the prefix has ended.
  package enum Beyond: Sendable {
    /// The simplest values.
    case simplest
    /// Values by chance, from this seed.
    case random(seed: UInt64)
    /// Values by chance up to this many choices in all, then the simplest.
    case randomThenSimplest(seed: UInt64, choices: Int)
  }

  let limits: ChoiceLimits
  private let prefix: [ChoiceValue]
  private var position = 0
  private var random: RandomBits?
  private let randomEnd: Int
  private var walk: ChoiceTree.Walk?
  private var bytesLeft: Int

  private(set) var choices: [Choice] = []
  private(set) var spans: [Span] = []
  private var open: [Int] = []
  private var firstMisaligned: Int?
  private var states: [CaseRecord.StateMark] = []
  private var targets: [CaseRecord.Target] = []
  private var told: [String] = []

  /// True where more was drawn than the limits allow; everything drawn since was the simplest.
  package private(set) var isOverrun = false
  /// True where what the test tells is kept: in a replay that is shown to somebody.
  package let isTelling: Bool

  /// A source that follows the prefix as far as it is permitted.
  package convenience init(
    prefix: [ChoiceValue] = [], beyond: Beyond = .simplest, limits: ChoiceLimits = ChoiceLimits(),
    isTelling: Bool = false
  ) {
    self.init(prefix: prefix, beyond: beyond, limits: limits, isTelling: isTelling, tree: nil)
  }

  /// A source that draws by chance only what the tree does not know yet.
  init(prefix: [ChoiceValue], beyond: Beyond, limits: ChoiceLimits, isTelling: Bool, tree: ChoiceTree?) {
    self.prefix = prefix
    self.limits = limits
    self.isTelling = isTelling
    bytesLeft = limits.bytesMax
    switch beyond {
    case .simplest: (random, randomEnd) = (nil, 0)
    case .random(let seed): (random, randomEnd) = (RandomBits(seed: seed), .max)
    case .randomThenSimplest(let seed, let count): (random, randomEnd) = (RandomBits(seed: seed), count)
    }
    walk = tree.map { ChoiceTree.Walk($0) }
    choices.reserveCapacity(min(max(prefix.count, 64), limits.choicesMax))
  }

  /// The case as it was drawn, with what the test says of it.
  package func record(_ verdict: Verdict) -> CaseRecord {
    let status: CaseStatus =
      switch verdict {
      case _ where isOverrun: .overrun
      case .holds: .valid
      case .invalid: .invalid
      case .fails(let bucket): .interesting(bucket: bucket)
      }
    while !open.isEmpty { close() }
    return CaseRecord(
      choices: choices, spans: spans, status: status, states: states, targets: targets, told: told,
      firstMisaligned: firstMisaligned)
  }

  // MARK: Spans

  /// Begins a span of this kind; `close` ends it.
  package func open(_ label: String) {
    if open.count >= limits.depthMax { isOverrun = true }
    open.append(spans.count)
    spans.append(
      Span(
        label: label, start: choices.count, end: choices.count, parent: open.dropLast().last, depth: open.count - 1))
  }

  /// Ends the innermost open span; `discard` where the test makes no use of what was drawn in it.
  package func close(discard: Bool = false) {
    guard let span = open.popLast() else { return }
    spans[span].end = choices.count
    spans[span].isDiscarded = discard
  }

  /// What was drawn in between, as one span of this kind.
  package func span<Value>(_ label: String, _ draw: () throws -> Value) rethrows -> Value {
    open(label)
    defer { close() }
    return try draw()
  }

  // MARK: What the test says on its way

  /// Names the state that the test is in: what lies between two equal states can be left out.
  package func mark(state: UInt64) {
    states.append(CaseRecord.StateMark(position: choices.count, state: state))
  }

  /// Says what the search shall make large.
  package func target(_ name: String, _ value: Double) {
    guard value.isFinite else { return }
    guard let known = targets.firstIndex(where: { $0.name == name }) else {
      return targets.append(CaseRecord.Target(name: name, value: value))
    }
    targets[known].value = max(targets[known].value, value)
  }

  /// Tells a line to whom the case is shown; costs nothing where nobody looks.
  package func tell(_ line: @autoclosure () -> String) {
    if isTelling { told.append(line()) }
  }

  // MARK: Drawing

  /// The next choice, permitted by the constraint; `weights` are those of the numbers 0, 1, 2 … of an int.
  ///
  /// A wish takes the place of chance, and of nothing else: what was drawn is replayed and made small without it.
  func draw(
    _ constraint: Constraint, forced: ChoiceValue?, weights: [Int]? = nil, wish: ChoiceValue? = nil
  ) -> ChoiceValue {
    if let forced { precondition(constraint.permits(forced), "\(forced) is forced, but not among \(constraint)") }
    if choices.count >= limits.choicesMax || isOverrun {
      isOverrun = true
      return forced ?? constraint.simplest
    }
    let choice = Choice(
      unchecked: forced ?? free(constraint, weights, wish), of: constraint, isForced: forced != nil)
    if forced != nil { position += 1 }
    if case .bytes(let bytes) = choice.value {
      bytesLeft -= bytes.count
      if bytesLeft < 0 { isOverrun = true }
    }
    walk?.advance(choice)
    choices.append(choice)
    return choice.value
  }

  private func free(_ constraint: Constraint, _ weights: [Int]?, _ wish: ChoiceValue?) -> ChoiceValue {
    if position < prefix.count {
      let value = prefix[position]
      position += 1
      if constraint.permits(value) { return value }
      if firstMisaligned == nil { firstMisaligned = choices.count }
      return constraint.simplest
    }
    guard random != nil, choices.count < randomEnd else { return constraint.simplest }
    if let wish, constraint.permits(wish) { return wish }
    for _ in 0..<ChoiceSource.novelTries {
      let value = byChance(constraint, weights)
      if walk?.isExhausted(value) != true { return value }
    }
    return walk?.firstNovel(of: constraint) ?? byChance(constraint, weights)
  }

  /// So often is something drawn anew of which everything is known.
  private static let novelTries = 8

  private func byChance(_ constraint: Constraint, _ weights: [Int]?) -> ChoiceValue {
    guard let weights else { return constraint.random(&random!) }
    var left = random!.below(weights.reduce(0, +))
    for (index, weight) in weights.enumerated() {
      if left < weight { return .int(index) }
      left -= weight
    }
    return constraint.simplest
  }
}
