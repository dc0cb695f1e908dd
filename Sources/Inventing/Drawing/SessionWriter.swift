import PropertyTesting

/// Makes up what somebody does with documents: each step is one that can be taken, as far as the pages are known.
struct SessionWriter {
  /// Where the app is.
  private enum Life {
    case drawing, inBackground
  }

  /// What is on a page, as far as steps have to know it.
  private struct Page {
    /// The place of its document.
    let document: Int
    let name: String
    var strokes: Int
    var images: [String] = []
  }

  private let source: ChoiceSource
  /// The documents, each with the lines of its pages.
  private(set) var documents: [InventedScenario.Document] = []
  /// How many changes can be taken back in each document, and made again.
  private var changes: [(done: Int, undone: Int)] = []
  /// All pages, document by document, those of one in its order.
  private var pages: [Page] = []
  private var life = Life.drawing
  private var pagesAdded = 0
  private var imagesMade = 0
  private var titles = 0

  /// A writer of steps for documents that are drawn first, with their pages.
  init(_ source: ChoiceSource) {
    self.source = source
    var more = source.many(1...InventedScenario.documentsMax, usually: 1.2, "document")
    while more.next() { addDocument() }
  }

  /// The pages that are there now.
  var pageNames: [String] { pages.map { spelling($0) } }
  /// The images that are there now.
  var imageNames: [String] { pages.flatMap(\.images) }

  /// True where steps have to say which document they are about.
  private var areSeveral: Bool { documents.count > 1 }

  /// "p1", or "diary.p1" where there are several documents.
  private func spelling(_ page: Page) -> String {
    areSeveral ? "\(InventedScenario.names[page.document].alias).\(page.name)" : page.name
  }

  private mutating func addDocument() {
    let document = documents.count
    documents.append(InventedScenario.Document())
    changes.append((0, 0))
    var more = source.many(1...3, usually: 1.5, "page")
    while more.next() {
      let name = "p\(more.count)"
      let strokes = source.pick([0, 1, 3, 12])
      var line = "page \(name)"
      if strokes > 0 { line += " strokes \(strokes) points \(source.pick([5, 20, 80]))" }
      documents[document].pages.append(line)
      pages.append(Page(document: document, name: name, strokes: strokes))
    }
  }

  /// What a step does. The order is that of simplicity, and never changes: a choice is the place in it.
  private enum Rule: Int, CaseIterable {
    case stroke, background, image, save, wait, erase, deleteImage, undo, redo, addPage, deletePage, movePage, move,
      title, foreground, reopen

    /// How often it is drawn.
    var weight: Int {
      switch self {
      case .stroke: 12
      case .background, .save: 4
      case .image, .wait, .erase: 3
      case .deleteImage, .undo, .addPage: 2
      case .redo, .deletePage, .movePage, .move, .title, .foreground, .reopen: 1
      }
    }
  }

  /// Steps, each in a span of its own, so that any of them can be left out.
  mutating func steps(_ count: ClosedRange<Int>, usually: Double) -> [String] {
    var lines: [String] = []
    var more = source.many(count, usually: usually, "step")
    var rejected = 0
    while more.next() {
      let rule = Rule.allCases[source.pick(weights: Rule.allCases.map(\.weight))]
      if let line = step(rule) {
        lines += line
      } else if rejected < 20 {
        rejected += 1
        more.reject()
      }
    }
    return lines
  }

  /// Ends a session so that everything is acknowledged: what was drawn before is owed from then on.
  mutating func settle() -> [String] {
    defer { life = .inBackground }
    return life == .drawing ? ["background"] : []
  }

  /// Closes and opens the document, so that nothing of it is in memory.
  mutating func openAgain() -> [String] {
    life = .drawing
    for document in changes.indices { changes[document] = (0, 0) }
    return ["close", "reopen"]
  }

  /// The lines of a step; nil where it cannot be taken now.
  private mutating func step(_ rule: Rule) -> [String]? {
    if life == .inBackground && rule != .foreground { return comeBack(then: rule) }
    switch rule {
    case .stroke: return stroke()
    case .background:
      life = .inBackground
      return ["background"]
    case .image: return insertImage()
    case .save: return ["wait until saved"]
    case .wait: return ["wait \(source.pick([100, 600]))ms"]
    case .erase:
      guard let place = place(where: { $0.strokes > 0 }) else { return nil }
      // What is rubbed out becomes two pieces.
      pages[place].strokes += 1
      noteChange(on: place)
      return ["erase \(spelling(pages[place])) last 1"]
    case .deleteImage: return deleteImage()
    case .undo: return undo()
    case .redo: return redo()
    case .addPage: return appendPage()
    case .deletePage: return deletePage()
    case .movePage: return movePage()
    case .move:
      guard let place = place(where: { $0.strokes > 0 }) else { return nil }
      noteChange(on: place)
      return ["move \(spelling(pages[place])) by \(source.int(in: 1...40)), 0"]
    case .title:
      guard let document = document(where: { _ in true }) else { return nil }
      titles += 1
      return ["title \"Title \(titles)\"\(inside(document))"]
    case .foreground: return nil
    case .reopen: return openAgain()
    }
  }

