import Terminal

/// Why the command ends without having done its work.
struct Refusal: Error {
  /// The exit status.
  let status: CInt
  private let text: String
  private let isLines: Bool

  /// A sentence that says what is wrong and what to do; it is made safe to print later.
  init(_ status: CInt, _ sentence: String) {
    self.status = status
    text = sentence
    isLines = false
  }

  /// Diagnostics that are lines already, ready to print.
  init(_ status: CInt, lines: String) {
    self.status = status
    text = lines
    isLines = true
  }

  /// What it says, ready to print.
  var lines: String { isLines ? text : printable(text) }

  /// Says it on standard error.
  func show() {
    if isLines { try? OutputStream.error.write(text) } else { complain(printable(text)) }
  }
}
