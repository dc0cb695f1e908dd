import PropertyTesting

/// Makes up what somebody does with a document: each step is one that can be taken, as far as the pages are known.
struct SessionWriter {
  /// Where the app is.
  private enum Life {
    case drawing, inBackground
  }

  /// What is on a page, as far as steps have to know it.
  private struct Page {
    let name: String
    var strokes: Int
    var images: [String] = []
  }

  private let source: ChoiceSource
  private var pages: [Page] = []
  private var life = Life.drawing
  private var pagesMade = 0
  private var imagesMade = 0
  private var titles = 0
  private(set) var pageLines: [String] = []

  /// A writer of steps for a document whose pages are drawn first.
  init(_ source: ChoiceSource) {
    self.source = source
    var more = source.many(1...3, usually: 1.5, "page")
    while more.next() { addPage() }
  }

  /// The pages that are there now.
  var pageNames: [String] { pages.map(\.name) }
  /// The images that are there now.
  var imageNames: [String] { pages.flatMap(\.images) }

  private mutating func addPage() {
    pagesMade += 1
    let strokes = source.pick([0, 1, 3, 12])
    var line = "page p\(pagesMade)"
    if strokes > 0 { line += " strokes \(strokes) points \(source.pick([5, 20, 80]))" }
    pageLines.append(line)
    pages.append(Page(name: "p\(pagesMade)", strokes: strokes))
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
      return ["erase \(pages[place].name) last 1"]
    case .deleteImage: return deleteImage()
    case .undo: return ["undo"]
    case .redo: return ["redo"]
    case .addPage: return appendPage()
    case .deletePage: return deletePage()
    case .movePage:
      guard pages.count > 1 else { return nil }
      let page = pages.remove(at: source.int(in: 0...(pages.count - 1)))
      let target = source.int(in: 0...pages.count)
      pages.insert(page, at: target)
      return ["move page \(page.name) to \(target)"]
    case .move:
      guard let place = place(where: { $0.strokes > 0 }) else { return nil }
      return ["move \(pages[place].name) by \(source.int(in: 1...40)), 0"]
    case .title:
      titles += 1
      return ["title \"Title \(titles)\""]
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

  private func place(where isFit: (Page) -> Bool) -> Int? {
    let fit = pages.indices.filter { isFit(pages[$0]) }
    return fit.isEmpty ? nil : source.pick(fit)
  }

  private mutating func stroke() -> [String]? {
    guard let place = place(where: { _ in true }) else { return nil }
    pages[place].strokes += 1
    return ["stroke \(pages[place].name) points \(source.pick([5, 40, 400]))"]
  }

  private mutating func insertImage() -> [String]? {
    guard let place = place(where: { _ in true }) else { return nil }
    imagesMade += 1
    let name = "a\(imagesMade)"
    pages[place].images.append(name)
    return ["insert-image \(pages[place].name) size \(source.pick(["4KiB", "20KiB", "90KiB"])) as \(name)"]
  }

  private mutating func deleteImage() -> [String]? {
    guard let place = place(where: { !$0.images.isEmpty }) else { return nil }
    let name = pages[place].images.remove(at: source.int(in: 0...(pages[place].images.count - 1)))
    return ["delete \(name)"]
  }

  private mutating func appendPage() -> [String]? {
    guard pages.count < 6 else { return nil }
    pagesMade += 1
    pages.append(Page(name: "p\(pagesMade)", strokes: 0))
    return ["add page p\(pagesMade)"]
  }

  private mutating func deletePage() -> [String]? {
    guard pages.count > 1 else { return nil }
    let page = pages.remove(at: source.int(in: 0...(pages.count - 1)))
    return ["delete page \(page.name)"]
  }
}
