import Files
import LNoteFormat
import Rendering
import Terminal

/// The pages of a package as they can be drawn: what can be read of each, and in words what cannot. Writes nothing.
struct PackagePages {
  /// The package's title; nil where nothing tells it.
  let title: String?
  /// When the document was last changed; nil where nothing tells it.
  let modified: Timestamp?
  /// The pages in the order of the document, and behind them those that it does not list.
  let ids: [NoteID]

  private let view: PackageView
  private let problems: [Problem]
  private let unmerged: Set<NoteID>
  private let reader: SurveyReader

  /// Surveys the package; nil for one that cannot be.
  init?(_ package: BytePath, in volume: any Volume, progress: @escaping (Int) -> Void = { _ in }) {
    // Drawing needs no lock: a page that is saved meanwhile is the old one or the new one.
    let facts = PackageSurvey.facts(of: package, in: volume, holdsLock: true, memory: nil, progress: progress)
    if facts.refusal != nil { return nil }
    let view = PackageView(facts)
    self.view = view
    problems = Checks.problems(in: facts)
    unmerged = view.pagesWithUnmergedJournals
    reader = SurveyReader(volume: volume, package: package, progress: progress)
    title = facts.title
    modified = view.document?.modified ?? facts.manifest.record?.modified
    let others = facts.pages.filter { view.entry($0.id) == nil && !view.isDeleted($0) }
    ids = view.entries.map(\.id) + others.map(\.id)
  }

  /// The pages that are damaged or missing, or show an image that is.
  var damaged: [NoteID] {
    let errors = problems.filter { $0.severity >= .error && $0.repairClass != .operational }
    let pages = Set(errors.compactMap(\.page?.id))
    let assets = Set(errors.compactMap(\.asset))
    return ids.filter { id in
      pages.contains(id) || (view.page(id)?.images.0.contains { assets.contains($0.asset) } ?? false)
    }
  }

  /// True where the page's journal holds changes that no picture of the page shows.
  func hasUnmergedJournal(_ id: NoteID) -> Bool { unmerged.contains(id) }

  /// The page as the user knows it.
  func place(_ id: NoteID) -> PagePlace { view.place(id) }

  /// The page with everything of it that can be read, and what whoever looks at it must know.
  func scene(_ id: NoteID) -> PageScene {
    let (canvas, elements) = content(id)
    return PageScene(canvas: canvas, elements: elements, notices: notices(id).map(PackagePages.plain))
  }

  /// One empty page, for a document of which no page is there.
  var emptyScene: PageScene {
    let words = documentNotices + ["No page of this document is there."]
    return PageScene(
      canvas: CanvasSize(width: 8340, height: 11_940), elements: [], notices: words.map(PackagePages.plain))
  }

  /// The bytes of the picture that an image shows; nil where they are not there or not what was inserted.
  func asset(_ image: PlacedImage) -> [UInt8]? {
    guard let asset = view.asset(image.asset), asset.content?.length == image.assetLength else { return nil }
    let bytes = reader.bytes(of: asset.file.path, bytesMax: SurveyLimits.assetBytesMax)
    return bytes.flatMap { image.shows($0) ? $0 : nil }
  }

  /// The file of the page's thumbnail, where one stands there.
  func thumbnail(_ id: NoteID) -> [UInt8]? {
    guard let thumbnail = view.facts.thumbnails.first(where: { $0.id == id }) else { return nil }
    return reader.bytes(of: thumbnail.file.path, bytesMax: SurveyLimits.thumbnailBytesMax)
  }

  private func content(_ id: NoteID) -> (CanvasSize, [PageElement]) {
    let entry = view.entry(id)
    let canvas = entry?.canvas ?? CanvasSize(width: 0, height: 0)
    guard let path = view.page(id)?.file.path else { return (canvas, []) }
    guard let bytes = reader.bytes(of: path, bytesMax: SurveyLimits.pageBytesMax) else { return (canvas, []) }
    if let snapshot = PageReader.read(bytes, expecting: id).snapshot { return (snapshot.canvas, snapshot.elements) }
    let salvaged = PageSalvage.salvage(bytes, expecting: id, generationHint: entry?.generation).own(of: id)
    return (salvaged.header?.canvas ?? canvas, salvaged.elementsWithPartial)
  }

  // MARK: Words

  private func notices(_ id: NoteID) -> [String] {
    var words = id == ids.first ? documentNotices : []
    let own = problems.filter { $0.page?.id == id && $0.severity > .info }
    words += own.map { ([$0.message] + $0.details).joined(separator: " ") }
    let images = Set(view.page(id)?.images.0.map(\.asset) ?? [])
    let missing = problems.filter { problem in
      problem.page?.id != id && problem.severity > .info && (problem.asset.map { images.contains($0) } ?? false)
    }
    words += missing.map(\.message)
    if hasUnmergedJournal(id) { words.append(Sentences.journalNotDrawn) }
    if own.isEmpty && view.page(id)?.isReadable != true { words.append("\(view.name(ofPage: id)) cannot be read.") }
    return words
  }

  /// What is wrong with the document as a whole.
  private var documentNotices: [String] {
    problems.filter { $0.page == nil && $0.asset == nil && $0.severity >= .error }.map(\.message)
  }

  /// As the letters of the drawing allow it.
  private static func plain(_ text: String) -> String {
    String(printable(text).unicodeScalars.map { $0.isASCII ? Character($0) : "?" })
  }
}

extension SalvagedPage {
  /// The whole elements, and the cut stroke at its place among them.
  var elementsWithPartial: [PageElement] {
    guard let partial else { return elements }
    var all = elements
    all.insert(.stroke(partial.stroke), at: min(marks.count { $0.offset < partial.offset }, all.count))
    return all
  }
}
