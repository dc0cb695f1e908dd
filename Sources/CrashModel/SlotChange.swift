import FileTracing
import Files

/// A place of the metadata that has one value at a time.
enum Slot: Hashable, Sendable {
  /// A name in a directory.
  case name(directory: UInt64, name: BytePath)
  /// Permissions, owner and times of an inode.
  case attributes(UInt64)
  /// An extended attribute of an inode.
  case extendedAttribute(UInt64, BytePath)
}

/// What a slot holds.
enum SlotValue: Hashable, Sendable {
  /// Nothing.
  case none
  /// A name stands for this inode.
  case inode(UInt64)
  /// These attributes.
  case attributes(RecordedAttributes)
  /// This value of an extended attribute.
  case bytes([UInt8])
}

/// One step of a slot's chain of versions.
struct SlotChange: Hashable, Sendable {
  var slot: Slot
  var value: SlotValue
}

/// An operation on the metadata: its changes are one group where the model keeps groups together.
struct MetadataChange: Hashable, Sendable {
  /// The number of its record.
  var record: UInt64
  /// What it changes; empty for a cut of a file, whose size is an event of the file.
  var changes: [SlotChange]
  /// The inodes that an fsync has to be about to make it durable in a journal.
  var touched: [UInt64]
  /// True where a sync of data alone needs it too: what makes an inode or changes its size.
  var isForData = false
  /// The file that a rename puts in the place of another.
  var replacing: UInt64?
  /// The directory that a rename takes a name away from, where it goes to another.
  var leaving: UInt64?
}
