/// What a journal turned out to be. The first that applies is told; `JournalVerdict` holds the evidence.
package enum JournalCondition: Hashable, Sendable {
  /// A header, and frames that are numbered from 1 on, up to the file's end.
  case whole
  /// Fewer bytes than a header has.
  case headerCut
  /// Nothing but zero bytes.
  case nulFilled
  /// A journal of another format version.
  case versionUnknown(UInt16)
  /// The header's magic or checksum does not fit.
  case headerDamaged
  /// A header that checks out but holds what no writer of format 1 writes.
  case headerFault(HeaderFault)
  /// More than is read: a matter of resources, no damage.
  case limitExceeded(PageLimit)
  /// Zeros follow the last good frame, and nothing else.
  case zeroTail(bytes: Int)
  /// What follows the last good frame is none, and no good frame follows it.
  case tornTail(bytes: Int)
  /// A frame is bad or out of its order, and good ones follow.
  case damagedInside
}

/// What was found out about a journal without building its elements.
package struct JournalVerdict: Hashable, Sendable {
  /// What the file is.
  package var condition: JournalCondition
  /// The file's size in bytes.
  package var size: Int
  /// The header, where its checksum fits.
  package var header: JournalHeader?
  /// The run of good frames from the first on, which a reader takes.
  package var changes: [JournalMark] = []
  /// Good frames behind the first bad one, or behind a damaged header.
  package var behind: [JournalMark] = []
  /// The images that all of these bring.
  package var images: [PlacedImage] = []
  /// The first bad frame.
  package var damage: FrameDamage?

  /// A verdict on a file of this size.
  package init(_ condition: JournalCondition, size: Int) {
    self.condition = condition
    self.size = size
  }

  /// Where the run of good frames ends: what stands there is kept when a tail is cut.
  package var goodEnd: Int { changes.last?.end ?? PageLimits.journalHeaderBytes }
}

/// A journal with what its changes bring.
package struct JournalReading: Hashable, Sendable {
  /// What the file is.
  package let verdict: JournalVerdict
  /// The run of changes from the first on.
  package let changes: [JournalChange]
  /// Those behind damage.
  package let behind: [JournalChange]
}
