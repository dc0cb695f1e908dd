import Files
import LNoteFormat
import LNoteStore
import Rendering

/// What pictures of pages need beside the pages: kept while a run goes on whose pages are drawn.
struct PageMaterial {
  /// The bytes of each photo as they were inserted.
  private(set) var photos: [NoteID: [UInt8]] = [:]
  /// The size of each page.
  private(set) var canvases: [PageName: CanvasSize] = [:]

  mutating func note(_ command: StoreCommand) {
    switch command {
    case .insertImage(_, let placement, let jpeg): photos[placement.asset] = jpeg
    case .addPage(let page, let canvas, _): canvases[page] = canvas
    default: break
    }
  }
}

extension CaseRun {
  /// Draws the page that the failure is about, where pages are drawn and something failed.
  func drawPages() {
    guard let material, report.verdict == .failed, report.sweep == nil else { return }
    // A picture that cannot be made takes nothing from the verdict.
    report.views = try? pageViews(material)
  }

  /// The first page that is not as it should be; where each of them is, the first page, and words that say so.
  private func pageViews(_ material: PageMaterial) throws(HarnessError) -> PageViews? {
    var sound: PageViews?
    for document in ledger.documentIDs {
      guard let history = ledger.documents[document] else { continue }
      let content = try contentOnDisk(document)
      let owed = Judgement.wantedPages(history, content, isRepaired: hasRepaired)
      let others = (content?.state.pages ?? []).filter { !owed.contains($0) }
      for page in owed + others {
        let name = PageName(document: document, page: page)
        let view = try views(of: name, content, material)
        if let view, !view.isSound { return view.views }
        sound = sound ?? view?.views
      }
    }
    return sound
  }

  private func views(
    of page: PageName, _ content: DocumentContent?, _ material: PageMaterial
  ) throws(HarnessError) -> (views: PageViews, isSound: Bool)? {
    guard let history = ledger.pages[page] else { return nil }
    let entry = content?.pages.first { $0.id == page.page }
    let canvas = material.canvases[page] ?? CanvasSize(width: 0, height: 0)
    let owed = history.breaches.last?.owed ?? history.lastDurable
    guard let found = entry?.elements else {
      // What was never called durable need not be there.
      guard let owed else { return nil }
      let reason =
        content == nil
        ? "the document cannot be read" : entry == nil ? "the document does not list it" : "the page cannot be read"
      return (try views(of: page, history, owed: owed, unreadable: reason, canvas, material), false)
    }
    let isAllowed = history.breaches.isEmpty && history.allows(found, isRepaired: hasRepaired)
    var wanted = isAllowed ? found : owed ?? history.latest
    // The scenario may ask for more than was called durable.
    if isAllowed && asksForLatest { wanted = history.latest }
    let onDisk = try photos(of: found, in: page.document, on: disk.volume)
    var comparison = PageComparison(expected: wanted, found: found, canvas: canvas)
    comparison.broken = found.compactMap { element in
      guard case .image(let image) = element, onDisk[image.asset].map(image.shows) != true else { return nil }
      return image
    }
    let expected = PageViews.View(
      words: comparison.wordsOfExpected, jpeg: comparison.pictureOfExpected { material.photos[$0.asset] })
    let isSound = wanted == found && comparison.broken.isEmpty
    let shown =
      isSound
      ? PageViews.View(words: "the same: what is wrong does not show on a page", jpeg: nil)
      : PageViews.View(words: comparison.wordsOfFound, jpeg: comparison.pictureOfFound { onDisk[$0.asset] })
    return (PageViews(page: spelling(of: page), expected: expected, found: shown), isSound)
  }

  /// True where the line that convicts is about the newest content of a page, or an edit that was forgotten.
  private var asksForLatest: Bool {
    report.lines.first { !$0.holds }.map {
      $0.step.hasSuffix(" latest") || $0.result.contains(Self.forgottenEdit)
    } ?? false
  }

  /// A page that nobody can open, and what a repair makes of it.
  private func views(
    of page: PageName, _ history: History<[PageElement]>, owed: [PageElement], unreadable reason: String,
    _ canvas: CanvasSize, _ material: PageMaterial
  ) throws(HarnessError) -> PageViews {
    let copy = try looking { () throws(HarnessError) in try disk.copy() }
    _ = packageCheck(on: copy).repair(packages)
    let repaired = DocumentReading(volume: copy).content(of: page.document)?.pages.first { $0.id == page.page }?
      .elements
    // A repair may bring back more than was called durable.
    let isAllowed = repaired.map { history.allows($0, isRepaired: true) } ?? false
    let comparison = PageComparison(
      expected: isAllowed ? repaired ?? [] : owed, found: repaired ?? [], canvas: canvas)
    let expected = PageViews.View(
      words: comparison.wordsOfExpected, jpeg: comparison.pictureOfExpected { material.photos[$0.asset] })
    guard let repaired else {
      let words = "no picture: \(reason), and a repair does not bring it back"
      return PageViews(page: spelling(of: page), expected: expected, found: .init(words: words, jpeg: nil))
    }
    let onDisk = try photos(of: repaired, in: page.document, on: copy)
    return PageViews(
      page: spelling(of: page), expected: expected,
      found: .init(
        words: "\(reason); after a repair: \(comparison.wordsOfFound)",
        jpeg: comparison.pictureOfFound { onDisk[$0.asset] }))
  }

  /// The files of the photos on a page, as they are.
  private func photos(
    of elements: [PageElement], in document: NoteID, on volume: any Volume
  ) throws(HarnessError) -> [NoteID: [UInt8]] {
    try looking { () throws(HarnessError) in
      var photos: [NoteID: [UInt8]] = [:]
      for case .image(let image) in elements where photos[image.asset] == nil {
        let path = BytePath(PackageNames.package(document)).appending(PackageNames.asset(image.asset))
        photos[image.asset] = try? volume.readWhole(path, sizeMax: Self.photoBytesMax)
      }
      return photos
    }
  }

  /// A larger file is not drawn.
  private static var photoBytesMax: Int { JPEGMaker.sizeBytesMax }
}
