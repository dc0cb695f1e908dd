import CPosix
import Glibc

/// A stream people read: standard output or standard error.
package struct OutputStream: Sendable {
  private let descriptor: CInt

  /// Standard output.
  package static let output = OutputStream(descriptor: STDOUT_FILENO)
  /// Standard error.
  package static let error = OutputStream(descriptor: STDERR_FILENO)

  /// True where a terminal is at its other end.
  package var isTerminal: Bool { isatty(descriptor) == 1 }

  /// The columns of the terminal; 80 where there is none or it does not say.
  package var columns: Int {
    let columns = Int(cposix_ioctl_terminal_columns(descriptor))
    return columns > 0 ? columns : 80
  }

  /// The paint that `--color`, this stream and the environment ask for.
  package func paint(_ choice: ColourChoice) -> Paint {
    Paint(isOn: choice.colours(isTerminal: isTerminal, noColor: variable("NO_COLOR"), term: variable("TERM")))
  }

  /// Writes the text as it is; what comes from outside must be `printable` first.
  ///
  /// - Throws: EPIPE where nobody reads any more (SIGPIPE must be ignored for that), ENOSPC and the like.
  package func write(_ text: String) throws(OutputError) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      let number = errno
      if count < 0 && number != EINTR { throw OutputError(errorNumber: number) }
      rest = rest.dropFirst(max(0, count))
    }
  }

  private func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}

/// Output that could not be written.
package struct OutputError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The number that `errno` held.
  package let errorNumber: CInt

  /// True where nobody reads any more, as behind `| head`.
  package var isBrokenPipe: Bool { errorNumber == EPIPE }

  /// "writing the output: No space left on device".
  package var description: String { "writing the output: \(String(cString: strerror(errorNumber)))" }
}
