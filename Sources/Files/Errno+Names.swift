import Glibc

/// The errors that our own code compares with or answers.
extension Errno {
  /// The caller may not.
  package static let eperm = Errno(rawValue: EPERM)
  /// There is nothing of this name.
  package static let enoent = Errno(rawValue: ENOENT)
  /// A signal came first.
  package static let eintr = Errno(rawValue: EINTR)
  /// The device failed.
  package static let eio = Errno(rawValue: EIO)
  /// Nobody reads this FIFO, or nothing is behind this device or socket.
  package static let enxio = Errno(rawValue: ENXIO)
  /// The file is not open, or not for this.
  package static let ebadf = Errno(rawValue: EBADF)
  /// Another holds the lock (EWOULDBLOCK is the same number).
  package static let eagain = Errno(rawValue: EAGAIN)
  /// The permission bits forbid it.
  package static let eacces = Errno(rawValue: EACCES)
  /// A library of code cannot be loaded.
  package static let elibacc = Errno(rawValue: ELIBACC)
  /// It is in use.
  package static let ebusy = Errno(rawValue: EBUSY)
  /// The name is taken.
  package static let eexist = Errno(rawValue: EEXIST)
  /// The two lie on different file systems.
  package static let exdev = Errno(rawValue: EXDEV)
  /// It is no directory.
  package static let enotdir = Errno(rawValue: ENOTDIR)
  /// It is a directory.
  package static let eisdir = Errno(rawValue: EISDIR)
  /// The call makes no sense so.
  package static let einval = Errno(rawValue: EINVAL)
  /// This process has too many open files.
  package static let emfile = Errno(rawValue: EMFILE)
  /// The file is, or would become, too big.
  package static let efbig = Errno(rawValue: EFBIG)
  /// No space is left.
  package static let enospc = Errno(rawValue: ENOSPC)
  /// The file system is read-only.
  package static let erofs = Errno(rawValue: EROFS)
  /// The name or path is too long.
  package static let enametoolong = Errno(rawValue: ENAMETOOLONG)
  /// The kernel has no such call.
  package static let enosys = Errno(rawValue: ENOSYS)
  /// The directory is not empty.
  package static let enotempty = Errno(rawValue: ENOTEMPTY)
  /// A symbolic link stands there.
  package static let eloop = Errno(rawValue: ELOOP)
  /// There is more than the answer may hold.
  package static let eoverflow = Errno(rawValue: EOVERFLOW)
  /// The file system cannot do this.
  package static let enotsup = Errno(rawValue: ENOTSUP)
}