  /// Coming back is a step of its own where the app is away.
  private mutating func comeBack(then rule: Rule) -> [String]? {
    life = .drawing
    guard let lines = step(rule) else {
      life = .inBackground
      return nil
    }
    return ["foreground"] + lines
  }

  // MARK: What is about a whole document

  /// The only document, or one of several for which this holds.
  private func document(where isFit: (Int) -> Bool) -> Int? {
    if !areSeveral { return 0 }
    let fit = documents.indices.filter(isFit)
    return fit.isEmpty ? nil : source.pick(fit)
  }

  /// " in diary"; nothing where there is only one document.
  private func inside(_ document: Int) -> String {
    areSeveral ? " in \(InventedScenario.names[document].alias)" : ""
  }

  private mutating func noteChange(on place: Int) {
    let document = pages[place].document
    changes[document] = (changes[document].done + 1, 0)
  }

  private mutating func undo() -> [String]? {
    guard let document = document(where: { changes[$0].done > 0 }) else { return nil }
    changes[document] = (changes[document].done - 1, changes[document].undone + 1)
    return ["undo\(inside(document))"]
  }

  private mutating func redo() -> [String]? {
    guard let document = document(where: { changes[$0].done + changes[$0].undone > 0 }) else { return nil }
    // Something has to be taken back before.
    let isBoth = areSeveral && changes[document].undone == 0
    if !isBoth { changes[document] = (changes[document].done + 1, changes[document].undone - 1) }
    return (isBoth ? ["undo\(inside(document))"] : []) + ["redo\(inside(document))"]
  }

  private mutating func appendPage() -> [String]? {
    func count(_ document: Int) -> Int { pages.count { $0.document == document } }
    guard let document = document(where: { count($0) < 6 }), count(document) < 6 else { return nil }
    pagesAdded += 1
    let page = Page(document: document, name: "p\(documents[document].pages.count + pagesAdded)", strokes: 0)
    let last = pages.lastIndex { $0.document == document } ?? pages.count - 1
    pages.insert(page, at: last + 1)
    return ["add page \(spelling(page))"]
  }

  // MARK: What is about a page

  private func place(where isFit: (Page) -> Bool) -> Int? {
    let fit = pages.indices.filter { isFit(pages[$0]) }
    return fit.isEmpty ? nil : source.pick(fit)
  }

  private mutating func stroke() -> [String]? {
    guard let place = place(where: { _ in true }) else { return nil }
    pages[place].strokes += 1
    noteChange(on: place)
    return ["stroke \(spelling(pages[place])) points \(source.pick([5, 40, 400]))"]
  }

  private mutating func insertImage() -> [String]? {
    guard let place = place(where: { _ in true }) else { return nil }
    imagesMade += 1
    let name = "a\(imagesMade)"
    pages[place].images.append(name)
    noteChange(on: place)
    return ["insert-image \(spelling(pages[place])) size \(source.pick(["4KiB", "20KiB", "90KiB"])) as \(name)"]
  }

  private mutating func deleteImage() -> [String]? {
    guard let place = place(where: { !$0.images.isEmpty }) else { return nil }
    let name = pages[place].images.remove(at: source.int(in: 0...(pages[place].images.count - 1)))
    noteChange(on: place)
    return ["delete \(name)"]
  }

  /// The pages that share a document with others: each document keeps one.
  private var placesThatMayGo: [Int] {
    pages.indices.filter { place in
      pages.contains { $0.document == pages[place].document && $0.name != pages[place].name }
    }
  }

  private mutating func deletePage() -> [String]? {
    let places = placesThatMayGo
    if places.isEmpty { return nil }
    let page = pages[source.pick(places)]
    let line = "delete page \(spelling(page))"
    pages.removeAll { $0.document == page.document && $0.name == page.name }
    return [line]
  }

  private mutating func movePage() -> [String]? {
    let places = placesThatMayGo
    if places.isEmpty { return nil }
    let page = pages.remove(at: source.pick(places))
    let first = pages.firstIndex { $0.document == page.document } ?? 0
    let target = source.int(in: 0...pages.count { $0.document == page.document })
    pages.insert(page, at: first + target)
    return ["move page \(spelling(page)) to \(target)"]
  }
}
