import Files
import Terminal

/// Journals in the user's words: a journal holds the newest changes of a page.
extension Sentences {
  /// "1 change that is", "5 changes that are".
  static func changes(_ count: UInt64) -> String {
    Figures.counted(Int(clamping: count), "change that is", "changes that are")
  }

  static let journalStays =
    "Nothing is changed: lnote-fsck cannot put the changes of a journal into a page. Keep a copy of the document as it "
    + "is, before the app opens it."

  static let journalHoldsNothing = "No change is in it that can be read."

  static let staleJournalStays =
    "It stays: the page is damaged or a loss of it is on record, and the journal may hold what is lost."

  static let pageWaitsForJournal =
    "The page is not repaired: its journal holds changes that are not in the page, and a new page file would make them "
    + "count as saved. Keep a copy of the document as it is, then open the page in the app, which puts them in, and "
    + "check again."

  static let lastChangeIsBad =
    "The last change is there at full length, but is not what was written: the disk may have changed it after it was "
    + "saved. A repair cuts it off and sets it aside."

  static func journalHolds(_ count: UInt64) -> String {
    "In it can be read: \(Figures.counted(Int(clamping: count), "change"))."
  }

  static func changesReadable(_ count: UInt64) -> String {
    count == 0
      ? "; nothing in it can be read" : "; \(Figures.counted(Int(clamping: count), "change")) in it can be read"
  }

  static func changesAround(_ before: UInt64, _ behind: UInt64) -> String {
    "\(Figures.grouped(Int(clamping: before))) before it and \(Figures.grouped(Int(clamping: behind))) behind it"
  }

  static func changesAroundStay(_ before: UInt64, _ behind: UInt64) -> String {
    "Whole changes stand behind it: \(changesAround(before, behind)). \(journalStays)"
  }

  static func journalCut(_ what: String, _ bytes: UInt64) -> String {
    bytes == 0
      ? "\(what) is empty (0 bytes)." : "\(what) is cut off before its first change: it has \(Sentences.bytes(bytes))."
  }

  static func journalOfZeros(_ what: String, _ bytes: UInt64) -> String {
    "\(what) holds nothing but zeros (\(Sentences.bytes(bytes))), as after a power loss."
  }

  static func journalBeginsWithZeros(_ what: String) -> String {
    "\(what) begins with zeros, where it should say which page it is of. The rest was not read."
  }

  static func journalOfDeletedPage(_ path: BytePath) -> String {
    "\(path) is the journal of a page that was deleted; its file is still there."
  }

  static func journalNotRead(_ what: String) -> String {
    "\(what) may hold changes that are not in the page itself yet. It was not read."
  }

  static func journalTailIsCut(_ bytes: UInt64) -> String {
    "No whole change follows: a repair cuts off what stands there (\(Sentences.bytes(bytes))), and sets it aside."
  }

  static func misfits(_ misfits: JournalMisfits, unknown: UInt64) -> String {
    let parts: [(UInt64, String, String)] = [
      (misfits.doubled, "puts something on it that is there already", "put something on it that is there already"),
      (misfits.absent, "takes something from it that is not there", "take something from it that is not there"),
      (unknown, "is of a kind that this version does not know", "are of a kind that this version does not know"),
    ]
    return list(
      parts.filter { $0.0 > 0 }.map { count, one, several in
        "\(Figures.grouped(Int(clamping: count))) \(count == 1 ? one : several)"
      })
  }
}
