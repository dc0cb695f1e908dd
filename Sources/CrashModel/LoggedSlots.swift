import Files

/// What a log of fsyncs holds behind a commit: of each slot the last value.
///
/// Entries repeat what was logged before them, so there are many more of their changes than slots. Going back in the
/// log, a slot that has a value keeps it.
struct LoggedSlots {
  private let entries: [FsyncLog.Entry]
  /// The entries from this one on are in `values`.
  private var first: Int
  private var values: [Slot: SlotValue] = [:]

  /// Nothing yet of these entries, which stand in the order of their records.
  init(_ entries: [FsyncLog.Entry]) {
    self.entries = entries
    first = entries.count
  }

  /// Puts what was logged behind the commit of `record` over the names of that commit.
  mutating func replay(behind record: UInt64, into namespace: inout Namespace) {
    if first < entries.count && entries[first].record <= record {
      first = entries.count
      values.removeAll(keepingCapacity: true)
    }
    while first > 0 && entries[first - 1].record > record {
      first -= 1
      for change in entries[first].changes.reversed() where values[change.slot] == nil {
        values[change.slot] = change.value
      }
    }
    // An extended attribute needs its inode.
    for (slot, value) in values where !slot.isExtendedAttribute { namespace.put(value, at: slot) }
    for (slot, value) in values where slot.isExtendedAttribute { namespace.put(value, at: slot) }
  }
}

extension Namespace {
  /// Changes a slot where it holds something else.
  fileprivate mutating func put(_ value: SlotValue, at slot: Slot) {
    if self.value(of: slot) != value { apply(SlotChange(slot: slot, value: value)) }
  }
}

extension Slot {
  fileprivate var isExtendedAttribute: Bool { if case .extendedAttribute = self { true } else { false } }
}
