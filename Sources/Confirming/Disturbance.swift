/// What a kernel may do by itself between two operations of a program.
enum Disturbance: Hashable, Sendable {
  /// It writes the log, since some other program asked for that: an fsync of a file that nobody knows.
  case commit
  /// It writes data back, and waits for it or not.
  case writeBack(DirtyRange, waits: Bool)
  /// Some time passes.
  case pause(milliseconds: Int)
}

/// A range of a file that was written; it may be clean by now.
struct DirtyRange: Hashable, Sendable {
  var inode: UInt64
  var bytes: Range<UInt64>

  /// A drawn part of it in whole blocks; often all of it.
  func part(_ draws: inout Draws) -> DirtyRange {
    let low = bytes.lowerBound / SeenTree.blockBytes
    let high = (bytes.upperBound + SeenTree.blockBytes - 1) / SeenTree.blockBytes
    if draws.oneIn(2) || high - low < 2 { return self }
    let first = low + UInt64(draws.below(Int(high - low)))
    let end = first + 1 + UInt64(draws.below(Int(high - first)))
    return DirtyRange(inode: inode, bytes: first * SeenTree.blockBytes..<end * SeenTree.blockBytes)
  }
}

/// How a kernel behaves in one try: how busy it is, and with what.
struct Temper: Hashable, Sendable {
  /// One gap between two operations in so many is disturbed; nil for none.
  let oneGapIn: Int?
  /// How often each is drawn.
  let commits: Int
  let writeBacks: Int
  let pauses: Int

  /// Draws one. A quarter of all tries is not disturbed at all.
  init(_ draws: inout Draws) {
    oneGapIn = draws.oneIn(4) ? nil : [1, 2, 4, 8][draws.below(4)]
    let mixture = [(1, 0, 0), (0, 1, 0), (1, 1, 0), (2, 4, 1)][draws.below(4)]
    (commits, writeBacks, pauses) = mixture
  }

  /// What happens in one gap, in its order.
  func disturbances(_ dirty: [DirtyRange], _ draws: inout Draws) -> [Disturbance] {
    guard let oneGapIn, draws.oneIn(oneGapIn) else { return [] }
    var drawn: [Disturbance] = []
    repeat {
      let number = draws.below(commits + writeBacks + pauses)
      if number < commits {
        drawn.append(.commit)
      } else if number >= commits + writeBacks {
        drawn.append(.pause(milliseconds: 1 + draws.below(Self.pauseMillisecondsMax)))
      } else if !dirty.isEmpty {
        let range = dirty[draws.below(dirty.count)]
        drawn.append(.writeBack(range.part(&draws), waits: !draws.oneIn(4)))
      }
    } while draws.oneIn(2)
    return drawn
  }

  private static let pauseMillisecondsMax = 5
}
