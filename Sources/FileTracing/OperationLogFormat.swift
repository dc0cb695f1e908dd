import Files

/// The file form of an operation log. It has a header, then records that can be told whole from cut or damaged ones.
///
///     offset  bytes  meaning
///          0      8  "FAULTLOG"
///          8      4  version, 3
///         12      4  length of the text
///         16      4  CRC-32C of the text
///         20      n  a JSON object, see `OperationLogHeader`
///
/// A record; all numbers are little endian, texts, attributes and data are a 4-byte length and the bytes:
///
///     offset  bytes  meaning
///          0      4  length of what follows the checksum, never 0, at most `recordBytesMax`
///          4      4  CRC-32C of what follows
///          8      1  kind, see `codes`
///          9      1  0
///         10      2  what is there: 1 counted number, 2 other path, 4 data, 8 errno, 16 rule, 32 mark, 64 fault,
///                    128 attributes
///         12      4  thread
///         16     64  number, counted number, inode, offset, length asked, length taken, argument, time
///         80      4  errno
///         84      n  path, other path, rule, fault, mark, attributes, data
///
/// The fault is the JSON form of the rule that hit without name and conditions, and may have an "ending", the rule of
/// a cut or kill behind it. Attributes, 31 bytes, are kind, permissions, owner, group, device, accessed, modified.
///
/// Source: Docs/reference/operation-log.md.
package enum OperationLogFormat {
  /// The first bytes of a log file.
  package static let magic: [UInt8] = Array("FAULTLOG".utf8)
  /// The version that this code writes and reads.
  package static let version: UInt32 = 3
  /// The size of the header before its text.
  package static let headerBytes = 20
  /// The most bytes of the header's text.
  package static let headerTextBytesMax = 64 << 10
  /// The size of a record with empty texts and no data, behind length and checksum.
  static let fixedBytes = 104
  /// The most bytes of a record behind its checksum: a write of 1 MiB, two paths, and much room.
  package static let recordBytesMax = 4 << 20

  /// The numbers of the kinds in files; never changed, never used again.
  static let codes: [(kind: OperationKind, code: UInt8)] = [
    (.create, 1), (.open, 2), (.read, 3), (.write, 4), (.truncate, 5), (.fsync, 6), (.rename, 7), (.unlink, 8),
    (.mkdir, 9), (.rmdir, 10), (.link, 11), (.readdir, 12), (.statfs, 13), (.close, 14), (.symlink, 15),
    (.setattr, 16), (.allocate, 17), (.mark, 18), (.control, 19), (.getxattr, 20), (.setxattr, 21), (.removexattr, 22),
    (.lock, 23), (.sync, 24), (.listxattr, 25),
  ]

  /// The bits that tell what is there.
  struct Parts: OptionSet {
    let rawValue: UInt16
    static let countedNumber = Parts(rawValue: 1)
    static let otherPath = Parts(rawValue: 2)
    static let data = Parts(rawValue: 4)
    static let errno = Parts(rawValue: 8)
    static let rule = Parts(rawValue: 16)
    static let mark = Parts(rawValue: 32)
    static let fault = Parts(rawValue: 64)
    static let attributes = Parts(rawValue: 128)
    static let all = Parts(rawValue: 255)
  }

  /// The numbers of the kinds of file in a record's attributes; never changed.
  static let fileKinds: [(kind: FileKind, code: UInt8)] = [
    (.regular, 1), (.directory, 2), (.symbolicLink, 3), (.fifo, 4), (.socket, 5), (.blockDevice, 6),
    (.characterDevice, 7), (.unknown, 8),
  ]
}
