import FileTracing
import Files

/// What stat(2) tells of an inode of the disk.
package struct InodeAttributes: Hashable, Sendable {
  /// Its number; never used again for another.
  package var number: UInt64
  /// What it is.
  package var kind: FileKind
  /// Its size in bytes; of a symbolic link the length of its text.
  package var size: UInt64
  /// How many bytes it occupies; holes occupy nothing.
  package var allocatedBytes: UInt64
  /// How many names it has; a directory has 2 and one for each directory in it.
  package var links: UInt64
  /// The permission bits, 0o7777 at the most.
  package var permissions: UInt16
  /// The owner's number.
  package var owner: UInt32
  /// The group's number.
  package var group: UInt32
  /// The device number of a device file, as the kernel encodes it; 0 for others.
  package var deviceNumber: UInt32
  /// Time of access, nanoseconds since 1970-01-01 UTC; as it was set last, reading does not change it.
  package var accessed: Int64
  /// Last change of content, nanoseconds since 1970-01-01 UTC.
  package var modified: Int64
  /// Last change of the inode, nanoseconds since 1970-01-01 UTC.
  package var changed: Int64
}

/// What `setAttributes` changes; nil leaves a value as it is.
package struct AttributeChange: Hashable, Sendable {
  /// The new size in bytes: a truncate, counted as such.
  package var size: UInt64?
  /// The permission bits.
  package var permissions: UInt16?
  /// The owner's number.
  package var owner: UInt32?
  /// The group's number.
  package var group: UInt32?
  /// The time of access, nanoseconds since 1970-01-01 UTC.
  package var accessed: Int64?
  /// The time of the last change of content, nanoseconds since 1970-01-01 UTC.
  package var modified: Int64?
  /// True where the times are those of the call: then who may write may set them, not only the owner.
  package var timesAreNow = false

  /// A change of these values.
  package init(
    size: UInt64? = nil, permissions: UInt16? = nil, owner: UInt32? = nil, group: UInt32? = nil,
    accessed: Int64? = nil, modified: Int64? = nil
  ) {
    self.size = size
    self.permissions = permissions
    self.owner = owner
    self.group = group
    self.accessed = accessed
    self.modified = modified
  }
}

/// For what a file is opened.
package struct FileAccess: Hashable, Sendable {
  /// Reads are permitted.
  package var reads: Bool
  /// Writes are permitted.
  package var writes: Bool
  /// Every write goes to the end of the file, whatever its offset says.
  package var appends: Bool

  /// An access of these permissions.
  package init(reads: Bool, writes: Bool, appends: Bool = false) {
    self.reads = reads
    self.writes = writes
    self.appends = appends
  }
}

/// The flags of renameat2(2), one of three.
package enum RenameMode: UInt64, Hashable, Sendable {
  /// Replaces what stands at the target.
  case replacing = 0
  /// RENAME_NOREPLACE: EEXIST where something stands at the target.
  case keeping = 1
  /// RENAME_EXCHANGE: both names exist and change places.
  case exchanging = 2
}

/// What statfs(2) tells.
package struct DiskSpace: Hashable, Sendable {
  /// The whole size in bytes.
  package var bytesTotal: UInt64
  /// Bytes that a writer may still use.
  package var bytesFree: UInt64
  /// All inodes, used and free.
  package var inodesTotal: UInt64
  /// New files and directories that may still be made.
  package var inodesFree: UInt64
}

/// How a disk is.
package enum DiskCondition: Hashable, Sendable {
  /// It works.
  case running
  /// The power was cut; everything answers EIO until `restart`.
  case cut(SurvivingState)
}
