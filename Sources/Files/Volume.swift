/// A tree of files that a program works on: the host's folder, a fault disk, a crash state.
///
/// One requirement a system call that we use. Every path is relative to the volume's root, of names separated by
/// single slashes; "." and ".." are refused with EINVAL. The rules, which `VolumeContract` in TestSupport checks:
///
/// - V1  No call follows a symbolic link, in no component (ELOOP, or ENOTDIR for one in the middle).
/// - V2  `open` never blocks, whatever stands at the path: a FIFO, a device, a socket.
/// - V3  `rename` replaces the target atomically; open files of the old target keep reading the old bytes.
/// - V4  `renameKeeping` fails with EEXIST where the target exists, and changes nothing then.
/// - V5  A file that is unlinked while open keeps its bytes until it is closed.
/// - V6  `entries` come sorted by the bytes of their names, without "." and "..".
/// - V7  A write behind the end fills the gap with zeros; a write may take fewer bytes than offered, never 0 of some.
/// - V8  A lock belongs to the open file; `close` releases it; a second open of one directory does not share it.
/// - V9  A failed call changes nothing, but for a write that says how much it took.
/// - V10 A closed file is refused with EBADF, and no number is valid twice at one time.
/// - V11 What has a content name is the same each time that something has this name.
package protocol Volume: AnyObject, Sendable {
  /// Opens what stands at `path`, or makes a file there, as `purpose` says.
  func open(_ path: BytePath, for purpose: OpenPurpose) throws(FileCallError) -> OpenFile
  /// Ends an open file; the number is free afterwards, also when this throws.
  func close(_ file: OpenFile) throws(FileCallError)
  /// Reads up to the buffer's size from `offset` on; 0 at the end of the file.
  func read(
    _ file: OpenFile, at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer
  ) throws(FileCallError) -> Int
  /// Writes bytes at `offset`; returns how many were taken, which may be fewer than offered.
  func write(_ file: OpenFile, at offset: UInt64, _ bytes: UnsafeRawBufferPointer) throws(FileCallError) -> Int
  /// Cuts or lengthens (with zeros) the file to `size` bytes.
  func truncate(_ file: OpenFile, to size: UInt64) throws(FileCallError)
  /// fsync: the data and size of a file, or the names of a directory, are durable when this returns.
  func synchronize(_ file: OpenFile) throws(FileCallError)
  /// What an open file is now.
  func status(of file: OpenFile) throws(FileCallError) -> FileStatus
  /// What stands at the path, a symbolic link itself and not its target.
  func status(at path: BytePath) throws(FileCallError) -> FileStatus
  /// Renames, replacing what stands at `to`.
  func rename(_ from: BytePath, to: BytePath) throws(FileCallError)
  /// Renames where nothing stands at `to`; EEXIST otherwise.
  func renameKeeping(_ from: BytePath, to: BytePath) throws(FileCallError)
  /// A second name for a file.
  func link(_ from: BytePath, to: BytePath) throws(FileCallError)
  /// Removes a name of a file.
  func unlink(_ path: BytePath) throws(FileCallError)
  /// Makes a directory with these permission bits.
  func makeDirectory(_ path: BytePath, permissions: UInt16) throws(FileCallError)
  /// Removes an empty directory.
  func removeDirectory(_ path: BytePath) throws(FileCallError)
  /// The names in a directory, sorted by bytes; EOVERFLOW where there are more than `countMax`.
  func entries(of path: BytePath, countMax: Int) throws(FileCallError) -> [DirectoryEntry]
  /// Takes the exclusive lock of flock(2) without waiting; EWOULDBLOCK (EAGAIN) where another holds it.
  func lockExclusively(_ file: OpenFile) throws(FileCallError)
  /// The process that holds the lock of this file, where the system tells.
  func lockHolder(of file: OpenFile) -> Int32?
  /// What a writer may still use of the volume.
  func freeSpace() throws(FileCallError) -> FreeSpace
  /// Makes a symbolic link that says this text.
  func makeSymbolicLink(_ path: BytePath, to text: BytePath) throws(FileCallError)
  /// The text of a symbolic link; EINVAL for anything else.
  func linkText(at path: BytePath) throws(FileCallError) -> BytePath
  /// Makes a FIFO, socket or device file with these permission bits.
  func makeNode(_ path: BytePath, kind: FileKind, permissions: UInt16, device: UInt32) throws(FileCallError)
  /// Sets the permission bits and the modification time (nanoseconds since 1970-01-01 UTC); nil leaves one as it is.
  func setAttributes(_ file: OpenFile, permissions: UInt16?, modified: Int64?) throws(FileCallError)
  /// The names of the extended attributes of an open file or directory, sorted by bytes.
  func extendedAttributeNames(of file: OpenFile) throws(FileCallError) -> [BytePath]
  /// The value of an extended attribute; ENODATA where there is none.
  func extendedAttribute(_ name: BytePath, of file: OpenFile) throws(FileCallError) -> [UInt8]
  /// Gives an open file or directory an extended attribute, or another value of one that it has.
  func setExtendedAttribute(_ name: BytePath, of file: OpenFile, to value: [UInt8]) throws(FileCallError)
  /// No system call: a name for what an open file holds now; nil where the volume cannot vouch for one.
  func contentName(of file: OpenFile) -> ContentName?
  /// No system call: what stands at the path, and a name for all it holds; nil as `contentName`.
  ///
  /// What a directory holds is everything below it: names, kinds, permissions, texts of links, bytes. Not the times.
  func named(at path: BytePath) -> NamedContent?
}

