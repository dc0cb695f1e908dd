import Files
import Glibc

// Errors that only a file system answers.
extension Errno {
  static let estale = Errno(rawValue: ESTALE)
  static let enotconn = Errno(rawValue: ENOTCONN)
  static let ecanceled = Errno(rawValue: ECANCELED)
  static let enfile = Errno(rawValue: ENFILE)
  static let emlink = Errno(rawValue: EMLINK)
  static let enodata = Errno(rawValue: ENODATA)
  static let erange = Errno(rawValue: ERANGE)
  static let e2big = Errno(rawValue: E2BIG)
  static let enodev = Errno(rawValue: ENODEV)
}
