import Files
import LNoteFormat

/// How a journal stands to the page whose name it has.
enum JournalStanding {
  /// It was not read, or its header says nothing that can be used.
  case unknown
  /// It is another page's.
  case misnamed(NoteID)
  /// Its page was deleted after the last change.
  case deleted
  /// The page that is there is later: everything in it was put into the page.
  case stale
  /// There is no page.
  case withoutPage
  /// The page that is there is earlier.
  case future(found: UInt64)
  /// The page that is there has the number, and is another one.
  case otherTimeline
  /// Nobody can say which version of the page is there.
  case pageUnknown
  /// Its changes are made on the page that is there.
  case applies
}

extension PackageView {
  /// The journals of a page, under any spelling of its name.
  func journals(of id: NoteID) -> [JournalFacts] { facts.journals.filter { $0.id == id } }

  /// How a journal stands to its page.
  func standing(of journal: JournalFacts) -> JournalStanding {
    guard let header = journal.content?.header else { return .unknown }
    if header.page != journal.id { return .misnamed(header.page) }
    let page = page(journal.id)
    if entry(journal.id) == nil, page.map({ isDeleted($0) }) ?? true, let document,
      document.deleted.contains(where: { $0.id == journal.id && header.base <= $0.generation })
    {
      return .deleted
    }
    guard let page else {
      let isKnown = isListed(PackagePaths.pages) && !isAbsent(PackagePaths.page(journal.id))
      return isKnown ? .withoutPage : .pageUnknown
    }
    switch page.content {
    case .whole(let summary), .trailing(let summary, _):
      return PackageView.standing(of: header, to: summary.generation, summary.headerChecksum)
    case .damaged(let damage):
      guard let own = damage.header else { return .pageUnknown }
      return PackageView.standing(of: header, to: own.generation, own.checksum)
    case .glanced(let glance):
      guard let own = glance.header, own.id == journal.id else { return .pageUnknown }
      return PackageView.standing(of: header, to: own.generation, own.checksum)
    default: return .pageUnknown
    }
  }

  private static func standing(
    of header: JournalHeader, to generation: UInt64, _ checksum: UInt32?
  ) -> JournalStanding {
    if generation > header.base { return .stale }
    if generation < header.base { return .future(found: generation) }
    return checksum == header.baseChecksum ? .applies : .otherTimeline
  }

  /// The pages that have a journal with changes that are not known to be in the page.
  ///
  /// Whoever gave such a page a new generation would make them count as merged.
  var pagesWithUnmergedJournals: Set<NoteID> {
    var pages: Set<NoteID> = []
    for journal in facts.journals where journal.holdsChanges {
      switch standing(of: journal) {
      case .deleted, .stale: break
      default: pages.formUnion([journal.id, journal.content?.header?.page].compactMap(\.self))
      }
    }
    return pages
  }

  /// True where a page of this generation and header checksum is the one that all changes of its journals are made on.
  func fitsJournals(of id: NoteID, _ summary: PageSummary) -> Bool {
    !isAbsent(PackagePaths.journal(id))
      && journals(of: id).allSatisfy { journal in
        guard journal.holdsChanges else { return true }
        guard let header = journal.content?.header else { return false }
        return header.page == id && header.base == summary.generation
          && header.baseChecksum == summary.headerChecksum
      }
  }

  /// True where so many elements are those of the page with some of the changes in its journal.
  func isCountOfJournal(_ count: UInt64, _ summary: PageSummary, of id: NoteID) -> Bool {
    journals(of: id).contains { journal in
      guard let content = journal.content, case .applies = standing(of: journal) else { return false }
      return content.countChange.contains(Int64(clamping: count) - Int64(clamping: summary.elements))
    }
  }

  /// True where a journal may use images that nobody knows of.
  var hasUnreadJournal: Bool {
    facts.journals.contains { journal in
      switch standing(of: journal) {
      case .deleted, .stale: false
      case .applies: !journal.isReadWhole
      default: journal.holdsChanges || !journal.isReadWhole
      }
    }
  }

  /// The images that journals bring: those that a page shows with its journal, and others that must stay.
  mutating func takeJournalImages() {
    for journal in facts.journals {
      let images = journal.content?.images ?? []
      guard !images.isEmpty else { continue }
      if case .applies = standing(of: journal) {
        for image in images { add(use: ImageUse(page: place(journal.id), image: image)) }
      } else {
        add(weakUses: images.map(\.asset))
      }
    }
  }

  /// "The journal of page 12 of 40", or the file for that of a page that is not listed.
  func name(ofJournal journal: JournalFacts) -> String {
    place(journal.id).number.map { "The journal of \(Sentences.page($0, of: entries.count).lowercasedFirst)" }
      ?? "The journal \(journal.file.path)"
  }
}