extension Volume {
  /// Nil: most volumes cannot tell.
  package func contentName(of file: OpenFile) -> ContentName? { nil }

  /// Nil: most volumes cannot tell.
  package func named(at path: BytePath) -> NamedContent? { nil }
}

/// An open file of a volume, valid until it is closed.
package struct OpenFile: Hashable, Sendable {
  /// The volume's own number for it; for the host's volume the descriptor.
  package let number: Int32

  /// The file of this number.
  package init(number: Int32) { self.number = number }
}

/// Why a file is opened.
package enum OpenPurpose: Hashable, Sendable {
  /// To read a regular file; leaves its access time alone where that is permitted.
  case reading
  /// To sync, lock or list a directory; ENOTDIR for anything else.
  case directory
  /// To write a new file with these permission bits; EEXIST where the name is taken.
  case creating(permissions: UInt16)
  /// To write an existing file in place.
  case writing
  /// To overwrite in place: cut to nothing, or made. What a careless store does; only the canary uses it.
  case overwriting(permissions: UInt16)
}

/// What kind of thing a name stands for.
package enum FileKind: String, Hashable, Sendable {
  case regular, directory, symbolicLink, fifo, socket, blockDevice, characterDevice, unknown
}

/// What stat(2) tells, as far as we use it.
package struct FileStatus: Hashable, Sendable {
  /// What it is.
  package var kind: FileKind
  /// The number of the device it lies on.
  package var device: UInt64
  /// Its inode number.
  package var inode: UInt64
  /// Its size in bytes.
  package var size: UInt64
  /// How many names it has.
  package var links: UInt64
  /// The permission bits, 0o7777 at the most.
  package var permissions: UInt16
  /// The owner's number.
  package var owner: UInt32
  /// Last change of content, nanoseconds since 1970-01-01 UTC.
  package var modified: Int64
  /// Last change of the inode, nanoseconds since 1970-01-01 UTC.
  package var changed: Int64
  /// How many bytes of the disk it takes; nil where the volume does not tell.
  package var allocated: UInt64?

  /// A status of these values.
  package init(
    kind: FileKind, device: UInt64, inode: UInt64, size: UInt64, links: UInt64, permissions: UInt16, owner: UInt32,
    modified: Int64, changed: Int64, allocated: UInt64? = nil
  ) {
    self.kind = kind
    self.device = device
    self.inode = inode
    self.size = size
    self.links = links
    self.permissions = permissions
    self.owner = owner
    self.modified = modified
    self.changed = changed
    self.allocated = allocated
  }
}

/// A name in a directory. The kind may be `.unknown` where the file system does not say; ask `status(at:)` then.
package struct DirectoryEntry: Hashable, Sendable {
  /// The name, one component.
  package let name: BytePath
  /// What it stands for.
  package let kind: FileKind
  /// Its inode number.
  package let inode: UInt64

  /// An entry of these values.
  package init(name: BytePath, kind: FileKind, inode: UInt64) {
    self.name = name
    self.kind = kind
    self.inode = inode
  }
}

/// What a writer may still use of a volume.
package struct FreeSpace: Hashable, Sendable {
  /// Bytes.
  package let bytes: UInt64
  /// New files and directories.
  package let inodes: UInt64

  /// This much.
  package init(bytes: UInt64, inodes: UInt64) {
    self.bytes = bytes
    self.inodes = inodes
  }
}
