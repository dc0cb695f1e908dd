import FaultDisk

/// A size that a file may have, and the version that it belongs to.
struct SizePick: Hashable, Sendable {
  var size: UInt64
  var version: Int
}

/// The sizes that a file may have within one version: the one behind it, and each end of a block on the way to that.
struct SizeRun: Hashable, Sendable {
  let version: Int
  /// The first end of a block; at `end` or behind it where there is none.
  private let first: UInt64
  /// The size that the version leaves the file with.
  let end: UInt64

  /// Those from `low` on.
  init(of version: Int, from low: UInt64, to end: UInt64) {
    self.version = version
    self.end = end
    first = (low + FileWindow.blockBytes - 1) / FileWindow.blockBytes * FileWindow.blockBytes
  }

  /// How many there are.
  var count: Int { (first < end ? Int((end - first - 1) / FileWindow.blockBytes) + 1 : 0) + 1 }

  /// The size at a place, the smallest first.
  subscript(place: Int) -> SizePick {
    SizePick(size: place + 1 == count ? end : first + UInt64(place) * FileWindow.blockBytes, version: version)
  }

  /// The same without what is smaller; nil where nothing is left.
  func from(_ low: UInt64) -> SizeRun? { end < low ? nil : SizeRun(of: version, from: max(first, low), to: end) }

  func contains(_ size: UInt64) -> Bool {
    size == end || size >= first && size < end && size % FileWindow.blockBytes == 0
  }
}

/// All contents of a file that a model allows at one moment, where a given part of the metadata is durable.
///
/// A content is a size, and for each block below it one of the block's versions; blocks are chosen freely.
struct FileSpace: Sendable {
  let window: FileWindow
  let model: PersistenceModel
  /// The number of the first metadata operation that is not durable; what is journalled behind it is not either.
  let firstLost: UInt64
  /// The sizes, the weakest first; never empty.
  let sizes: [SizeRun]
  /// The version of the size that is durable with the metadata.
  private let anchor: Int
  /// The version that an fsync under way, or one that only orders, has brought with the metadata.
  private let versionKept: Int
  /// The first version that is out of reach, since a lost cut comes before it.
  private let limit: Int

  init(
    _ window: FileWindow, _ model: PersistenceModel, firstLost: UInt64, lastKept: UInt64 = 0,
    replacedAt: UInt64? = nil, isLogged: Bool = false
  ) {
    self.window = window
    self.model = model
    self.firstLost = firstLost
    var anchor = max(window.lastOrdered(before: firstLost), window.versionFlushed)
    if let replacedAt { anchor = max(anchor, window.lastVersion(before: replacedAt)) }
    versionKept = isLogged ? window.lastVersion : window.versionOrdered(before: lastKept)
    anchor = max(anchor, versionKept)
    let limit = max(window.firstOrdered(from: firstLost), anchor + 1)
    self.anchor = anchor
    self.limit = limit
    var sizes = [SizeRun(of: anchor, from: window.size(of: anchor), to: window.size(of: anchor))]
    if anchor + 1 < limit {
      for version in anchor + 1..<limit {
        let event = window.events[version - 1]
        if event.record >= firstLost { break }
        if !event.isResizing { continue }
        let isCut = event.size < event.sizeBefore
        sizes.append(SizeRun(of: version, from: isCut ? event.size : event.sizeBefore + 1, to: event.size))
      }
    }
    let sizeKept = window.rangesKept.map(\.end).max() ?? 0
    let kept = sizes.compactMap { $0.from(sizeKept) }
    self.sizes = kept.isEmpty ? sizes.suffix(1).map { SizeRun(of: $0.version, from: $0.end, to: $0.end) } : kept
  }

  /// The versions that a block may have where the file has a size; never empty, the oldest first.
  func versions(of block: UInt64, at pick: SizePick) -> [Int] {
    let changes = window.blocks[block] ?? []
    let lowest = lowestVersion(of: block, changes, at: pick)
    var versions = [lowest]
    guard model.overwriting != .inOrder else { return versions }
    let reached = max(anchor, pick.version)
    let isThere = changes.last { $0.version <= max(lowest, anchor) }.map { $0.effect != .gone }
    let isInPlace = model.overwriting == .inPlace && (isThere ?? changes.first?.hadData ?? false)
    for change in changes where change.version > lowest {
      // What is written behind a cut needs the cut.
      if change.version > reached && change.effect == .gone { break }
      let isJournalled = change.version < limit && window.events[change.version - 1].record < firstLost
      if isJournalled || isInPlace { versions.append(change.version) }
    }
    return versions
  }

  /// The version below which a block cannot be.
  private func lowestVersion(of block: UInt64, _ changes: [BlockChange], at pick: SizePick) -> Int {
    var lowest = versionKept
    for kept in window.rangesKept where kept.blocks.contains(block) { lowest = max(lowest, kept.version) }
    if model.overwriting == .inOrder { return max(lowest, anchor) }
    let reached = max(anchor, pick.version)
    for change in changes where change.version <= reached {
      let isNeeded =
        switch change.effect {
        case .gone: true
        case .zeroedInPart: model.truncateZeroesFirst
        case .written:
          (!change.hadData || isGrowing(block, by: change.version, at: pick))
            && needsData(block, of: change.version, at: pick)
        }
      if isNeeded { lowest = max(lowest, change.version) }
    }
    return lowest
  }

  /// True for the last block where its size was waiting for its data, so that it never grows without.
  private func isGrowing(_ block: UInt64, by version: Int, at pick: SizePick) -> Bool {
    model.sizeOrder == .floating && version == pick.version && pick.size > window.size(of: version - 1)
      && block == (pick.size - 1) / FileWindow.blockBytes
  }

  /// True where the size promises the data of a new block.
  private func needsData(_ block: UInt64, of version: Int, at pick: SizePick) -> Bool {
    switch model.newBlocks {
    case .mayBeZeros: return false
    case .areThere: return block * FileWindow.blockBytes < pick.size
    case .lastIsThere:
      return version == pick.version && pick.size > 0 && block == (pick.size - 1) / FileWindow.blockBytes
    }
  }

  /// The blocks that more than one version is known of, in order.
  var changedBlocks: [UInt64] { window.blocks.keys.sorted() }
}
