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
}

/// A version of each slot for each cut where names are free. Each is made when it is asked for: of many slots there are
/// so many cuts that all of them together could not be held.
struct FreePicks: Sendable {
  /// How many there are; some may be equal.
  let count: Int
  /// False where these stand for all.
  let isWhole: Bool

  private let chains: [CrashWindow.Chain]
  private let records: [UInt64]
  private let seed: UInt64
  /// How many single versions there are of the chains in front of each.
  private var starts: [Int] = []
  private let singleCount: Int

  init(_ chains: [CrashWindow.Chain], _ records: [UInt64], seed: UInt64) {
    self.chains = chains
    self.records = records
    self.seed = seed
    let product = chains.reduce(1.0) { $0 * Double($1.values.count) }
    isWhole = product <= CrashWindow.slotsWholeMax
    var start = 0
    for chain in chains {
      starts.append(start)
      start += 2 * chain.records.count
    }
    singleCount = start
    count = isWhole ? Int(product) : 2 + records.count + start + CrashWindow.slotsDrawnMax
  }

  /// The versions at a place: the newest, the oldest, the first changes, single versions, and drawn ones.
  subscript(place: Int) -> [Int] {
    if isWhole { return combination(place) }
    if place == 0 { return newest }
    if place == 1 { return oldest }
    var place = place - 2
    if place < records.count { return chains.map { chain in chain.records.count { $0 <= records[place] } } }
    place -= records.count
    return place < singleCount ? single(place) : drawn(place - singleCount)
  }

  private var newest: [Int] { chains.map(\.records.count) }
  private var oldest: [Int] { chains.map { _ in 0 } }

  /// Of few, every combination; the newest first, and the last slot changes first.
  private func combination(_ place: Int) -> [Int] {
    var place = place
    var pick = oldest
    for index in chains.indices.reversed() {
      let count = chains[index].values.count
      pick[index] = count - 1 - place % count
      place /= count
    }
    return pick
  }

  /// One slot at a version, the others at their newest or at their oldest.
  private func single(_ place: Int) -> [Int] {
    var (low, high) = (0, starts.count)
    while low < high {
      let middle = (low + high) / 2
      if starts[middle] <= place { low = middle + 1 } else { high = middle }
    }
    let (version, side) = (place - starts[low - 1]).quotientAndRemainder(dividingBy: 2)
    var pick = side == 0 ? newest : oldest
    pick[low - 1] = version + side
    return pick
  }

  private func drawn(_ number: Int) -> [Int] {
    var draws = SplitMix64(seed, behind: number * chains.count)
    return chains.map { Int(draws.next() % UInt64($0.values.count)) }
  }
}

/// A small generator with a known sequence for every seed.
struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64

  private static let step: UInt64 = 0x9E37_79B9_7F4A_7C15

  init(_ seed: UInt64) { state = seed }

  /// Behind so many of its numbers.
  init(_ seed: UInt64, behind count: Int) { state = seed &+ UInt64(count) &* Self.step }

  mutating func next() -> UInt64 {
    state &+= Self.step
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
