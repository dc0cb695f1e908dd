/// When output is coloured: the value of `--color`.
package enum ColourChoice: String, CaseIterable, Sendable {
  case auto
  case always
  case never

  /// Whether to colour.
  ///
  /// `always` and `never` win over everything. Else colour needs a terminal that is not "dumb" (or without a name),
  /// and an environment in which NO_COLOR is not set, or empty (https://no-color.org).
  package func colours(isTerminal: Bool, noColor: String?, term: String?) -> Bool {
    switch self {
    case .always: true
    case .never: false
    case .auto: isTerminal && (noColor ?? "").isEmpty && !["", "dumb"].contains(term ?? "")
    }
  }
}

/// Puts colour around text, or leaves it as it is.
package struct Paint: Sendable {
  /// False where text stays as it is.
  package let isOn: Bool

  /// A paint that is on or off.
  package init(isOn: Bool) { self.isOn = isOn }

  /// Strong.
  package func bold(_ text: String) -> String { painted(text, "1") }
  /// For what stands back.
  package func dim(_ text: String) -> String { painted(text, "2") }
  /// For damage and failure.
  package func red(_ text: String) -> String { painted(text, "31") }
  /// For what is whole or passed.
  package func green(_ text: String) -> String { painted(text, "32") }
  /// For warnings and the unknown.
  package func yellow(_ text: String) -> String { painted(text, "33") }

  private func painted(_ text: String, _ code: String) -> String {
    isOn && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
