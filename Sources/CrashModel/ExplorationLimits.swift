/// How far an exploration goes.
package struct ExplorationLimits: Hashable, Sendable {
  /// How many distinct states are kept.
  package var statesMax: Int
  /// About how many bytes the states that are kept take.
  package var memoryMax = 512 << 20
  /// Up to how many combinations of files are told whole at one cut.
  package var combinationsMax: Int
  /// How many states are made at one moment; nil where that is not limited.
  package var share: Int?
  /// Only each so many-th moment is looked at, and the last.
  package var momentStep = 1
  /// The moments that are looked at.
  ///
  /// A number is that of the record under way, 0 is in front of all, the greatest number behind all.
  package var moments: ClosedRange<UInt64> = 0...UInt64.max
  /// Decides what is drawn where not all can be told.
  package var seed: UInt64
  /// True for a power cut, false for a crash of the operating system, which leaves the drive its cache.
  package var isPowerCut: Bool

  /// True where every moment may be looked at.
  package var isOfAllMoments: Bool { moments == 0...UInt64.max }

  /// Limits of these values.
  package init(statesMax: Int = 100_000, combinationsMax: Int = 4096, seed: UInt64 = 0, isPowerCut: Bool = true) {
    self.statesMax = statesMax
    self.combinationsMax = combinationsMax
    self.seed = seed
    self.isPowerCut = isPowerCut
  }

  /// How much of a moment's share one choice of names gets, so that files are combined and names too.
  var combinationsOfShare: Int? { share.map { max(2, Int(Double($0).squareRoot())) } }

  private static let combinationsDivisor = 8
  /// So many times its even share may a moment have at first: others have the same states, or fewer.
  private static let shareFactor = 4

  /// A moment that is looked at has so many states, where the limit of states is not tiny.
  private static let shareLeast = 4

  /// Limits that make no more than so many states, `each` at moments that are far from each other.
  func hurried(_ stateCount: Int, each: Int, momentCount: Int) -> ExplorationLimits {
    var limits = self
    limits.statesMax = max(1, min(statesMax, stateCount))
    limits.combinationsMax = 1
    let share = max(1, min(each, Self.shareInAHurry, limits.statesMax / 4))
    limits.share = share
    // The last moment is looked at besides.
    let made = max(1, limits.statesMax / share - 1)
    limits.momentStep = max(1, (momentCount + made - 1) / made)
    return limits
  }

  /// So many states are made at each moment that is looked at, where there is no time for more.
  private static let shareInAHurry = 8

  /// The next limits that make fewer states of a recording with so many moments; nil where there are none.
  ///
  /// First fewer combinations of files are told whole, then each moment gets a share, at last one that is sure to
  /// suffice. Where that would be next to nothing, moments are left out: the newest state alone says little of a crash.
  func thinner(momentCount: Int) -> ExplorationLimits? {
    var limits = self
    let even = max(1, min(Self.shareLeast, statesMax / 4), statesMax / max(1, momentCount))
    if combinationsMax > 1 {
      limits.combinationsMax = max(1, combinationsMax / Self.combinationsDivisor)
    } else if share == nil && momentCount > Self.shareFactor {
      limits.share = even * Self.shareFactor
    } else if share ?? .max > even {
      limits.share = even
    } else if momentStep == 1 && statesMax > 1 {
      // The last moment is looked at besides.
      let moments = max(1, statesMax / (share ?? even) - 1)
      limits.momentStep = (momentCount + moments - 1) / moments
    } else {
      return nil
    }
    return limits
  }
}
