import Files

/// One file of a package as the survey found it.
package struct FileFacts: Sendable {
  /// Where it stands, relative to the package.
  package let path: BytePath
  /// What stat(2) told when it was read; nil where even that failed.
  package let status: FileStatus?
  /// What kept its content from being read; nil where it was read whole.
  package let obstacle: FileObstacle?

  /// A file that was read whole, or the reason why not.
  init(path: BytePath, status: FileStatus?, obstacle: FileObstacle? = nil) {
    self.path = path
    self.status = status
    self.obstacle = obstacle
  }

  /// Its size in bytes, 0 where it is not known.
  package var size: UInt64 { status?.size ?? 0 }

  /// True where the disk does not hold all of it. Sound files can be so, too, on a disk that packs what it holds.
  var hasHole: Bool { status.map { $0.allocated ?? .max < $0.size } ?? false }

  /// The kind of what holds zeros in place of content.
  var zeros: ProblemKind { hasHole ? .sparseHole : .nulFilled }
}

/// Why the content of a file was not read.
package enum FileObstacle: Hashable, Sendable {
  /// A FIFO, socket, device or folder where a file belongs, or a file where a folder belongs; never opened.
  case unexpectedType(FileKind)
  /// A symbolic link; never followed.
  case symbolicLink
  /// The system refused; says which call and why.
  case unreadable(FileCallFailure)
  /// More bytes than the format allows.
  case tooLarge(limit: UInt64)
  /// It changed each time that it was read.
  case changing
}

/// A failed call as a value that can be compared and kept: the call and its errno.
package struct FileCallFailure: Hashable, Sendable {
  /// The call, "open".
  package let call: String
  /// The reason.
  package let errno: Errno

  init(_ error: FileCallError) {
    call = error.call
    errno = error.errno
  }

  /// True where a folder holds more names than are read.
  var isTooManyNames: Bool { call == "readdir" && errno == .eoverflow }

  /// True where the disk refuses, so that it will refuse the next file as well.
  var endsAllWriting: Bool { ["ENOSPC", "EDQUOT", "EROFS", "EIO"].contains(errno.name) }

  /// True where the user lacks the right, false where the machine failed.
  package var isPermission: Bool { ["EACCES", "EPERM"].contains(errno.name) }
}
