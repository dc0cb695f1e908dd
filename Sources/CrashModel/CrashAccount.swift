import FaultDisk
import FileTracing
import Files

/// What a state has kept and lost of what was issued before a moment and not yet durable.
package struct CrashAccount: Sendable {
  /// How much of an operation is there.
  package enum Share: Hashable, Sendable {
    /// All of it.
    case whole
    /// One of the two names of a rename.
    case inPart
    /// This many of the blocks that it wrote; `ofSize` is true where the size it brought about is lost too.
    case blocks(Int, of: Int, ofSize: Bool)
    /// Nothing.
    case none
  }

  /// An operation and how much of it is there.
  package struct Item: Sendable {
    /// Its record.
    package let record: OperationRecord
    /// How much is there.
    package let share: Share
    /// True for data and sizes, false for names and attributes.
    package let isContent: Bool
    /// The blocks of a write that are lost, counted from the first that it wrote.
    package var blocksLost: [Int] = []
  }

  /// The file as blocks.
  package struct Bar: Sendable {
    /// Where it is in the state.
    package let path: BytePath
    /// Its size in bytes.
    package let size: UInt64
    /// A letter a block: `n` as written last, `m` as written before, `o` as it was, `0` zeros, `t` torn.
    package let letters: [Character]
    /// How many blocks the program had made behind these.
    package let missingCount: Int
  }

  /// The operations, in their order.
  package private(set) var items: [Item] = []
  /// The files of which not everything is there.
  package private(set) var bars: [Bar] = []
  /// The inodes of the files and directories of which something is lost, with the last operation that is.
  private(set) var losses: [(inode: UInt64, lastRecord: UInt64)] = []

  /// The account of a tree that a crash at `moment` may leave of this recording.
  ///
  /// It is empty for a tree that the model does not allow there.
  package init(
    of tree: DiskTree, at moment: UInt64, in recording: Recording, _ model: PersistenceModel, isPowerCut: Bool = true
  ) throws(HistoryError) {
    let records = Dictionary(recording.records.map { ($0.number, $0) }) { first, _ in first }
    self.init(of: tree, in: try CrashWindow(recording, model, isPowerCut: isPowerCut, at: moment), records)
  }

  /// The account of a tree in a window; `records` are those of the recording, by number.
  init(of tree: DiskTree, in window: CrashWindow, _ records: [UInt64: OperationRecord]) {
    guard let choice = window.choice(for: tree) else { return }
    let paths = Dictionary(choice.cut.namespace.reachable.map { ($0.inode, $0.path) }) { first, _ in first }
    var found: [Item] = []
    for change in window.pending where !change.changes.isEmpty {
      guard let record = records[change.record] else { continue }
      let share = choice.cut.share(of: change, window.model)
      found.append(Item(record: record, share: share, isContent: false))
      if share != .whole {
        for inode in Self.directories(of: change) { losses.append((inode, change.record)) }
      }
    }
    for (inode, file) in choice.files.sorted(by: { $0.key < $1.key }) {
      guard let window = window.files[inode] else { continue }
      let items = Self.items(of: window, file, records)
      found += items
      if let last = items.last(where: { $0.share != .whole }) { losses.append((inode, last.record.number)) }
      if items.contains(where: { $0.share != .whole }), let path = paths[inode] {
        let letters = Self.letters(of: window, file)
        let count = Int((window.current.size + FileWindow.blockBytes - 1) / FileWindow.blockBytes)
        bars.append(
          Bar(path: path, size: file.content.size, letters: letters, missingCount: max(0, count - letters.count)))
      }
    }
    items = found.sorted { $0.record.number < $1.record.number }
    bars.sort { $0.path < $1.path }
  }

  private static func directories(of change: MetadataChange) -> [UInt64] {
    change.changes.compactMap { part in
      if case .name(let directory, _) = part.slot { directory } else { nil }
    }
  }

  private static func items(
    of file: FileWindow, _ choice: FileChoice, _ records: [UInt64: OperationRecord]
  ) -> [Item] {
    file.events.enumerated().compactMap { index, event in
      guard let record = records[event.record] else { return nil }
      let version = index + 1
      let before = file.content(of: index).size
      let touched = event.change.blocks(sizeBefore: before)
      let isSizeLost = event.after.size != before && choice.isSizeLost(of: event, version)
      let lost = touched.filter { block in
        let isBelow = block * FileWindow.blockBytes < choice.content.size
        return isBelow ? (choice.versions[block] ?? 0) < version && choice.versions[block] != nil : isSizeLost
      }
      let share: Share
      if lost.isEmpty && !isSizeLost {
        share = .whole
      } else if lost.count == touched.count && isSizeLost {
        share = .none
      } else {
        share = .blocks(touched.count - lost.count, of: touched.count, ofSize: isSizeLost)
      }
      return Item(
        record: record, share: share, isContent: true, blocksLost: lost.map { Int($0 - touched.lowerBound) })
    }
  }

  private static func letters(of file: FileWindow, _ choice: FileChoice) -> [Character] {
    let count = (choice.content.size + FileWindow.blockBytes - 1) / FileWindow.blockBytes
    return (0..<count).map { block in
      if choice.torn.contains(block) { return "t" }
      if !choice.content.hasData(in: block) { return "0" }
      guard let version = choice.versions[block], version > 0 else { return "o" }
      return version == file.blocks[block]?.last?.version ? "n" : "m"
    }
  }
}

extension Cut {
  /// How much of a change is there.
  fileprivate func share(of change: MetadataChange, _ model: PersistenceModel) -> CrashAccount.Share {
    if kept == nil && change.record < firstLost { return .whole }
    // In one order a group is kept or lost; that a name is not there may be due to what is lost before.
    if model.metadataOrder == .total || model.metadataOrder == .immediate { return .none }
    let there = change.changes.count { namespace.value(of: $0.slot) == $0.value }
    return there == change.changes.count ? .whole : there == 0 ? .none : .inPart
  }
}

extension CrashWindow {
  /// The window at a moment: the record of that number under way, or behind the last.
  init(
    _ recording: Recording, _ model: PersistenceModel, isPowerCut: Bool, at moment: UInt64
  ) throws(HistoryError) {
    self.init(recording, model, isPowerCut: isPowerCut)
    if moment == 0 { return }
    for record in recording.records {
      _ = try begin(record)
      if record.number == moment { return }
      _ = finish()
    }
  }
}
