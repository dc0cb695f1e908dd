/// Choices of one option for each of several things: all of them, or those that stand for all.
struct Combinations: Sendable {
  private(set) var list: [[Int]] = []
  private(set) var isWhole = true
  /// True where not even all pairs are there, since that would be too much to hold.
  private(set) var isBounded = false

  /// So many options are listed together.
  private static let optionsMax = 1 << 22
  /// So many pairs of options are put together.
  private static let pairsMax = 1 << 19

  /// Combinations of this many options each; option 0 is the newest.
  ///
  /// Where there are more than `countMax`: all first and all last, every option of each thing with the others first and
  /// last, every pair of options of two things, and drawn ones until there are so many. Pairs may be more than that, but
  /// where it `isStrict` no more than `countMax` are made at all.
  init(_ counts: [Int], _ countMax: Int, isStrict: Bool = false, seed: UInt64) {
    let product = counts.reduce(1.0) { $0 * Double($1) }
    if product <= Double(countMax) {
      list = counts.reduce([[]]) { heads, count in heads.flatMap { head in (0..<count).map { head + [$0] } } }
      return
    }
    isWhole = false
    let listMax = min(isStrict ? countMax : Int.max, max(2, Self.optionsMax / max(1, counts.count)))
    let first = counts.map { _ in 0 }
    let last = counts.map { $0 - 1 }
    var seen: Set<[Int]> = []
    func add(_ combination: [Int], to list: inout [[Int]]) {
      if list.count < listMax && seen.insert(combination).inserted { list.append(combination) }
    }
    add(first, to: &list)
    add(last, to: &list)
    for (thing, count) in counts.enumerated() {
      for option in 0..<count {
        for others in [first, last] {
          var combination = others
          combination[thing] = option
          add(combination, to: &list)
        }
      }
    }
    let all = counts.reduce(0.0) { $0 + Double($1) }
    let pairCount = counts.reduce(all * all) { $0 - Double($1) * Double($1) } / 2
    isBounded = !isStrict && (list.count == listMax || pairCount > Double(Self.pairsMax))
    if list.count == listMax { return }
    let pairs = isBounded ? [] : Self.pairs(counts, seed: seed)
    for combination in pairs { add(combination, to: &list) }
    var draws = SplitMix64(seed)
    while list.count < min(countMax, listMax) { list.append(counts.map { Int(draws.next() % UInt64($0)) }) }
  }

  /// Combinations in which every option of a thing meets every option of every other thing.
  static func pairs(_ counts: [Int], seed: UInt64) -> [[Int]] {
    var draws = SplitMix64(seed)
    var open: Set<Pair> = []
    for left in counts.indices {
      for right in counts.indices where right > left {
        for one in 0..<counts[left] { for other in 0..<counts[right] { open.insert(Pair(left, one, right, other)) } }
      }
    }
    var rows: [[Int]] = []
    var waiting = open.sorted()
    while let next = waiting.popLast() {
      guard open.contains(next) else { continue }
      // Of some drawn rows that have this pair, the one that settles the most.
      var best: (row: [Int], settled: [Pair]) = ([], [])
      for _ in 0..<16 {
        var row = counts.map { Int(draws.next() % UInt64($0)) }
        row[next.left] = next.one
        row[next.right] = next.other
        var settled: [Pair] = []
        for left in row.indices {
          for right in row.indices where right > left {
            let pair = Pair(left, row[left], right, row[right])
            if open.contains(pair) { settled.append(pair) }
          }
        }
        if settled.count > best.settled.count { best = (row, settled) }
      }
      open.subtract(best.settled)
      rows.append(best.row)
    }
    return rows
  }

  private struct Pair: Hashable, Comparable {
    let left: Int
    let one: Int
    let right: Int
    let other: Int

    init(_ left: Int, _ one: Int, _ right: Int, _ other: Int) {
      self.left = left
      self.one = one
      self.right = right
      self.other = other
    }

    static func < (a: Pair, b: Pair) -> Bool {
      (a.left, a.right, a.one, a.other) < (b.left, b.right, b.one, b.other)
    }
  }
}
