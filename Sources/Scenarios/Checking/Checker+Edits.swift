extension Checker {
  /// How large a picture may be, in bytes.
  static let imageBytes: ClosedRange<UInt64> = 1024...(64 << 20)
  static let imageBytesDefault: UInt64 = 256 << 10
  /// Where strokes may be, in tenths of a point.
  static let coordinates: ClosedRange<Int32> = -1_000_000...1_000_000
  static let widths: ClosedRange<Int32> = 1...1000
  static let widthDefault: Int32 = 20

  mutating func edit(_ step: Step) throws(Diagnostic) -> StepAction {
    switch step.action {
    case .stroke(let stroke): return .stroke(try self.stroke(stroke))
    case .insertImage(let image): return .insertImage(try self.image(image))
    case .erase(let target, let last): return .erase(try erase(target, last))
    case .move(let target, let dx, let dy):
      let moved = try elements(target)
      let x = try environment.deciPoints(dx, "the distance", in: Checker.coordinates)
      let y = try environment.deciPoints(dy, "the distance", in: Checker.coordinates)
      return .moveElements(moved, dxDeciPoints: x, dyDeciPoints: y)
    case .delete(let target): return .deleteElement(try delete(target))
    case .undo(let count, let name):
      let document = try document(name, step.place) { "undo in \($0)" }
      return .undo(document: document.value, count: try times(count))
    case .redo(let count, let name):
      let document = try document(name, step.place) { "redo in \($0)" }
      return .redo(document: document.value, count: try times(count))
    case .title(let text, let name):
      let document = try document(name, step.place) { "title … in \($0)" }
      return .title(document: document.value, title: text)
    default: return try editPages(step)
    }
  }

  /// How many changes are taken back, or made again.
  private func times(_ count: NumberSyntax?) throws(Diagnostic) -> Int {
    try count.map { (number) throws(Diagnostic) in
      try environment.whole(number, "the number of changes", in: 1...1000)
    } ?? 1
  }

  func page(_ reference: Reference) throws(Diagnostic) -> PageReference {
    let name = try environment.names(of: reference)
    return try names.page(name.first, name.second, at: reference.place)
  }

  // MARK: Elements

  private mutating func stroke(_ syntax: StrokeSyntax) throws(Diagnostic) -> StrokeStep {
    let page = try page(syntax.page)
    let points = try syntax.points.map { (number) throws(Diagnostic) in
      try environment.whole(number, "the number of points", in: 1...Checker.pointsMax)
    }
    let width = try syntax.width.map { (number) throws(Diagnostic) in
      try environment.deciPoints(number, "the width", in: Checker.widths)
    }
    var origin: CanvasPoint?
    if let place = syntax.origin {
      origin = CanvasPoint(
        x: try environment.deciPoints(place.x, "the place", in: Checker.coordinates),
        y: try environment.deciPoints(place.y, "the place", in: Checker.coordinates))
    }
    let pen = try syntax.pen.map { (word) throws(Diagnostic) in try Checker.pen(word) } ?? .ballpoint
    let element = try newElement(on: page, syntax.name, isImage: false)
    return StrokeStep(
      stroke: element, points: points ?? Checker.pointsDefault, pen: pen,
      widthDeciPoints: UInt16(width ?? Checker.widthDefault), origin: origin)
  }

  private static func pen(_ word: Word) throws(Diagnostic) -> StrokeStep.Pen {
    guard let pen = StrokeStep.Pen(rawValue: word.value) else {
      let known = StrokeStep.Pen.allCases.map(\.rawValue)
      let near = Spelling.suggestion(for: word.value, among: known)
      let list = near.isEmpty ? "; \(NameTable.list("pens", known))" : near
      throw Diagnostic(.error, word.place, "unknown pen '\(word.value)'\(list)")
    }
    return pen
  }

  private mutating func image(_ syntax: ImageSyntax) throws(Diagnostic) -> ImageStep {
    let page = try page(syntax.page)
    if let file = syntax.file {
      if let size = syntax.size {
        throw Diagnostic(.error, size.place, "a file has its own size - leave 'size' or 'file' out")
      }
      let jpeg = try picture(file)
      let image = try newElement(on: page, syntax.name, isImage: true)
      return ImageStep(image: image, sizeBytes: jpeg.count, jpeg: jpeg)
    }
    var bytes = Checker.imageBytesDefault
    if let size = syntax.size {
      bytes = try environment.size(size, "the picture's size")
      guard Checker.imageBytes.contains(bytes) else {
        throw Diagnostic(.error, size.place, "a picture has 1KiB to 64MiB")
      }
    }
    return ImageStep(image: try newElement(on: page, syntax.name, isImage: true), sizeBytes: Int(bytes))
  }

  /// The bytes of a picture that stands in a file beside the scenario.
  private mutating func picture(_ name: Word) throws(Diagnostic) -> [UInt8] {
    let path = sources.path(of: name)
    if let known = pictures[path] { return known }
    switch sources.files.read(path, Int(Checker.imageBytes.upperBound)) {
    case .failure(let refusal):
      throw Diagnostic(.error, name.place, "the picture '\(name.value)' cannot be read: \(refusal.reason)")
    case .success(let bytes):
      guard bytes.starts(with: [0xFF, 0xD8, 0xFF]) else {
        throw Diagnostic(.error, name.place, "'\(name.value)' is no JPEG picture")
      }
      pictures[path] = bytes
      return bytes
    }
  }

  private mutating func newElement(
    on page: PageReference, _ name: Word?, isImage: Bool
  ) throws(Diagnostic) -> ElementReference {
    if let name, names.isPage(name.value, nil) {
      throw Diagnostic(.error, name.place, "'\(name.value)' is a page - choose another name")
    }
    let key = name?.value ?? "unnamed"
    let element = ElementReference(
      page: page, element: names.identity("element", key), asset: isImage ? names.identity("asset", key) : nil,
      name: name?.value)
    names.name(element)
    if isImage { made.add(element) }
    return element
  }

  private func erase(_ reference: Reference, _ last: NumberSyntax?) throws(Diagnostic) -> EraseTarget {
    let name = try environment.names(of: reference)
    if names.isPage(name.first, name.second) {
      let count = try last.map { (number) throws(Diagnostic) in
        try environment.whole(number, "the number of strokes", in: 1...Checker.strokesMax)
      }
      return .newestStrokes(try page(reference), count ?? 1)
    }
    let element = try element(reference)
    if let last { throw Diagnostic(.error, last.place, "'last' is for pages: erase p1 last 2") }
    if element.asset != nil {
      throw Diagnostic(
        .error, reference.place, "'\(name.first)' is an image; only strokes can be erased - write 'delete'")
    }
    return .stroke(element)
  }

  private func elements(_ reference: Reference) throws(Diagnostic) -> ElementTarget {
    let name = try environment.names(of: reference)
    return names.isPage(name.first, name.second) ? .page(try page(reference)) : .element(try element(reference))
  }

  private mutating func delete(_ reference: Reference) throws(Diagnostic) -> ElementReference {
    let name = try environment.names(of: reference)
    if names.isPage(name.first, name.second) {
      throw Diagnostic(.error, reference.place, "'\(name.first)' is a page - did you mean 'delete page'?")
    }
    let element = try element(reference)
    names.elements[name.first] = nil
    names.deletedElements.insert(name.first)
    return element
  }

  func element(_ reference: Reference) throws(Diagnostic) -> ElementReference {
    let name = try environment.names(of: reference)
    if let second = name.second {
      throw Diagnostic(.error, reference.place, "strokes and images are called by one name, without '.\(second)'")
    }
    return try names.element(name.first, at: reference.place)
  }

  // MARK: Pages

  private mutating func editPages(_ step: Step) throws(Diagnostic) -> StepAction {
    switch step.action {
    case .addPage(let name, let canvas, let at):
      let (first, second) = try environment.names(of: name)
      let pageName = second ?? first
      let document =
        second == nil
        ? try onlyDocument(step.place) { "add page \($0).\(first)" } : try names.document(first, at: name.place)
      if document.pages.contains(where: { $0.pageName == pageName }) || names.elements[pageName] != nil {
        throw Diagnostic(.error, name.place, "'\(pageName)' exists already - choose another name")
      }
      let index = try at.map { (number) throws(Diagnostic) in
        try environment.whole(number, "the page's place, counted from 0,", in: 0...document.pages.count)
      }
      let page = newPage(pageName, in: document.value, isOneOfSeveral: names.documents.count > 1)
      try names.add(page, at: index)
      return .addPage(Checker.page(page, canvas), at: index)
    case .deletePage(let reference):
      let page = try page(reference)
      names.remove(page)
      return .deletePage(page)
    case .movePage(let reference, let to):
      let page = try page(reference)
      let count = names.documents.first { $0.value.name == page.documentName }?.pages.count ?? 1
      let index = try environment.whole(to, "the page's place, counted from 0,", in: 0...max(count - 1, 0))
      return .movePage(page, to: index)
    default: preconditionFailure("a step that no part of the checker knows, in line \(step.place.line)")
    }
  }

  /// The document that a step names, or the only one where it names none.
  private func document(
    _ reference: Reference?, _ place: SourcePlace, _ example: (String) -> String
  ) throws(Diagnostic) -> NameTable.Document {
    guard let reference else { return try onlyDocument(place, example) }
    let name = try environment.names(of: reference)
    if let second = name.second {
      throw Diagnostic(.error, reference.place, "a document is called by one name, without '.\(second)'")
    }
    return try names.document(name.first, at: reference.place)
  }

  /// `example` writes the step for a document of this name.
  private func onlyDocument(
    _ place: SourcePlace, _ example: (String) -> String
  ) throws(Diagnostic) -> NameTable.Document {
    guard let document = names.documents.first else {
      throw Diagnostic(.error, place, "there is no document; write 'document \"Trip\" { page p1 }' at the top")
    }
    guard names.documents.count == 1 else {
      throw Diagnostic(.error, place, "there are several documents - write '\(example(document.value.name))'")
    }
    return document
  }
}
