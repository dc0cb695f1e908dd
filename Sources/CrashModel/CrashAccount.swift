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
    package var blocksLost: [Range<Int>] = []
  }

  /// The file as blocks.
  package struct Bar: Sendable {
    /// Where it is in the state.
    package let path: BytePath
    /// Its size in bytes.
    package let size: UInt64
    /// A letter a block: `n` as written last, `m` as written before, `o` as it was, `0` zeros, `t` torn.
    package let runs: [Run]
    /// How many blocks the program had made behind these.
    package let missingCount: Int

    /// Blocks that follow each other and have one letter.
    package struct Run: Sendable {
      /// The letter.
      package let letter: Character
      /// How many there are.
      package internal(set) var count: Int
    }
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
    let window = try CrashWindow(recording, model, isPowerCut: isPowerCut, at: moment)
    self.init(of: tree, in: window, NumberedRecords(recording))
  }

  /// The account of a tree in a window; `records` are those of the recording.
  init(of tree: DiskTree, in window: CrashWindow, _ records: NumberedRecords) {
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
        let runs = Self.runs(of: window, file)
        let count = Int((window.current.size + FileWindow.blockBytes - 1) / FileWindow.blockBytes)
        let missingCount = max(0, count - runs.reduce(0) { $0 + $1.count })
        bars.append(Bar(path: path, size: file.content.size, runs: runs, missingCount: missingCount))
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
    of file: FileWindow, _ choice: FileChoice, _ records: NumberedRecords
  ) -> [Item] {
    file.events.enumerated().compactMap { index, event in
      guard let record = records[event.record] else { return nil }
      let version = index + 1
      let touched = event.blocks
      let isSizeLost = event.isResizing && choice.isSizeLost(of: event, version)
      let (lost, lostCount) = Self.lost(of: touched, choice, version, isSizeLost: isSizeLost)
      let share: Share
      if lostCount == 0 && !isSizeLost {
        share = .whole
      } else if lostCount == touched.count && isSizeLost {
        share = .none
      } else {
        share = .blocks(touched.count - lostCount, of: touched.count, ofSize: isSizeLost)
      }
      let first = touched.lowerBound
      return Item(
        record: record, share: share, isContent: true,
        blocksLost: lost.map { Int($0.lowerBound - first)..<Int($0.upperBound - first) })
    }
  }

  /// Those of some blocks that are older than a version; of what is a hole, or behind the end, the size decides.
  private static func lost(
    of touched: Range<UInt64>, _ choice: FileChoice, _ version: Int, isSizeLost: Bool
  ) -> (ranges: [Range<UInt64>], count: Int) {
    let known =
      touched.count <= choice.versions.count
      ? touched.filter { choice.versions[$0] != nil } : choice.versions.keys.filter(touched.contains).sorted()
    var ranges: [Range<UInt64>] = []
    func add(_ range: Range<UInt64>) {
      if range.isEmpty { return }
      if let last = ranges.last, last.upperBound == range.lowerBound {
        ranges[ranges.count - 1] = last.lowerBound..<range.upperBound
      } else {
        ranges.append(range)
      }
    }
    var place = touched.lowerBound
    for block in known {
      if isSizeLost { add(place..<block) }
      if (choice.versions[block] ?? 0) < version { add(block..<block + 1) }
      place = block + 1
    }
    if isSizeLost { add(place..<touched.upperBound) }
    return (ranges, ranges.reduce(0) { $0 + $1.count })
  }

  private static func runs(of file: FileWindow, _ choice: FileChoice) -> [Bar.Run] {
    let size = FileWindow.blockBytes
    let count = (choice.content.size + size - 1) / size
    var blocks = choice.torn
    for part in choice.content.extents.parts(from: 0, to: choice.content.size) where part.isWritten {
      blocks.formUnion(part.start / size...(part.end - 1) / size)
    }
    var runs: [Bar.Run] = []
    func add(_ letter: Character, _ count: UInt64) {
      if count == 0 { return }
      if runs.last?.letter == letter {
        runs[runs.count - 1].count += Int(count)
      } else {
        runs.append(Bar.Run(letter: letter, count: Int(count)))
      }
    }
    var place: UInt64 = 0
    for block in blocks.sorted() {
      add("0", block - place)
      add(letter(of: block, file, choice), 1)
      place = block + 1
    }
    add("0", count - place)
    return runs
  }

  private static func letter(of block: UInt64, _ file: FileWindow, _ choice: FileChoice) -> Character {
    if choice.torn.contains(block) { return "t" }
    guard let version = choice.versions[block], version > 0 else { return "o" }
    return version == file.blocks[block]?.last?.version ? "n" : "m"
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
