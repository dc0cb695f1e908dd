import LNoteFormat

/// What a search of raw bytes came to.
package struct CarveReport: Sendable {
  /// A document that was written.
  struct Item: Sendable {
    var title: String
    var id: NoteID
    /// True where it was made for pages that no document lists.
    var isMadeUp: Bool
    var pagesWhole = 0
    var pagesInPart = 0
    var pagesMissing = 0
    var pagesOlder = 0
    var elements: UInt64 = 0
    var images = 0
    var imagesMissing = 0
    var loss = ContentLoss()
    /// What the check of what was written finds besides the losses.
    var codes: [String] = []

    var pages: Int { pagesWhole + pagesInPart + pagesMissing }
    var isWhole: Bool {
      pagesInPart + pagesMissing + pagesOlder + imagesMissing == 0 && codes.isEmpty && loss.isNothing
    }
  }

  /// What was searched, as the user wrote it.
  package let arguments: [String]
  /// Where the documents went, as the user wrote it.
  package let target: String
  var files = 0
  var bytes: UInt64 = 0
  var items: [Item] = []
  /// Versions of documents that a newer one was found of.
  var olderDocuments = 0
  var recordsDamaged = 0
  /// Documents that were found and could not be written.
  var documentsUnwritten = 0
  var failures: [String] = []
  var bytesUnread: UInt64 = 0
  var isIncomplete = false
  private(set) var errors: [String] = []
  private var extraExit: FsckExit = []

  /// A search that has not begun.
  package init(arguments: [String], target: String) {
    self.arguments = arguments
    self.target = target
  }

  /// Adds what keeps the search from its end.
  package mutating func fail(_ message: String, _ exit: FsckExit) {
    errors.append(message)
    extraExit.formUnion(exit)
  }

  /// The status of the run: 0 where everything that was found is whole.
  ///
  /// 4 where something is missing, 8 where nothing was found or not everything could be read.
  package var exit: FsckExit {
    var exit = extraExit
    if items.contains(where: { !$0.isWhole }) || recordsDamaged > 0 { exit.formUnion(.errorsLeft) }
    if !failures.isEmpty || bytesUnread > 0 || isIncomplete || (items.isEmpty && errors.isEmpty) {
      exit.formUnion(.operational)
    }
    return exit
  }
}
