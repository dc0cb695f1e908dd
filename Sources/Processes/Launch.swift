/// A program to start: its words, its streams, and where it runs.
package struct Launch: Sendable {
  /// Path of the program; without a slash it is looked for in PATH.
  package var program: [UInt8]
  /// The words behind the program's name, as bytes.
  package var arguments: [[UInt8]]
  /// Changes to the environment it inherits, in order; nil takes a name away.
  package var environment: [(name: String, value: String?)] = []
  /// The directory it starts in; nil for this program's own.
  package var workingDirectory: [UInt8]?
  /// Where it reads from.
  package var input = Stream.nothing
  /// Where it writes to.
  package var output = Stream.inherited
  /// Where it complains to.
  package var error = Stream.inherited
  /// True where it leads a process group of its own: it can be killed with all that it starts.
  package var hasOwnGroup = false
  /// True where a crash of a Swift program shall not spend seconds on a backtrace.
  package var crashesQuietly = false

  /// A program with its words.
  package init(_ program: String, _ arguments: [String] = []) {
    self.init(program: Array(program.utf8), arguments: arguments.map { Array($0.utf8) })
  }

  /// A program with its words as bytes.
  package init(program: [UInt8], arguments: [[UInt8]]) {
    self.program = program
    self.arguments = arguments
  }

  /// Where a standard stream of a child leads.
  package enum Stream: Sendable {
    /// The same as this program's.
    case inherited
    /// /dev/null.
    case nothing
    /// A new pipe, whose other end is at the `ChildProcess`.
    case pipe
    /// A file, opened for reading or, made with mode 0644 and emptied, for writing.
    case file([UInt8])
    /// A file that is written on at its end, made with mode 0644.
    case append([UInt8])
    /// A descriptor of this program.
    case descriptor(Descriptor)
  }
}

/// How a process ended.
package enum ProcessEnding: Hashable, Sendable, CustomStringConvertible {
  /// It ended by itself with this status, 0 to 255.
  case exited(Int)
  /// This signal ended it.
  case killed(signal: Int)

  /// True for status 0.
  package var isSuccess: Bool { self == .exited(0) }

  /// "exit status 2" or "signal 9".
  package var description: String {
    switch self {
    case .exited(let status): "exit status \(status)"
    case .killed(let signal): "signal \(signal)"
    }
  }
}
