import Files

/// What fsync has written behind the last commit of a file system that logs only what an fsync is about.
///
/// An entry holds values of slots: a crash finds the last commit, and over it the entries.
struct FsyncLog: Hashable, Sendable {
  struct Entry: Hashable, Sendable {
    /// The number of the fsync's record.
    var record: UInt64
    var changes: [SlotChange]
    /// The file whose content it has.
    var inode: UInt64
  }

  /// Those whose fsync has returned.
  private(set) var entries: [Entry] = []
  /// That of the fsync under way.
  private(set) var inFlight: Entry?
  /// True where the fsync under way needs a whole commit.
  private(set) var mustCommit = false
  private var logged: Set<UInt64> = []

  /// An fsync begins: what it needs, given the names as they are, as they are durable, and all changes between.
  mutating func begin(
    _ inode: UInt64, at record: UInt64, now: Namespace, base: Namespace, pending: [MetadataChange]
  ) {
    let isDirectory = now.nodes[inode]?.attributes.kind == .directory
    // A name that went from here to another directory would be lost, were only this directory logged.
    mustCommit = isDirectory && pending.contains { $0.leaving == inode }
    var slots: [Slot] = []
    var known: Set<UInt64> = []
    var waiting = [inode]
    while let next = waiting.popLast() {
      guard known.insert(next).inserted else { continue }
      for slot in now.names(of: next) + Self.namesLost(by: next, in: pending) {
        slots.append(slot)
        guard case .name(let directory, _) = slot else { continue }
        // A directory that is new needs its own name, and so on upwards.
        if base.nodes[directory] == nil || base.names(of: directory).isEmpty && directory != base.root {
          waiting.append(directory)
        }
        // What the name stood for is logged too, where it has another name now.
        if case .inode(let other) = base.value(of: slot), other != next, !now.names(of: other).isEmpty {
          waiting.append(other)
        }
      }
      slots.append(.attributes(next))
    }
    for change in pending.flatMap(\.changes) {
      guard case .name(let directory, _) = change.slot else { continue }
      if isDirectory && directory == inode { slots.append(change.slot) }
    }
    // A rename of what is in the log already is in the log too.
    for change in pending where !logged.isDisjoint(with: change.touched.prefix(1)) {
      slots.append(contentsOf: change.changes.map(\.slot))
    }
    // A name that was changed often is told once.
    var told: Set<Slot> = []
    let changes = slots.filter { told.insert($0).inserted }.map { SlotChange(slot: $0, value: now.value(of: $0)) }
    inFlight = Entry(record: record, changes: changes, inode: inode)
    logged.insert(inode)
  }

  /// The names that an inode had and has no more.
  private static func namesLost(by inode: UInt64, in pending: [MetadataChange]) -> [Slot] {
    pending.filter { $0.touched.first == inode }.flatMap(\.changes).map(\.slot).filter {
      if case .name = $0 { true } else { false }
    }
  }

  /// The fsync under way has returned; true where it was a whole commit.
  mutating func endFlight() -> Bool {
    defer {
      inFlight = nil
      mustCommit = false
    }
    if let inFlight, !mustCommit { entries.append(inFlight) }
    return mustCommit
  }
}
