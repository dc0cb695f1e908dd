extension ChoiceSource {
  /// A whole number; the nearer to `origin`, the simpler.
  ///
  /// The origin is what is nearest to zero where nothing is said.
  package func int(in range: ClosedRange<Int>, towards origin: Int? = nil, forced: Int? = nil) -> Int {
    let simplest = min(max(origin ?? 0, range.lowerBound), range.upperBound)
    let constraint = Constraint.int(low: range.lowerBound, high: range.upperBound, origin: simplest)
    guard case .int(let value) = draw(constraint, forced: forced.map { .int($0) }) else { return simplest }
    return value
  }

  /// Yes with this chance; no is simpler.
  package func bool(_ chance: Double = 0.5, forced: Bool? = nil) -> Bool {
    // What is forced must be permitted, also where the chance says otherwise.
    let constraint = Constraint.bool(chance: forced == nil ? chance : 0.5)
    guard case .bool(let value) = draw(constraint, forced: forced.map { .bool($0) }) else { return false }
    return value
  }

  /// A finite number; whole ones are simpler, and small ones.
  package func float(in range: ClosedRange<Double>, forced: Double? = nil) -> Double {
    let constraint = Constraint.float(low: range.lowerBound, high: range.upperBound)
    guard case .float(let value) = draw(constraint, forced: forced.map { .float($0) }) else { return range.lowerBound }
    return value
  }

  /// Some bytes; fewer are simpler, and zeros.
  package func bytes(count range: ClosedRange<Int>, forced: [UInt8]? = nil) -> [UInt8] {
    let constraint = Constraint.bytes(fewest: range.lowerBound, most: range.upperBound)
    guard case .bytes(let value) = draw(constraint, forced: forced.map { .bytes($0) }) else { return [] }
    return value
  }

  /// One of several, by number, each as likely as its weight; the first is the simplest.
  ///
  /// Precondition: there is a weight, and all of them are above 0.
  ///
  /// - Parameter wish: the number that takes the place of chance; nil for chance.
  package func pick(weights: [Int], wish: Int? = nil) -> Int {
    precondition(!weights.isEmpty && weights.allSatisfy { $0 > 0 }, "weights \(weights)")
    let constraint = Constraint.int(low: 0, high: weights.count - 1, origin: 0)
    guard case .int(let value) = draw(constraint, forced: nil, weights: weights, wish: wish.map { .int($0) }) else {
      return 0
    }
    return value
  }

  /// One of these; the first is the simplest. Precondition: there is one.
  ///
  /// - Parameter wish: the place that takes the place of chance; nil for chance.
  package func pick<Elements: RandomAccessCollection>(_ elements: Elements, wish: Int? = nil) -> Elements.Element {
    precondition(!elements.isEmpty, "nothing to pick from")
    let constraint = Constraint.int(low: 0, high: elements.count - 1, origin: 0)
    guard case .int(let place) = draw(constraint, forced: nil, wish: wish.map { .int($0) }) else {
      return elements[elements.startIndex]
    }
    return elements[elements.index(elements.startIndex, offsetBy: place)]
  }

  /// Elements, one after the other: `while elements.next() { … }` draws one each time.
  package func many(_ range: ClosedRange<Int>, usually: Double? = nil, _ label: String = "element") -> Many {
    Many(self, range, usually: usually, label: label)
  }
}

/// How often a loop goes round: each round is a span of its own, so that any can be left out.
package struct Many {
  private let source: ChoiceSource
  private let range: ClosedRange<Int>
  private let chance: Double
  private let label: String
  private var isOpen = false

  /// How many elements have begun.
  package private(set) var count = 0

  init(_ source: ChoiceSource, _ range: ClosedRange<Int>, usually: Double?, label: String) {
    self.source = source
    self.range = range
    self.label = label
    let few = Double(range.lowerBound)
    let usual = min(max(usually ?? min(max(few * 2, few + 5), (few + Double(range.upperBound)) / 2), few), 1e6)
    chance = 1 - 1 / (1 + max(usual - few, 0.1))
  }

  /// True where another element is to be drawn; what is drawn until the next call belongs to it.
  package mutating func next() -> Bool {
    end()
    source.open(label)
    isOpen = true
    let forced = count < range.lowerBound ? true : count >= range.upperBound ? false : nil
    guard source.bool(chance, forced: forced), !source.isOverrun else {
      end()
      return false
    }
    count += 1
    return true
  }

  /// Leaves out the element that has just been drawn; it does not count.
  package mutating func reject() {
    guard isOpen else { return }
    source.close(discard: true)
    isOpen = false
    count -= 1
  }

  private mutating func end() {
    guard isOpen else { return }
    source.close()
    isOpen = false
  }
}
