import Files
import LNoteFormat

/// The facts of one package put in relation: which page has which number, who uses which asset, what could stand in.
struct PackageView {
  let facts: PackageFacts
  /// The document, where it can decide about pages; nil where it must be repaired first.
  let document: DocumentRecord?
  /// The entries to number pages by: the document's, or what a damaged one still says.
  let entries: [PageEntry]
  /// Pages that the document lists more than once; `entries` and `document` hold them once.
  let doubled: [NoteID]
  /// Files and folders that iCloud keeps.
  let absent: Set<BytePath>
  private let numbers: [NoteID: Int]
  private let pageIndex: [NoteID: Int]
  private let assetIndex: [NoteID: Int]
  /// Who shows which asset, by page in the order of the document.
  private(set) var uses: [NoteID: [ImageUse]]
  /// Assets that only a temporary file, a deleted page or a journal of another version shows.
  private(set) var weakUses: Set<NoteID>

  init(_ facts: PackageFacts) {
    self.facts = facts
    absent = Set(facts.absent)
    let isForeign = facts.hasForeignDocument
    var trusted = facts.document.trusted
    if case .faulty(let mended) = facts.document.content { trusted = mended.filled(from: facts) }
    let listed = isForeign ? [] : trusted?.pages ?? PackageView.entries(of: facts.document)
    let entries = PackageView.once(listed, facts)
    self.entries = entries
    doubled = entries.count == listed.count ? [] : PackageView.doubled(listed)
    document = (isForeign ? nil : trusted).map { record in
      var record = record
      record.pages = entries
      return record
    }
    numbers = Dictionary(entries.enumerated().map { ($1.id, $0 + 1) }, uniquingKeysWith: { first, _ in first })
    pageIndex = Dictionary(
      facts.pages.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    assetIndex = Dictionary(
      facts.assets.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    (uses, weakUses) = PackageView.collectUses(facts, document: document, numbers: numbers)
    if !facts.journals.isEmpty { takeJournalImages() }
  }

  /// Notes that a page shows an image; among those of the asset it stands by the page's number.
  mutating func add(use: ImageUse) {
    var all = uses[use.image.asset] ?? []
    let number = use.page.number ?? Int.max
    all.insert(use, at: all.firstIndex { ($0.page.number ?? Int.max) > number } ?? all.count)
    uses[use.image.asset] = all
  }

  /// Notes that these assets must stay.
  mutating func add(weakUses assets: [NoteID]) { weakUses.formUnion(assets) }

  func page(_ id: NoteID) -> PageFacts? { pageIndex[id].map { facts.pages[$0] } }
  func asset(_ id: NoteID) -> AssetFacts? { assetIndex[id].map { facts.assets[$0] } }
  func entry(_ id: NoteID) -> PageEntry? { numbers[id].map { entries[$0 - 1] } }
  func place(_ id: NoteID) -> PagePlace { PagePlace(id: id, number: numbers[id]) }

  /// "Page 12 of 40", or the file for a page that is not listed.
  func name(ofPage id: NoteID) -> String {
    if let number = numbers[id] { return Sentences.page(number, of: entries.count) }
    return Sentences.pageFile(page(id)?.file.path ?? PackagePaths.page(id))
  }

  /// "page 3 of 40", or the identity of a page that is not listed.
  func name(ofContent id: NoteID) -> String {
    numbers[id].map { Sentences.page($0, of: entries.count).lowercasedFirst } ?? "a page that is not listed, \(id)"
  }

  /// True where the document has deleted this page in the version that stands there.
  func isDeleted(_ page: PageFacts) -> Bool {
    guard let document, numbers[page.id] == nil else { return false }
    guard let deleted = document.deleted.first(where: { $0.id == page.id }) else { return false }
    switch page.content {
    case .whole(let summary), .trailing(let summary, _): return summary.generation <= deleted.generation
    case .damaged: return (page.damagedGeneration ?? 0) <= deleted.generation
    case .glanced(let glance): return (glance.header?.generation ?? 0) <= deleted.generation
    default: return true
    }
  }

  /// The best whole copy of a page among the strays: the newest, then the fullest, then the first by name.
  func candidate(
    forPage id: NoteID, where isFit: (StrayFacts, PageSummary) -> Bool = { _, _ in true }
  ) -> (file: FileFacts, summary: PageSummary)? {
    var best: (file: FileFacts, summary: PageSummary)?
    for stray in facts.strays {
      guard case .page(let found, let summary) = stray.content, found == id, stray.name != .foreign,
        isFit(stray, summary)
      else { continue }
      if let best, (best.summary.generation, best.summary.elements) >= (summary.generation, summary.elements) {
        continue
      }
      best = (stray.file, summary)
    }
    return best
  }

  /// A stray, or an image that no page shows, whose bytes are those that this image was inserted with.
  func candidate(forAsset use: ImageUse) -> FileFacts? {
    let fits = { (content: AssetContent) in
      content.length == use.image.assetLength && content.digest == use.image.assetDigest
    }
    let stray = facts.strays.first { stray in
      guard case .bytes(let content) = stray.content, stray.name != .foreign else { return false }
      return fits(content)
    }
    if let stray { return stray.file }
    // What cannot be read may show it under the name that it has.
    if doubt != nil { return nil }
    return facts.assets.first { uses[$0.id] == nil && ($0.content.map(fits) ?? false) }?.file
  }

  /// The newest whole document among the strays; one of another identity does not count.
  var documentCandidate: (file: FileFacts, record: DocumentRecord)? {
    var best: (file: FileFacts, record: DocumentRecord)?
    for stray in facts.strays {
      guard case .document(let record) = stray.content, stray.name != .foreign else { continue }
      if let id = facts.folderID, id != record.id { continue }
      if let best, best.record.generation >= record.generation { continue }
      best = (stray.file, record)
    }
    return best
  }

  static func entries(of document: DocumentFacts) -> [PageEntry] {
    switch document.content {
    case .whole(let record), .unverified(let record), .mismatched(let record): record.pages
    case .faulty(let mended): mended.record.pages
    case .damaged(_, _, _, let salvaged), .zeros(let salvaged): salvaged.pages
    default: []
    }
  }

  private static func collectUses(
    _ facts: PackageFacts, document: DocumentRecord?, numbers: [NoteID: Int]
  ) -> ([NoteID: [ImageUse]], Set<NoteID>) {
    var uses: [NoteID: [ImageUse]] = [:]
    var weak: Set<NoteID> = []
    let ordered = facts.pages.sorted {
      (numbers[$0.id] ?? Int.max, $0.file.path) < (numbers[$1.id] ?? Int.max, $1.file.path)
    }
    let deleted = Dictionary(
      (document?.deleted ?? []).map { ($0.id, $0.generation) }, uniquingKeysWith: { max($0, $1) })
    for page in ordered {
      let (images, generation) = page.images
      let id = page.contentID
      let isGone = numbers[id] == nil && (deleted[id].map { generation <= $0 } ?? false)
      for image in images {
        if isGone {
          weak.insert(image.asset)
        } else {
          uses[image.asset, default: []].append(
            ImageUse(page: PagePlace(id: id, number: numbers[id]), image: image))
        }
      }
    }
    for stray in facts.strays {
      switch stray.content {
      case .page(_, let summary): weak.formUnion(summary.images.map(\.asset))
      case .damagedPage(_, let damage): weak.formUnion(damage.salvage.images.map(\.asset))
      default: break
      }
    }
    return (uses, weak)
  }
}

/// One image on one page.
struct ImageUse: Hashable, Sendable {
  let page: PagePlace
  let image: PlacedImage
}

extension PageFacts {
  /// The page that the content says it is; the one that the name says, where the content does not tell.
  var contentID: NoteID {
    switch content {
    case .misplaced(let id, _): id
    case .damaged(let damage): damage.foreign?.page ?? id
    default: id
    }
  }

  /// The images that are known to be on the page, and the generation, 0 where it is not known.
  var images: ([PlacedImage], generation: UInt64) {
    switch content {
    case .whole(let summary), .trailing(let summary, _): (summary.images, summary.generation)
    case .misplaced(_, let summary): (summary.images, summary.generation)
    case .damaged(let damage): (damage.salvage.images, damage.salvage.generation ?? 0)
    default: ([], 0)
    }
  }
}
