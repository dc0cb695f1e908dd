extension DiskEngine {
  /// Takes back the slabs of the arena that no file and no kept record names any more.
  ///
  /// Waits until there are twice as many slabs as after the last time, so that its cost is small against the writes'.
  mutating func sweepIfWorthIt() {
    guard arena.slabsInUse >= slabsAtNextSweep, pinCount == 0 else { return }
    sweep()
    slabsAtNextSweep = max(
      DiskEngine.slabsBeforeFirstSweep, arena.slabsInUse * 2, Int(budget.inodesUsed) / DiskEngine.inodesPerSlab)
    // What is filled until then is kept at hand; more was needed once, and goes back to the system.
    arena.giveBack(keepingFree: slabsAtNextSweep - arena.slabsInUse)
  }

  /// Takes back all slabs that are not in use.
  mutating func sweep() {
    var marked = [Bool](repeating: false, count: arena.slabCount)
    func mark(_ content: FileContent?) {
      for extent in content?.extents.extents ?? [] {
        for slab in arena.slabs(at: extent.address, length: extent.length) { marked[slab] = true }
      }
    }
    var seen = Set<ObjectIdentifier>()
    var waiting = inodes.all
    while let inode = waiting.popLast() {
      guard seen.insert(ObjectIdentifier(inode)).inserted else { continue }
      inode.forEachContent { mark($0) }
      for extent in inode.lastWrite?.extents ?? [] {
        for slab in arena.slabs(at: extent.address, length: extent.length) { marked[slab] = true }
      }
      if let names = inode.directory { waiting.append(contentsOf: names.durableEntries.values) }
    }
    for tree in [treeAtBeginning, treeAtRestart?.tree] {
      for item in tree?.items ?? [] { mark(item.content) }
    }
    for record in log.records where configuration.logKeepsData {
      guard let address = record.dataAddress else { continue }
      for slab in arena.slabs(at: address, length: record.lengthTaken) { marked[slab] = true }
    }
    arena.recycle(keeping: marked)
  }
}
