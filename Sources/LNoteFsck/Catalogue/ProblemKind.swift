/// A kind of problem: one row of the catalogue, from which text, page, help and tests come.
///
/// Codes never change and are never reused; the words of a row may change.
package struct ProblemKind: Hashable, Sendable {
  /// "LN" and four digits; the first digit is the group.
  package let code: String
  /// The name in lower case with hyphens, as scenarios and JSON write it.
  package let name: String
  /// How serious a finding of this kind is, unless the finding says otherwise.
  package let severity: Severity
  /// Who may order its repair, unless the finding says otherwise.
  package let repairClass: RepairClass
  /// What holds in a sound document, in one sentence.
  package let rule: String
  /// The finding in the user's words, with {slots}.
  package let message: String
  /// What usually brings it about.
  package let cause: String
  /// What a repair does.
  package let repair: String
  /// What may be lost.
  package let loss: String
  /// How the repair is taken back.
  package let undo: String

  /// A row of the catalogue.
  init(
    _ code: String, _ name: String, _ severity: Severity, _ repairClass: RepairClass, rule: String, message: String,
    cause: String, repair: String, loss: String = Self.nothingLost, undo: String = Self.undoByMoving
  ) {
    self.code = code
    self.name = name
    self.severity = severity
    self.repairClass = repairClass
    self.rule = rule
    self.message = message
    self.cause = cause
    self.repair = repair
    self.loss = loss
    self.undo = undo
  }

  static let nothingLost = "Nothing."
  static let undoByMoving =
    "lnote-fsck --undo DOCUMENT puts back what was set aside, byte for byte."
  static let nothingToUndo = "Nothing is changed, so there is nothing to take back."
  static let noRepair = "None; it is only reported."

  /// Kinds are told apart by their codes.
  package static func == (left: ProblemKind, right: ProblemKind) -> Bool { left.code == right.code }
  /// By the code.
  package func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

/// How serious a finding is.
package enum Severity: String, CaseIterable, Comparable, Sendable {
  /// Worth knowing; the document is sound.
  case info
  /// Something to look at; no content is in danger.
  case warning
  /// Content is damaged, missing or cannot be reached.
  case error
  /// The document cannot be interpreted.
  case fatal

  /// Order of weight, info first.
  package static func < (left: Severity, right: Severity) -> Bool {
    Severity.order(left) < Severity.order(right)
  }

  private static func order(_ severity: Severity) -> Int {
    switch severity {
    case .info: 0
    case .warning: 1
    case .error: 2
    case .fatal: 3
    }
  }

  /// The catalogue's letter: I, W, E or F.
  package var letter: String {
    switch self {
    case .info: "I"
    case .warning: "W"
    case .error: "E"
    case .fatal: "F"
    }
  }
}

/// Who may order the repair of a finding.
package enum RepairClass: String, CaseIterable, Sendable {
  /// `-p` and `-y`: derived data, or a move whose outcome is unique and can be taken back.
  case automatic
  /// `-y` only: the user must agree.
  case consent
  /// Never: reported only.
  case report
  /// Never: the trouble is not in the document, and the whole document is left alone (exit status 8).
  case operational

  /// The catalogue's letter: P, Y, N or O.
  package var letter: String {
    switch self {
    case .automatic: "P"
    case .consent: "Y"
    case .report: "N"
    case .operational: "O"
    }
  }
}
