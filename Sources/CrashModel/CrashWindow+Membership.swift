import FaultDisk
import Files

// Whether a tree, however it came about, is one that the model allows at this moment, and as which choice. The tree is
// of the same recording: its nodes have the same numbers, and its bytes stand in the same arena.
extension CrashWindow {
  /// True where a crash now may leave this tree.
  func allows(_ tree: DiskTree) -> Bool { choice(for: tree) != nil }

  /// The choice that makes this tree, the one that keeps the most; nil where none does.
  func choice(for tree: DiskTree) -> CrashChoice? {
    if model.metadataOrder == .free { return freeCut(for: tree).flatMap { choice(for: tree, under: $0) } }
    var cuts = Cuts(self, seed: 0)
    for place in 0..<cuts.count {
      let cut = cuts.cut(at: place)
      if hasNames(of: tree, cut), let choice = choice(for: tree, under: cut) { return choice }
    }
    return nil
  }

  /// True where some cut has the names of the tree, whatever its files hold.
  func hasNames(of tree: DiskTree) -> Bool {
    if model.metadataOrder == .free { return freeCut(for: tree) != nil }
    return hasCut { hasNames(of: tree, $0) }
  }

  private func hasNames(of tree: DiskTree, _ cut: Cut) -> Bool {
    var known: Set<UInt64> = []
    for (_, inode) in cut.namespace.reachable {
      guard let node = tree.nodes[inode], cut.namespace.entries[inode] ?? [:] == tree.entries[inode] ?? [:] else {
        return false
      }
      if let now = cut.namespace.nodes[inode], now.attributes != node.attributes { return false }
      known.insert(inode)
    }
    return known.count == tree.nodes.count
  }

  private func choice(for tree: DiskTree, under cut: Cut) -> CrashChoice? {
    var files: [UInt64: FileChoice] = [:]
    for (inode, node) in tree.nodes where node.attributes.kind == .regular {
      guard let choice = space(of: inode, in: cut).choice(for: node.content) else { return nil }
      files[inode] = choice
    }
    return CrashChoice(cut: cut, files: files)
  }

  /// The cut where each name is as in the tree; nil where one has a value that it never had.
  private func freeCut(for tree: DiskTree) -> Cut? {
    var cut = Cut(namespace: base, firstLost: .max)
    var kept: Set<UInt64> = []
    var allowed: [Slot: Chain] = [:]
    for chain in chains { allowed[chain.slot] = chain }
    for (directory, node) in tree.nodes where node.attributes.kind == .directory {
      let there = tree.entries[directory] ?? [:]
      for name in Set(there.keys).union((base.entries[directory] ?? [:]).keys) {
        let slot = Slot.name(directory: directory, name: name)
        let value: SlotValue = there[name].map { .inode($0) } ?? .none
        guard let chain = allowed[slot] else {
          if base.value(of: slot) != value { return nil }
          continue
        }
        guard let version = chain.values.lastIndex(of: value) else { return nil }
        cut.namespace.apply(SlotChange(slot: slot, value: value))
        kept.formUnion(chain.records.prefix(version))
      }
    }
    cut.kept = kept.sorted()
    return cut
  }
}

/// A cut, and under it a content of each file.
struct CrashChoice: Sendable {
  var cut: Cut
  var files: [UInt64: FileChoice]
}

extension FileSpace {
  /// The choice that makes this content, each block as new as it can be; nil where none does.
  func choice(for content: FileContent) -> FileChoice? {
    let changed = changedBlocks
    guard isUnchanged(content, but: changed) else { return nil }
    for run in sizes.reversed() where run.contains(content.size) {
      let pick = SizePick(size: content.size, version: run.version)
      if let (versions, torn) = versions(of: content, changed, at: pick) {
        return FileChoice(content: content, size: pick, versions: versions, torn: torn)
      }
    }
    return nil
  }

  private func versions(
    of content: FileContent, _ changed: [UInt64], at pick: SizePick
  ) -> (versions: [UInt64: Int], torn: Set<UInt64>)? {
    var found: [UInt64: Int] = [:]
    var torn: Set<UInt64> = []
    for block in changed {
      let low = block * FileWindow.blockBytes
      let high = min(low + FileWindow.blockBytes, pick.size)
      if low >= high { break }
      let parts = content.extents.written(from: low, to: high)
      let version = versions(of: block, at: pick).last {
        window.content(of: $0).extents.written(from: low, to: high) == parts
      }
      if let version {
        found[block] = version
      } else if let tear = tear(of: block, at: pick, parts, low..<high) {
        found[block] = min(tear.head, tear.tail)
        torn.insert(block)
      } else {
        return nil
      }
    }
    return (found, torn)
  }

  /// The tear that makes these parts of a block; nil where none does.
  private func tear(of block: UInt64, at pick: SizePick, _ parts: [Extent], _ range: Range<UInt64>) -> SectorTear? {
    tears(of: block, at: pick).first { tear in
      var content = window.content(of: tear.head)
      content.resize(to: pick.size)
      tear.apply(to: &content, window)
      return content.extents.written(from: range.lowerBound, to: range.upperBound) == parts
    }
  }

  /// True where all blocks but these are as in the durable content.
  private func isUnchanged(_ content: FileContent, but changed: [UInt64]) -> Bool {
    var low: UInt64 = 0
    for block in changed + [.max >> 13] {
      let high = min(block * FileWindow.blockBytes, content.size)
      if low < high {
        let old = window.base.extents.written(from: low, to: min(high, window.base.size))
        if content.extents.written(from: low, to: high) != old { return false }
      }
      low = (block + 1) * FileWindow.blockBytes
    }
    return true
  }
}

extension ExtentList {
  /// The parts of a range that were written; reserved space reads as a hole does.
  fileprivate func written(from low: UInt64, to high: UInt64) -> [Extent] {
    low < high ? parts(from: low, to: high).filter(\.isWritten) : []
  }
}
