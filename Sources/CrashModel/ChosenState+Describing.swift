import FaultDisk
import FileTracing
import Files

extension ChosenState {
  /// The words for a state that a crash at `moment` may leave under a model; nil where there are none.
  ///
  /// What they say is made again and compared, so that they never stand for another state.
  ///
  /// - Parameter target: how the file of an operation is called; nil for one that has no name to be called by.
  package init?(
    of tree: DiskTree, at moment: UInt64, in recording: Recording, _ model: PersistenceModel,
    target: (OperationRecord) -> FaultTarget?
  ) throws(HistoryError) {
    let window = try CrashWindow(recording, model, isPowerCut: true, at: moment)
    guard let choice = window.choice(for: tree) else { return nil }
    let records = NumberedRecords(recording)
    let losses = window.namesLost(in: tree, choice) + window.bytesLost(choice)
    var parts: [Part] = []
    for loss in losses.sorted(by: { $0.record < $1.record }) {
      guard let record = records[loss.record], var target = target(record),
        loss.bytes == nil || record.kind == .write
      else { return nil }
      target.side = loss.side
      let part = Part(operations: [record.kind], target: target, bytes: loss.bytes, spelling: "")
      let matching = recording.records.filter { $0.errno == nil && part.matches($0) }
      guard let place = matching.firstIndex(where: { $0.number == record.number }) else { return nil }
      parts.append(part.spelled(nth: matching.count > 1 ? UInt64(place + 1) : nil))
    }
    if parts.isEmpty { return nil }
    self.init(.losing, parts)
    let again = try? ChosenTree(self, of: recording, at: moment, among: [model])
    guard again?.tree == tree else { return nil }
  }
}

extension ChosenState.Part {
  /// The same with its place among those that match, and its words.
  fileprivate func spelled(nth: UInt64?) -> ChosenState.Part {
    var part = self
    part.nth = nth
    let preposition = target.side == .either ? "of" : target.side.rawValue
    var words = "\(operations.first?.rawValue ?? "any") \(preposition) \(target.spelling)"
    if let nth { words += " nth \(nth)" }
    switch bytes {
    case nil: break
    case .upTo(let end): words += " bytes \(PlanUnits.text(bytes: end))"
    case .blocks(let range):
      words += " bytes \(PlanUnits.text(bytes: range.lowerBound))..\(PlanUnits.text(bytes: range.upperBound))"
    }
    part.spelling = words
    return part
  }
}

/// What is lost of one operation.
private struct OperationLoss {
  var record: UInt64
  var side = FaultTarget.Side.either
  var bytes: ChosenState.Amount?
}

extension CrashWindow {
  /// The changes of names that are lost: those behind the version of a slot that is there.
  fileprivate func namesLost(in tree: DiskTree, _ choice: CrashChoice) -> [OperationLoss] {
    var chains: [Slot: [(record: UInt64, place: Int, count: Int, value: SlotValue)]] = [:]
    for change in pending {
      for (place, part) in change.changes.enumerated() {
        chains[part.slot, default: []].append((change.record, place, change.changes.count, part.value))
      }
    }
    var lost: [UInt64: (places: Set<Int>, count: Int)] = [:]
    for (slot, chain) in chains {
      let there = value(of: slot, in: tree, choice)
      let last = chain.lastIndex { $0.value == there } ?? -1
      for link in chain[(last + 1)...] where there != nil {
        lost[link.record, default: ([], link.count)].places.insert(link.place)
      }
    }
    return lost.map { record, parts in
      if parts.places.count == parts.count { return OperationLoss(record: record) }
      return OperationLoss(record: record, side: parts.places.contains(0) ? .from : .to)
    }
  }

  /// Nil where it cannot be seen.
  private func value(of slot: Slot, in tree: DiskTree, _ choice: CrashChoice) -> SlotValue? {
    switch slot {
    case .name: choice.cut.namespace.value(of: slot)
    case .attributes(let inode): tree.nodes[inode].map { .attributes($0.attributes) }
    case .extendedAttribute(let inode, let name):
      tree.nodes[inode].map { node in node.extendedAttributes[name].map { .bytes($0) } ?? .none }
    }
  }

  /// The parts of files that are lost.
  fileprivate func bytesLost(_ choice: CrashChoice) -> [OperationLoss] {
    var losses: [OperationLoss] = []
    for (inode, picked) in choice.files {
      guard let file = files[inode] else { continue }
      for (index, event) in file.events.enumerated() { losses += file.losses(of: event, version: index + 1, picked) }
    }
    return losses
  }
}

extension FileWindow {
  fileprivate func losses(
    of event: ContentEvent, version: Int, _ picked: FileChoice
  ) -> [OperationLoss] {
    let isSizeLost = event.isResizing && picked.isSizeLost(of: event, version)
    let below = changedBlocks(in: event.blocks).filter { $0 * FileWindow.blockBytes < picked.content.size }
    let lost = below.filter { (picked.versions[$0] ?? 0) < version }
    if lost.count == below.count && (isSizeLost || !event.isResizing) {
      let isWhole = isSizeLost && picked.size.version < version && below.count == lost.count
      if isWhole || (!isSizeLost && !lost.isEmpty) { return [OperationLoss(record: event.record)] }
    }
    var losses = ranges(of: lost).map { OperationLoss(record: event.record, bytes: .blocks($0)) }
    if isSizeLost { losses.append(OperationLoss(record: event.record, bytes: .upTo(picked.size.size))) }
    return losses
  }

  /// Blocks as ranges of bytes.
  private func ranges(of blocks: [UInt64]) -> [Range<UInt64>] {
    var ranges: [Range<UInt64>] = []
    for block in blocks {
      let range = block * FileWindow.blockBytes..<(block + 1) * FileWindow.blockBytes
      if let last = ranges.last, last.upperBound == range.lowerBound {
        ranges[ranges.count - 1] = last.lowerBound..<range.upperBound
      } else {
        ranges.append(range)
      }
    }
    return ranges
  }
}

extension FileChoice {
  /// True where the file ends before the size that an event brought about, or has an earlier size.
  func isSizeLost(of event: ContentEvent, _ version: Int) -> Bool {
    size.version < version || size.version == version && size.size < event.size
  }
}
