@testable import PropertyTesting

/// Twelve rules, of which each can be taken once the one before was.
struct Chain12: Planted {
  static let rules: [PlantedRule<Int>] = (0..<12).map { number in
    ("rule \(number)", { _ in number })
  }
  static let actions = Array(0..<12)
  private var done = 0

  func allows(rule: Int) -> Bool { rule <= done }

  mutating func take(_ action: Int) -> Bool {
    guard action <= done else { return false }
    if action == done { done += 1 }
    return true
  }

  var isBroken: Bool { done == 12 }
}

/// Elements are written and erased; twelve at once are too many.
struct Live12: Planted {
  enum Action: Hashable {
    case write(Int)
    case erase(Int)
    case look
  }

  static let rules: [PlantedRule<Action>] = [
    ("look", { _ in .look }),
    ("write", { .write($0.int(in: 0...99)) }),
    ("erase", { .erase($0.int(in: 0...20)) }),
  ]
  static let actions: [Action] = [.look, .write(0), .erase(0)]
  private var live: [Int] = []

  mutating func take(_ action: Action) -> Bool {
    switch action {
    case .look: return true
    case .write(let value): live.append(value)
    case .erase(let index):
      guard index < live.count else { return false }
      live.remove(at: index)
    }
    return true
  }

  var isBroken: Bool { live.count == 12 }
}

/// Two jugs of three and five gallons, and four are wanted: six steps.
struct DieHard: Planted {
  enum Action: Hashable, CaseIterable { case fillSmall, fillBig, emptySmall, emptyBig, smallToBig, bigToSmall }

  static let rules: [PlantedRule<Action>] = Action.allCases.map { action in
    ("\(action)", { _ in action })
  }
  static let actions = Action.allCases
  private var small = 0
  private var big = 0

  mutating func take(_ action: Action) -> Bool {
    switch action {
    case .fillSmall: small = 3
    case .fillBig: big = 5
    case .emptySmall: small = 0
    case .emptyBig: big = 0
    case .smallToBig: pour(min(small, 5 - big))
    case .bigToSmall: pour(-min(big, 3 - small))
    }
    return true
  }

  private mutating func pour(_ gallons: Int) {
    small -= gallons
    big += gallons
  }

  /// The same for equal states only.
  var name: Int { small + 10 * big }
  var isBroken: Bool { big == 4 }
}

/// Strokes of at most 2,000 points each; more than 5,000 in all are too many.
struct Sum: Planted {
  enum Action: Hashable {
    case stroke(Int)
    case look
  }

  static let rules: [PlantedRule<Action>] = [
    ("look", { _ in .look }),
    ("stroke", { .stroke($0.int(in: 1...2000)) }),
  ]
  static let actions: [Action] = [.look, .stroke(1), .stroke(2000)]
  private var points = 0

  mutating func take(_ action: Action) -> Bool {
    if case .stroke(let count) = action { points += count }
    return true
  }

  var isBroken: Bool { points > 5000 }
}
