/// Finding how far something can be taken, without trying each step.
enum Adaptive {
  /// A large number that works, where 0 does: tries 1, 2, 3, 4, then twice as many each time, then in between.
  ///
  /// So many successes cost a number of tries that grows with their logarithm; one failure at 1 costs one try.
  @discardableResult
  static func largest(_ works: (Int) -> Bool) -> Int {
    for count in 1...4 where !works(count) { return count - 1 }
    var low = 4
    var high = 5
    while high < 1 << 62, works(high) {
      low = high
      high *= 2
    }
    while low + 1 < high {
      let middle = low + (high - low) / 2
      if works(middle) { low = middle } else { high = middle }
    }
    return low
  }
}
