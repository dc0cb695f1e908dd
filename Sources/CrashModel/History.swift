import FaultDisk
import FileTracing
import Files

/// What one record did, in the terms of the crash model.
enum HistoryStep: Hashable, Sendable {
  /// Names or attributes.
  case metadata(MetadataChange)
  /// The bytes or the size of a file.
  case content(inode: UInt64, ContentChange)
  /// A file or directory became durable.
  case synchronized(inode: UInt64, SynchronizingCall)
  /// An fsync failed, and the pages that it should have written count as clean.
  case dropped(inode: UInt64)
  /// Everything became durable.
  case synchronizedAll
}

/// A change to the bytes or the size of a file.
enum ContentChange: Hashable, Sendable {
  case write(offset: UInt64, length: UInt64, address: UInt64)
  case truncate(UInt64)
  case reserve(Range<UInt64>, keepsSize: Bool)
  case zero(Range<UInt64>, keepsSize: Bool)
  case punch(Range<UInt64>)
}

/// Why a recording cannot be explored.
package struct HistoryError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The record's number.
  package let number: UInt64
  /// What is in the way, without a full stop.
  package let reason: String

  /// "operation 14: a torn rename is no operation of a disk".
  package var description: String { "operation \(number): \(reason)" }
}

/// Reads records as steps; it follows the names, since records tell paths.
struct HistoryReader: Sendable {
  /// The tree as the program sees it.
  private(set) var namespace: Namespace
  /// The number of the last record that was read.
  private(set) var lastRecord: UInt64 = 0

  private let attributeValues: [UInt64: [UInt8]]

  init(_ recording: Recording) {
    namespace = Namespace(recording.tree)
    attributeValues = recording.attributeValues
  }

  /// What a record did; nil for what changed nothing, which includes all that failed.
  mutating func step(_ record: OperationRecord) throws(HistoryError) -> HistoryStep? {
    try check(record)
    lastRecord = record.number
    if record.firedEffect == .fsyncFail(.drop) { return .dropped(inode: record.inode) }
    guard record.errno == nil else { return nil }
    let step = read(record)
    if case .metadata(let change) = step { namespace.apply(change) }
    return step
  }

  private func check(_ record: OperationRecord) throws(HistoryError) {
    switch record.firedEffect {
    case nil, .errno, .shortWrite, .fsyncLie, .fsyncFail, .slow, .hang, .shortRead, .staleRead, .shuffled, .kill: return
    case .remountReadOnly, .shutdown, .lockedDevice: return
    case .some(let effect):
      throw HistoryError(
        number: record.number,
        reason:
          "the fault '\(effect.word.rawValue)' changed what is on the disk; crash states are made of runs without it")
    }
  }

  private mutating func read(_ record: OperationRecord) -> HistoryStep? {
    switch record.kind {
    case .create, .mkdir, .symlink: return making(record)
    case .link: return linking(record)
    case .unlink, .rmdir: return removing(record)
    case .rename: return renaming(record)
    case .setattr:
      guard let attributes = record.attributes else { return nil }
      return attribute(record, SlotChange(slot: .attributes(record.inode), value: .attributes(attributes)))
    case .setxattr, .removexattr:
      guard let name = record.otherPath else { return nil }
      let value = record.kind == .setxattr ? attributeValues[record.number].map { SlotValue.bytes($0) } : SlotValue.none
      return value.map { attribute(record, SlotChange(slot: .extendedAttribute(record.inode, name), value: $0)) }
    case .write:
      guard let address = record.dataAddress, record.lengthTaken > 0 else { return nil }
      return .content(
        inode: record.inode, .write(offset: record.offset, length: record.lengthTaken, address: address))
    case .truncate: return .content(inode: record.inode, .truncate(record.offset))
    case .allocate:
      let range = record.offset..<record.offset + record.lengthAsked
      let wish = AllocationWish(bits: record.argument)
      let change: ContentChange =
        switch wish.kind {
        case .punch: .punch(range)
        case .zero: .zero(range, keepsSize: wish.keepsSize)
        case .reserve: .reserve(range, keepsSize: wish.keepsSize)
        }
      return .content(inode: record.inode, change)
    case .fsync:
      if record.firedEffect == .fsyncLie { return nil }
      return .synchronized(inode: record.inode, SynchronizingCall(record))
    case .sync: return .synchronizedAll
    case .open, .read, .readdir, .statfs, .close, .getxattr, .listxattr, .lock, .mark, .control: return nil
    }
  }

  private func attribute(_ record: OperationRecord, _ change: SlotChange) -> HistoryStep {
    .metadata(MetadataChange(record: record.number, changes: [change], touched: [record.inode]))
  }

  private func slot(_ path: BytePath) -> (slot: Slot, directory: UInt64)? {
    namespace.inode(at: path.parent).map { (.name(directory: $0, name: path.name), $0) }
  }

  private mutating func making(_ record: OperationRecord) -> HistoryStep? {
    guard let (slot, directory) = slot(record.path) else { return nil }
    let attributes =
      record.attributes
      ?? RecordedAttributes(
        kind: record.kind == .mkdir ? .directory : record.kind == .symlink ? .symbolicLink : .regular,
        permissions: UInt16(truncatingIfNeeded: record.argument & 0o7777))
    namespace.know(record.inode, Namespace.Node(attributes: attributes, text: record.otherPath ?? .root))
    return .metadata(
      MetadataChange(
        record: record.number, changes: [SlotChange(slot: slot, value: .inode(record.inode))],
        touched: [record.inode, directory], isForData: true))
  }

  private func linking(_ record: OperationRecord) -> HistoryStep? {
    guard let (slot, directory) = slot(record.otherPath ?? .root) else { return nil }
    return .metadata(
      MetadataChange(
        record: record.number, changes: [SlotChange(slot: slot, value: .inode(record.inode))],
        touched: [record.inode, directory]))
  }

  private func removing(_ record: OperationRecord) -> HistoryStep? {
    guard let (slot, directory) = slot(record.path) else { return nil }
    let gone = namespace.inode(at: record.path).map { [$0] } ?? []
    return .metadata(
      MetadataChange(
        record: record.number, changes: [SlotChange(slot: slot, value: .none)], touched: gone + [directory]))
  }

  private func renaming(_ record: OperationRecord) -> HistoryStep? {
    guard let target = record.otherPath, let from = slot(record.path), let to = slot(target),
      let moved = namespace.inode(at: record.path)
    else { return nil }
    let replaced = namespace.inode(at: target)
    if replaced == moved { return nil }
    let exchanges = record.argument == RenameMode.exchanging.rawValue
    let left: SlotValue = exchanges ? replaced.map { .inode($0) } ?? .none : .none
    return .metadata(
      MetadataChange(
        record: record.number,
        changes: [SlotChange(slot: from.slot, value: left), SlotChange(slot: to.slot, value: .inode(moved))],
        touched: [moved, from.directory, to.directory] + (replaced.map { [$0] } ?? []),
        replacing: replaced != nil && !exchanges ? moved : nil,
        leaving: from.directory == to.directory ? nil : from.directory))
  }
}
