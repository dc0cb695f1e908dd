import Files
import LNoteFormat

/// One finding: which kind, where, how serious, and what a repair would do about it.
package struct Problem: Sendable {
  /// The row of the catalogue.
  package var kind: ProblemKind
  /// How serious this finding is.
  package var severity: Severity
  /// Who may order its repair.
  package var repairClass: RepairClass
  /// The file it is about, relative to the package; nil for the package itself.
  package var path: BytePath?
  /// The page it is about, where it is about one.
  package var page: PagePlace?
  /// All pages that it is about, where one finding tells of several.
  package var pages: [PagePlace] = []
  /// The asset it is about, where it is about one.
  package var asset: NoteID?
  /// Where in the file; nil where that cannot be said.
  package var offset: UInt64?
  /// What was seen, for whoever looks into it.
  package var evidence: String
  /// The words for the slots of the kind's message.
  package var slots: [String: String]
  /// A sentence that takes the message's place; nil for the kind's own.
  package var statement: String?
  /// True where the statement says what is wrong and what to do, so that the kind's cause would mislead.
  var saysAll = false
  /// Further sentences, each on lines of its own.
  package var details: [String]
  /// What a repair would keep of a damaged page.
  package var recovered: SalvageSummary?
  /// What would be lost.
  package var loss = ContentLoss()
  /// What a repair would do; nil where there is none.
  package var action: RepairAction?

  init(
    _ kind: ProblemKind, severity: Severity? = nil, repairClass: RepairClass? = nil, path: BytePath? = nil,
    page: PagePlace? = nil, asset: NoteID? = nil, offset: UInt64? = nil, evidence: String = "",
    slots: [String: String] = [:], details: [String] = [], action: RepairAction? = nil
  ) {
    self.kind = kind
    self.severity = severity ?? kind.severity
    self.repairClass = repairClass ?? kind.repairClass
    self.path = path
    self.page = page
    self.asset = asset
    self.offset = offset
    self.evidence = evidence
    self.slots = slots
    self.details = details
    self.action = action
  }

  /// Under `--as-is` nothing takes the place of what is not here, and nothing is recorded as lost.
  mutating func keepsItsPlace() {
    action = nil
    repairClass = .report
    loss = ContentLoss()
    details.append(Sentences.keepsItsPlace)
  }

  /// A file that takes a place that is free is a matter of course, where its kind is; what gives way to it is not.
  mutating func isAlone(_ isAlone: Bool) {
    switch kind {
    case .temporaryIsOnlyGoodCopy: repairClass = isAlone ? .automatic : .consent
    case .caseVariant where !isAlone: (severity, repairClass) = (.error, .consent)
    case .conflictCopyDiffers:
      statement = Sentences.onlyWholeCopy(slots["file"] ?? "", of: slots["target"] ?? "")
    default: break
    }
  }

  /// The kind's message with its slots filled.
  package var message: String { statement ?? Sentences.filled(kind.message, with: slots) }
}

/// A page as the user knows it.
package struct PagePlace: Hashable, Sendable {
  /// Its identity.
  package var id: NoteID
  /// Its place in the document, from 1; nil for a page that the document does not list.
  package var number: Int?
}

/// Content that is known to be missing: what the evidence says was there.
package struct ContentLoss: Hashable, Sendable {
  /// Elements that are missing or lost their picture.
  package var elements: UInt64 = 0
  /// Points of strokes that were kept in part.
  package var samples: UInt64 = 0
  /// True where the number is only the least that is missing.
  package var isAtLeast = false

  /// Both.
  static func += (left: inout ContentLoss, right: ContentLoss) {
    left.elements += right.elements
    left.samples += right.samples
    left.isAtLeast = left.isAtLeast || right.isAtLeast
  }

  /// True where nothing is known to be missing.
  package var isNothing: Bool { elements == 0 && samples == 0 && !isAtLeast }
}
