import Glibc

/// A system call about processes, pipes, sockets or signals that failed.
package struct ProcessCallError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The call, as its manual page is named: "posix_spawn"; "line" for a line over the limit.
  package let call: String
  /// What it was about: a program, a socket's path; empty where there is no name.
  package let subject: String
  /// The number that `errno` held.
  package let errorNumber: CInt

  /// A failure of `call`.
  package init(_ call: String, _ subject: String = "", _ errorNumber: CInt) {
    self.call = call
    self.subject = subject
    self.errorNumber = errorNumber
  }

  /// "connect /run/x.sock: Connection refused".
  package var description: String {
    let name = subject.isEmpty ? call : "\(call) \(subject)"
    return "\(name): \(String(cString: strerror(errorNumber)))"
  }

  /// True where the other side is gone: nobody reads the pipe or socket any more.
  package var isBrokenPipe: Bool { errorNumber == EPIPE || errorNumber == ECONNRESET }

  /// True where the time limit passed first.
  package var isTimeout: Bool { errorNumber == ETIMEDOUT }
}

/// Calls `body` until it is not interrupted by a signal.
func retrying(_ call: String, _ subject: String = "", _ body: () -> CInt) throws(ProcessCallError) -> CInt {
  while true {
    let result = body()
    if result >= 0 { return result }
    let number = errno
    if number != EINTR { throw ProcessCallError(call, subject, number) }
  }
}
