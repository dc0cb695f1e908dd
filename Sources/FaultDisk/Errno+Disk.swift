import Files
import Glibc

// Errors that only a file system answers.
extension Errno {
  static let estale = Errno(rawValue: ESTALE)
  static let enotconn = Errno(rawValue: ENOTCONN)
  static let ecanceled = Errno(rawValue: ECANCELED)
  static let enfile = Errno(rawValue: ENFILE)
  static let emlink = Errno(rawValue: EMLINK)
  static let enodev = Errno(rawValue: ENODEV)
}
