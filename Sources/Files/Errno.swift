import Glibc

/// An error number of the kernel, with its name and its sentence.
package struct Errno: Error, Hashable, Sendable, CustomStringConvertible {
  /// The number as `errno` holds it; never 0.
  package let rawValue: CInt

  /// The error of this number.
  package init(rawValue: CInt) { self.rawValue = rawValue }

  /// The error that `errno` holds now; to be read directly behind the failed call.
  package static var current: Errno { Errno(rawValue: errno) }

  /// The error of this name ("ENOSPC"), or nil where no such error exists.
  package init?(name: String) {
    guard let number = (Errno.numbers + Errno.secondNames).first(where: { $0.name == name })?.number else { return nil }
    rawValue = number
  }

  /// The name, "ENOSPC"; "errno 4711" for a number without one.
  package var name: String { Errno.numbers.first { $0.number == rawValue }?.name ?? "errno \(rawValue)" }

  /// The kernel's own sentence, "No space left on device".
  package var description: String { String(cString: strerror(rawValue)) }
}

/// A system call that failed: which, on what, and why.
package struct FileCallError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The call, as its manual page is named: "rename", "fsync".
  package let call: String
  /// The paths it was given, in its own order.
  package let paths: [BytePath]
  /// The reason.
  package let errno: Errno

  /// The failure of `call` on `paths`.
  package init(_ call: String, _ paths: [BytePath], _ errno: Errno) {
    self.call = call
    self.paths = paths
    self.errno = errno
  }

  /// "rename a.tmp, a.content: No space left on device"; the root is shown as ".".
  package var description: String {
    let names = paths.map { $0.isRoot ? "." : $0.description }.joined(separator: ", ")
    return "\(call)\(names.isEmpty ? "" : " ")\(names): \(errno.description)"
  }
}
