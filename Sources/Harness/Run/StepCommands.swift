import LNoteFormat
import LNoteStore
import Rendering
import Scenarios

/// Turns editing steps into commands for the store; pure, so that a repeated run asks the same.
struct StepCommands {
  let seed: UInt64

  /// The commands of an editing step; nil for a step that is no edit.
  ///
  /// - Parameter ledger: what is on the pages now.
  func commands(for action: StepAction, ledger: Ledger) -> [StoreCommand]? {
    switch action {
    case .stroke(let step): return [.addStroke(PageName(step.stroke.page), stroke(step))]
    case .erase(.stroke(let target)):
      return erasure(of: target.element.noteID, on: PageName(target.page), ledger)
    case .erase(.newestStrokes(let page, let count)):
      let strokes = content(of: PageName(page), ledger).compactMap { $0.isStroke ? $0.id : nil }
      return strokes.suffix(count).reversed().flatMap { erasure(of: $0, on: PageName(page), ledger) }
    case .moveElements(.element(let target), let dx, let dy):
      return [.moveElement(PageName(target.page), element: target.element.noteID, dx: dx, dy: dy)]
    case .moveElements(.page(let page), let dx, let dy):
      let elements = content(of: PageName(page), ledger).compactMap(\.id)
      return elements.map { .moveElement(PageName(page), element: $0, dx: dx, dy: dy) }
    case .insertImage(let step): return image(step).map { [$0] } ?? []
    case .deleteElement(let target):
      return [.deleteElement(PageName(target.page), element: target.element.noteID)]
    case .addPage(let page, let place):
      return [.addPage(PageName(page.reference), canvas: page.canvas, at: place)]
    case .deletePage(let page): return [.deletePage(PageName(page))]
    case .movePage(let page, let place): return [.movePage(PageName(page), to: place)]
    case .title(let document, let title): return [.setTitle(document.id.noteID, title)]
    case .undo(let document, let count): return Array(repeating: .undo(document.id.noteID), count: count)
    case .redo(let document, let count): return Array(repeating: .redo(document.id.noteID), count: count)
    case .wait(let milliseconds): return [.advance(milliseconds: Int64(clamping: milliseconds))]
    case .waitUntilSaved: return [.advanceUntilSaved]
    case .background: return [.background]
    case .foreground: return [.foreground]
    default: return nil
    }
  }

  /// The commands that build a document, all but saving it.
  func building(_ document: ScenarioDocument) -> [StoreCommand] {
    var commands: [StoreCommand] = [.createDocument(document.id.noteID, title: document.title)]
    for page in document.pages {
      let name = PageName(page.reference)
      commands.append(.addPage(name, canvas: page.canvas, at: nil))
      for count in 0..<page.strokes {
        let id = StrokeMaker.identity(seed: name.page.low &+ seed, count: UInt64(count))
        let stroke = StrokeMaker.stroke(
          id: id, points: page.pointsPerStroke, pen: 0, baseRadius: 10, origin: origin(id), seed: id.high)
        commands.append(.addStroke(name, stroke))
      }
      for count in 0..<page.images {
        let id = StrokeMaker.identity(seed: name.page.high &+ seed, count: UInt64(count) &+ 1_000_000)
        let asset = StrokeMaker.identity(seed: id.low, count: 1)
        let placement = ImagePlacement(element: id, asset: asset, x: 500, y: 500, width: 2400, height: 1800)
        commands.append(
          .insertImage(name, placement, jpeg: JPEGMaker.picture(sizeBytes: builtImageBytes, seed: id.high)))
      }
    }
    return commands
  }

  /// The size of a picture that a `document` block places.
  private var builtImageBytes: Int { 64 << 10 }

  private func stroke(_ step: StrokeStep) -> Stroke {
    let id = step.stroke.element.noteID
    let begin = step.origin.map { (x: $0.x, y: $0.y) } ?? origin(id)
    let pen = StrokeStep.Pen.allCases.firstIndex(of: step.pen) ?? 0
    return StrokeMaker.stroke(
      id: id, points: step.points, pen: UInt8(pen), baseRadius: max(step.widthDeciPoints / 2, 1), origin: begin,
      seed: seed &+ id.high)
  }

  private func image(_ step: ImageStep) -> StoreCommand? {
    guard let asset = step.image.asset else { return nil }
    let placement = ImagePlacement(
      element: step.image.element.noteID, asset: asset.noteID, x: 600, y: 800, width: 3200, height: 2400)
    let jpeg = step.jpeg ?? JPEGMaker.picture(sizeBytes: step.sizeBytes, seed: seed &+ asset.high)
    return .insertImage(PageName(step.image.page), placement, jpeg: jpeg)
  }

  /// Rubs out the middle third of a stroke; a stroke of fewer than three points goes whole.
  private func erasure(of element: NoteID, on page: PageName, _ ledger: Ledger) -> [StoreCommand] {
    let found = content(of: page, ledger).first { $0.id == element }
    guard case .stroke(let stroke)? = found else { return [.erase(page, element: element, pieces: [])] }
    guard stroke.samples.count >= 3 else { return [.erase(page, element: element, pieces: [])] }
    let third = stroke.samples.count / 3
    var first = stroke
    first.samples = Array(stroke.samples[..<third])
    var second = stroke
    second.id = StrokeMaker.identity(seed: element.low, count: UInt64(stroke.samples.count))
    second.samples = Array(stroke.samples[(stroke.samples.count - third)...])
    return [.erase(page, element: element, pieces: [first, second])]
  }

  private func content(of page: PageName, _ ledger: Ledger) -> [PageElement] { ledger.pages[page]?.working ?? [] }

  private func origin(_ id: NoteID) -> (x: Int32, y: Int32) {
    (x: 400 + Int32(id.low % 5000), y: 400 + Int32(id.high % 8000))
  }
}

extension FixedID {
  /// The same identity as a value of the format.
  var noteID: NoteID { NoteID(high: high, low: low) }
}

extension PageName {
  /// The page that a scenario's step means.
  init(_ reference: PageReference) {
    self.init(document: reference.document.noteID, page: reference.page.noteID)
  }
}

extension ScenarioPage {
  /// The size of the canvas as the format has it.
  var canvas: CanvasSize {
    CanvasSize(width: UInt32(clamping: widthDeciPoints), height: UInt32(clamping: heightDeciPoints))
  }
}

extension PageElement {
  /// True for a stroke.
  var isStroke: Bool {
    if case .stroke = self { return true }
    return false
  }
}
