import Files

// Where nothing is ordered, each slot has a version of its own. Few slots are told whole; of many, all prefixes, every
// slot at each version with the others at their newest and at their oldest, and pairs drawn by the seed stand for all.
extension CrashWindow {
  /// So many combinations of slots are told whole.
  static let slotsWholeMax = 256.0
  /// So many combinations are drawn where there are more.
  static let slotsDrawnMax = 256

  /// A slot with the values it may have, the durable one first, and the records that gave it the others.
  struct Chain: Sendable {
    var slot: Slot
    var values: [SlotValue]
    var records: [UInt64]
  }

  /// The slots that have more than one version.
  var chains: [Chain] {
    var chains: [Chain] = []
    var places: [Slot: Int] = [:]
    for change in pending {
      for part in change.changes {
        let place = places[part.slot] ?? chains.count
        if place == chains.count {
          places[part.slot] = place
          chains.append(Chain(slot: part.slot, values: [base.value(of: part.slot)], records: []))
        }
        chains[place].values.append(part.value)
        chains[place].records.append(change.record)
      }
    }
    return chains
  }

  /// A version of each slot for each cut where names are free, and whether they are all.
  static func picks(of chains: [Chain], _ records: [UInt64], seed: UInt64) -> (picks: [[Int]], isWhole: Bool) {
    let product = chains.reduce(1.0) { $0 * Double($1.values.count) }
    if product <= slotsWholeMax {
      let all = chains.reduce([[]]) { heads, chain in
        heads.flatMap { head in chain.values.indices.reversed().map { head + [$0] } }
      }
      return (all, true)
    }
    var seen: Set<[Int]> = []
    return (manyPicks(chains, records, seed: seed).filter { seen.insert($0).inserted }, false)
  }

  /// The cut with these versions of the slots.
  func cut(of chains: [Chain], _ pick: [Int]) -> Cut {
    var cut = Cut(namespace: base, firstLost: .max)
    var kept: Set<UInt64> = []
    for (chain, version) in zip(chains, pick) where version > 0 {
      cut.namespace.apply(SlotChange(slot: chain.slot, value: chain.values[version]))
      kept.formUnion(chain.records.prefix(version))
    }
    cut.kept = kept.sorted()
    return cut
  }

  private static func manyPicks(_ chains: [Chain], _ records: [UInt64], seed: UInt64) -> [[Int]] {
    let newest = chains.map { $0.values.count - 1 }
    let oldest = chains.map { _ in 0 }
    var picks = [newest, oldest]
    for record in records { picks.append(chains.map { chain in chain.records.count { $0 <= record } }) }
    for (index, chain) in chains.enumerated() {
      for version in chain.values.indices {
        for others in [newest, oldest] {
          var pick = others
          pick[index] = version
          picks.append(pick)
        }
      }
    }
    var draws = SplitMix64(seed)
    for _ in 0..<slotsDrawnMax { picks.append(chains.map { Int(draws.next() % UInt64($0.values.count)) }) }
    return picks
  }
}

/// A small generator with a known sequence for every seed.
struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
