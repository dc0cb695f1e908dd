/// A scenario about another program: commands, and one sweep over every crash in the course of some.
package struct ExternalScenario: Sendable {
  /// A command for sh(1), and how it has to end.
  package struct Command: Hashable, Sendable {
    /// The line that it stands in.
    package let line: Int
    /// The command.
    package let text: String
    /// The exit status that is expected: that of the `expect exit` directly behind, else 0.
    package internal(set) var status = 0
  }

  /// Commands that are recorded, and those that judge what a crash in the course of them leaves.
  package struct Sweep: Sendable {
    /// How many states of a model are judged at the most; nil for what the explorer does by itself.
    package let atMost: Int?
    /// What is recorded.
    package let steps: [Command]
    /// What judges each state.
    package let check: [Command]
  }

  /// The title in its first line.
  package var title: String
  /// The program that it is about; nil where the file does not say.
  package var program: String?
  /// The persistence models; empty for those that the explorer takes by itself.
  package var models: [String] = []
  /// What is drawn where not all can be tried comes from this; nil where the file does not say.
  package var seed: UInt64?
  /// What goes before: it is durable when the sweep begins.
  package var setup: [Command] = []
  /// The sweep; nil for a scenario of commands alone.
  package var sweep: Sweep?

  /// Commands as one script.
  ///
  /// The first that does not end as it has to ends it, with a word to standard error.
  package static func script(_ commands: [Command]) -> String {
    commands.map { command in
      let words = ExternalScenario.quoted(command.text)
      let told = ExternalScenario.quoted("line \(command.line): exit status %s, expected \(command.status)\\n")
      return "sh -c \(words); got=$?; test $got -eq \(command.status) || { printf \(told) $got >&2; exit 1; }"
    }.joined(separator: "\n")
  }

  /// The text as one word of sh(1).
  private static func quoted(_ text: String) -> String { "'" + text.replacing("'", with: "'\\''") + "'" }
}
