import Files
import LNoteFormat

/// One file that has the name of a page.
package struct PageFacts: Sendable {
  /// The identity in its name.
  package let id: NoteID
  /// The file.
  package let file: FileFacts
  /// What its bytes are; nil where they were not read.
  package let content: PageContent?

  /// What a whole page says of itself; nil for any other.
  package var whole: PageSummary? {
    if case .whole(let summary) = content { summary } else { nil }
  }

  /// True where what stands in the page's place is no file.
  var isInTheWay: Bool {
    switch file.obstacle {
    case .unexpectedType, .symbolicLink: true
    default: false
    }
  }

  /// True where every byte agrees, or only something behind the end is too much. Its references are all known.
  package var isReadable: Bool {
    switch content {
    case .whole, .trailing, .misplaced: true
    default: false
    }
  }
}

/// What the bytes of a page file are.
package enum PageContent: Sendable {
  /// Every byte agrees.
  case whole(PageSummary)
  /// A whole page with something behind its end.
  case trailing(PageSummary, extraBytes: UInt64)
  /// Every byte agrees, but it is the content of another page than the name says.
  case misplaced(NoteID, PageSummary)
  /// Not a single byte.
  case empty
  /// A version that this tool does not know.
  case unknownVersion(Int)
  /// Not what was saved.
  case damaged(PageDamage)
  /// The body was not read.
  case glanced(PageGlance)
}

/// What a whole page says of itself.
package struct PageSummary: Hashable, Sendable {
  /// Counts the bodies this page ever had.
  package var generation: UInt64
  /// How many elements it holds.
  package var elements: UInt64
  /// How many of them are strokes.
  package var strokes: UInt64
  /// How many are of a type that this version does not know.
  package var unknownElements: UInt64
  /// The size of its canvas.
  package var canvas: CanvasSize
  /// When it was made.
  package var created: Timestamp
  /// When it was last changed.
  package var modified: Timestamp
  /// The images it shows, in z-order.
  package var images: [PlacedImage]
  /// What no writer means in its strokes.
  package var odd = StrokeFindings()
  /// Elements that have the identity of an earlier one.
  package var doubles = ElementDoubles()
  /// The checksum in its header; nil for a page that stands in no file.
  package var headerChecksum: UInt32?
}

/// What is wrong with a page's bytes, and what can still be had of them.
package struct PageDamage: Sendable {
  /// What happened to them.
  package enum Kind: Hashable, Sendable {
    /// Header or elements do not agree with their checksums.
    case damaged
    /// The file ends before its last element.
    case truncated(missingBytes: UInt64)
    /// The elements are whole but not those that were saved.
    case elementsDiffer
    /// All there is wrong is that strokes say another number of points than they have.
    case sampleCounts
    /// All zeros, or a long run of zeros at a sector's start.
    case zeros
  }

  /// What happened.
  package var kind: Kind
  /// Where the first wrong byte was seen; nil where that cannot be said.
  package var offset: UInt64?
  /// What was seen there.
  package var evidence: String
  /// The header, where its checksum fits and it is this page's.
  package var header: PageHeader?
  /// What can be kept.
  package var salvage: SalvageSummary
  /// Elements that are whole and another page's; they are not taken for this one's.
  package var foreign: ForeignElements?
}

/// What a page file holds of another page.
package struct ForeignElements: Hashable, Sendable {
  /// The page, where anything tells it.
  package var page: NoteID?
  /// How many elements.
  package var count: UInt64
  /// The stroke among them that was cut.
  package var partial: CutStroke?
  /// That page's header, where its checksum fits.
  package var header: PageHeader?
}

/// What can be kept of a damaged page.
package struct SalvageSummary: Hashable, Sendable {
  /// Whole elements.
  package var elements: UInt64
  /// How many of them are strokes.
  package var strokes: UInt64
  /// The stroke that was cut: its whole points, and how many it had.
  package var partial: CutStroke?
  /// The generation, from the header or from two frames that agree on it; nil where neither tells.
  package var generation: UInt64?
  /// The images among the whole elements.
  package var images: [PlacedImage]
}

/// A stroke of which only the first points are left.
package struct CutStroke: Hashable, Sendable {
  /// The points that are left.
  package var samples: UInt64
  /// The points it had.
  package var samplesBefore: UInt64
}
