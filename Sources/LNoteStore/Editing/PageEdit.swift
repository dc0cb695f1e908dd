import LNoteFormat

/// One change of a page's elements, decided on values alone.
enum PageEdit {
  /// Puts an element on top.
  case add(PageElement)
  /// Puts pieces in a stroke's place.
  case erase(NoteID, pieces: [Stroke])
  /// Moves an element, in 0.1 pt.
  case move(NoteID, dx: Int32, dy: Int32)
  case delete(NoteID)
  /// Puts other elements in the place of some; what an undo or redo does.
  case splice(PageSplice)

  /// True where elements are added that no file of this document held before.
  var gains: Bool {
    switch self {
    case .add: true
    case .splice(let splice): splice.gains
    case .erase, .move, .delete: false
    }
  }

  /// True for what an undo or redo does.
  var isSplice: Bool { if case .splice = self { true } else { false } }

  /// True where something is taken away from the page.
  var loses: Bool {
    switch self {
    case .erase, .delete: true
    case .splice(let splice): splice.loses
    case .add, .move: false
    }
  }

  /// Changes the elements, or throws and leaves them as they are.
  func apply(to elements: inout [PageElement], fileBytes: inout Int) throws(StoreFailure) {
    switch self {
    case .add(let element):
      try PageEdit.check(element)
      try PageEdit.refuseTaken([element], in: elements, except: nil)
      try PageEdit.refuseTooLarge(fileBytes + element.frameBytes, elements.count + 1)
      fileBytes += element.frameBytes
      elements.append(element)
    case .erase(let id, let pieces):
      let place = try PageEdit.place(of: id, in: elements)
      guard case .stroke = elements[place] else {
        throw .invalid("Element \(id) is no stroke, so no part of it can be erased.")
      }
      let new = pieces.map { PageElement.stroke($0) }
      for piece in new { try PageEdit.check(piece) }
      try PageEdit.refuseTaken(new, in: elements, except: id)
      let bytes = fileBytes - elements[place].frameBytes + new.reduce(0) { $0 + $1.frameBytes }
      try PageEdit.refuseTooLarge(bytes, elements.count - 1 + new.count)
      fileBytes = bytes
      elements.replaceSubrange(place...place, with: new)
    case .move(let id, let dx, let dy):
      let place = try PageEdit.place(of: id, in: elements)
      elements[place] = try PageEdit.moved(elements[place], dx: dx, dy: dy)
    case .delete(let id):
      let place = try PageEdit.place(of: id, in: elements)
      fileBytes -= elements[place].frameBytes
      elements.remove(at: place)
    case .splice(let splice):
      let bytes = fileBytes + splice.frameBytesMore
      try PageEdit.refuseTooLarge(bytes, elements.count - splice.old.count + splice.new.count)
      fileBytes = bytes
      elements.replaceSubrange(splice.place..<(splice.place + splice.old.count), with: splice.new)
    }
  }

  /// What this edit does to these elements, as a splice: turned round, it takes the edit back.
  ///
  /// Nil where the edit is refused.
  func splice(in elements: [PageElement]) -> PageSplice? {
    let place: Int?
    let new: [PageElement]
    switch self {
    case .splice(let splice): return splice
    case .add(let element): return PageSplice(place: elements.count, old: [], new: [element])
    case .erase(let id, let pieces):
      place = elements.firstIndex { $0.id == id }
      new = pieces.map { .stroke($0) }
    case .move(let id, let dx, let dy):
      place = elements.firstIndex { $0.id == id }
      guard let place, let moved = try? PageEdit.moved(elements[place], dx: dx, dy: dy) else { return nil }
      new = [moved]
    case .delete(let id):
      place = elements.firstIndex { $0.id == id }
      new = []
    }
    return place.map { PageSplice(place: $0, old: [elements[$0]], new: new) }
  }

  private static func place(of id: NoteID, in elements: [PageElement]) throws(StoreFailure) -> Int {
    guard let place = elements.firstIndex(where: { $0.id == id }) else {
      throw .notFound("The page has no element \(id).")
    }
    return place
  }

  private static func check(_ element: PageElement) throws(StoreFailure) {
    switch element {
    case .stroke(let stroke):
      if stroke.samples.isEmpty { throw .invalid("A stroke needs at least one point.") }
      if let place = stroke.samples.firstIndex(where: { $0.pressure > pressureMax }) {
        throw .invalid("The pressure at point \(place) is \(stroke.samples[place].pressure), more than \(pressureMax).")
      }
      if element.frameBytes - PageLimits.framePrefixBytes > PageLimits.framePayloadBytesMax {
        throw .tooLarge("A stroke can have at most \(samplesMax) points, this one has \(stroke.samples.count).")
      }
    case .image(let image):
      if image.width <= 0 || image.height <= 0 { throw .invalid("A picture needs a width and a height above 0.") }
    case .unknown: break
    }
  }

  private static let pressureMax: UInt16 = 1000
  private static let samplesMax = (PageLimits.framePayloadBytesMax - PageLimits.strokeBytes) / PageLimits.sampleBytes

  private static func refuseTaken(
    _ new: [PageElement], in elements: [PageElement], except replaced: NoteID?
  ) throws(StoreFailure) {
    let ids = new.compactMap(\.id)
    for (place, id) in ids.enumerated() where ids[..<place].contains(id) {
      throw .exists("The element \(id) is given twice.")
    }
    for id in ids where id != replaced && elements.contains(where: { $0.id == id }) {
      throw .exists("The page has an element \(id) already.")
    }
  }

  private static func refuseTooLarge(_ fileBytes: Int, _ count: Int) throws(StoreFailure) {
    if fileBytes > PageLimits.fileBytesMax {
      throw .tooLarge("The page would have more than \(PageLimits.fileBytesMax >> 20) MiB. Go on with a new page.")
    }
    if count > PageLimits.elementsMax {
      throw .tooLarge("The page would have more than \(PageLimits.elementsMax) elements. Go on with a new page.")
    }
  }

  private static func moved(_ element: PageElement, dx: Int32, dy: Int32) throws(StoreFailure) -> PageElement {
    func sum(_ place: Int32, _ by: Int32) throws(StoreFailure) -> Int32 {
      let (sum, isOverflow) = place.addingReportingOverflow(by)
      if isOverflow { throw .invalid("The element would be moved beyond every canvas.") }
      return sum
    }
    switch element {
    case .stroke(var stroke):
      for place in stroke.samples.indices {
        stroke.samples[place].x = try sum(stroke.samples[place].x, dx)
        stroke.samples[place].y = try sum(stroke.samples[place].y, dy)
      }
      return .stroke(stroke)
    case .image(var image):
      image.x = try sum(image.x, dx)
      image.y = try sum(image.y, dy)
      return .image(image)
    case .unknown: return element
    }
  }
}
