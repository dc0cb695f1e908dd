import FaultDisk
import Files

// Whether a tree, however it came about, is one that the model allows at this moment. The tree is of the same recording:
// its nodes have the same numbers, and its bytes stand in the same arena.
extension CrashWindow {
  /// True where a crash now may leave this tree.
  func allows(_ tree: DiskTree) -> Bool {
    model.metadataOrder == .free ? allowsFree(tree) : cuts.contains { allows(tree, under: $0) }
  }

  private func allows(_ tree: DiskTree, under cut: Cut) -> Bool {
    let reachable = cut.namespace.reachable
    var count = 0
    for (_, inode) in reachable {
      guard let node = tree.nodes[inode], cut.namespace.entries[inode] ?? [:] == tree.entries[inode] ?? [:] else {
        return false
      }
      if let now = cut.namespace.nodes[inode], now.attributes != node.attributes { return false }
      count += 1
    }
    guard Set(reachable.map(\.inode)).count == tree.nodes.count, count > 0 else { return false }
    return tree.nodes.allSatisfy { inode, node in
      node.attributes.kind != .regular || space(of: inode, in: cut).allows(node.content)
    }
  }

  private func allowsFree(_ tree: DiskTree) -> Bool {
    let cut = Cut(namespace: base, firstLost: .max)
    var allowed: [Slot: [SlotValue]] = [:]
    for chain in chains { allowed[chain.slot] = chain.values }
    for (directory, node) in tree.nodes where node.attributes.kind == .directory {
      let there = tree.entries[directory] ?? [:]
      let known = Set(there.keys).union((base.entries[directory] ?? [:]).keys)
      for name in known {
        let slot = Slot.name(directory: directory, name: name)
        let value: SlotValue = there[name].map { .inode($0) } ?? .none
        guard (allowed[slot] ?? [base.value(of: slot)]).contains(value) else { return false }
      }
    }
    return tree.nodes.allSatisfy { inode, node in
      node.attributes.kind != .regular || space(of: inode, in: cut).allows(node.content)
    }
  }
}

extension FileSpace {
  /// True where the space has this content.
  func allows(_ content: FileContent) -> Bool {
    let changed = changedBlocks
    return sizes.contains { pick in
      guard pick.size == content.size else { return false }
      let isSame = changed.allSatisfy { block in
        let low = block * FileWindow.blockBytes
        let high = min(low + FileWindow.blockBytes, pick.size)
        if low >= high { return true }
        let parts = content.extents.written(from: low, to: high)
        return versions(of: block, at: pick).contains { version in
          window.content(of: version).extents.written(from: low, to: high) == parts
        }
      }
      return isSame && isUnchanged(content, but: changed)
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
