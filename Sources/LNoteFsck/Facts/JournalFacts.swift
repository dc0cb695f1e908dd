import Files
import LNoteFormat

/// One file that has the name of a journal.
package struct JournalFacts: Sendable {
  /// The page in its name.
  package let id: NoteID
  /// The file.
  package let file: FileFacts
  /// What its bytes are; nil where they were not read.
  package let content: JournalContent?

  /// True where changes may be in it that can be read, or nobody can say that there are none.
  var holdsChanges: Bool {
    guard let content else {
      // A folder, FIFO or device holds no changes. What a link leads to may.
      if case .unexpectedType = file.obstacle { return false }
      return true
    }
    if content.isGlanced { return content.bytes > UInt64(PageLimits.journalHeaderBytes) }
    switch content.condition {
    case .headerCut, .nulFilled: return false
    case .headerDamaged, .headerFault: return content.bytes > UInt64(PageLimits.journalHeaderBytes)
    case .versionUnknown, .limitExceeded: return true
    default: return content.changes + content.behind > 0 || content.endsInWholeFrame
    }
  }

  /// True where every byte of it was read and is understood: no change can be in it that is not known.
  var isReadWhole: Bool {
    guard let content, !content.isGlanced else { return false }
    return content.condition == .whole && content.unknownChanges == 0
  }
}

/// What the bytes of a journal are.
package struct JournalContent: Hashable, Sendable {
  /// What the file looks like.
  package var condition: JournalCondition
  /// How long it is.
  package var bytes: UInt64
  /// The header, where its checksum fits.
  package var header: JournalHeader?
  /// How many changes can be taken, from the first on.
  package var changes: UInt64
  /// How many more can be read behind damage.
  package var behind: UInt64
  /// How many of those that can be taken are of a type that this version does not know.
  package var unknownChanges: UInt64
  /// How many more elements there are, at the least and at the most, while the changes are taken.
  package var countChange: ClosedRange<Int64>
  /// The images that it brings.
  package var images: [PlacedImage]
  /// The first bad frame.
  package var damage: FrameDamage?
  /// Where the changes that can be taken end.
  package var goodEnd: UInt64
  /// True where the last frame is there at full length, and is bad without a lost sector.
  ///
  /// No crash leaves that.
  package var endsInWholeFrame: Bool
  /// What does not fit the page; nothing where that was not looked at.
  package var misfits = JournalMisfits()
  /// True where only the header was read.
  package var isGlanced = false
}

/// Changes of a journal that do not fit the page that they are made on.
package struct JournalMisfits: Hashable, Sendable {
  /// Elements that are put on the page and are on it already.
  package var doubled: UInt64 = 0
  /// Elements that go and are not there.
  package var absent: UInt64 = 0

  /// True where all of them fit.
  package var isNothing: Bool { doubled == 0 && absent == 0 }

  /// No changes, or all fit.
  init() {}

  /// Follows the changes on a page of these elements.
  init(_ changes: [JournalMark], on elements: [ElementMark]) {
    var present = Set(elements.compactMap(\.id))
    for change in changes {
      if let id = change.removes, present.remove(id) == nil { absent += 1 }
      if let id = change.adds, !present.insert(id).inserted { doubled += 1 }
    }
  }
}
