import Files

/// What came of looking at a state.
package enum Verdict: Hashable, Sendable {
  /// It is as it may be.
  case good
  /// It is not; how the check said so, as "exit status 1".
  case failing(String)
  /// It cannot be known, for this reason.
  case unknown(String)
}

/// What a check, or the comparison that stands in for one, says of a state.
package struct Outcome: Hashable, Sendable {
  /// Good, failing or unknown.
  package let verdict: Verdict
  /// What it said, the first bytes of it.
  package let output: [UInt8]
  /// True where the check is known to have written in the folder.
  package var hasWritten = false

  /// An outcome.
  package init(_ verdict: Verdict, output: [UInt8] = []) {
    self.verdict = verdict
    self.output = output
  }

  /// The first line of what it said that is not blank.
  package var firstLine: String {
    let lines = output.split(separator: UInt8(ascii: "\n"))
    let line = lines.first { line in line.contains { $0 > UInt8(ascii: " ") } }
    return printedText(line ?? [])
  }

  /// What it said, as text.
  package var text: String { printedText(output) }

  /// False for failing and unknown.
  package var isGood: Bool { verdict == .good }
  /// True for failing.
  package var isFailing: Bool { if case .failing = verdict { true } else { false } }
}

/// What a program printed. A replacement character stands for what is no text.
///
/// That is bytes that are no UTF-8, and zero bytes: JSON could write them, but many readers take none, ours among them.
package func printedText(_ bytes: some Collection<UInt8>) -> String {
  String(decoding: bytes.map { $0 == 0 ? UInt8.max : $0 }, as: UTF8.self)
}
