import LNoteFormat
import LNoteStore
import Rendering

/// The checks of single commands.
extension Stage {
  /// Runs a check that needs no mount.
  func perform(_ check: ConformCheck) throws(Objection) {
    switch check {
    case .greeting: try greeting()
    case .start: _ = try driver()
    case .refusedStart: try refusedStart()
    case .documents: try documents()
    case .pages: try pages()
    case .strokes: try strokes()
    case .undo: try undo()
    case .pictures: try pictures()
    case .library: try library()
    case .clock: try clock()
    case .accounting: try accounting()
    case .saving: try saving()
    case .closing: try closing()
    case .letGo: try letGo()
    case .order: try order()
    case .errors: try errors()
    case .unknownCommand: try unknownCommand()
    case .garbageLine: try garbageLine()
    case .locking: try locking()
    case .kill: try killed()
    case .endOfInput: try endOfInput()
    case .powerCut, .fullDisk, .deadline: break
    }
  }

  private func greeting() throws(Objection) {
    let hello = try freshDriver().greeting()
    guard hello.protocolVersion == DriverHandshake.protocolVersion else {
      throw Objection("it speaks protocol \(hello.protocolVersion), this tool \(DriverHandshake.protocolVersion)")
    }
    let engine = StoreConfiguration.Engine.snapshot.rawValue
    guard hello.engines.contains(engine) else {
      throw Objection("its engines do not name '\(engine)', which a scenario asks for where it says nothing else")
    }
  }

  private func refusedStart() throws(Objection) {
    let talk = try freshDriver()
    _ = try talk.greeting()
    guard case .refused(let reason) = try talk.start(root: root.description, protocolVersion: 99) else {
      throw Objection("it says that it is ready for protocol 99")
    }
    if reason.isEmpty { throw Objection("it refuses without a message") }
    let ending = try talk.ending(closingInput: false)
    guard ending == .exited(2) || ending == .exited(4) else {
      throw Objection("it ended with \(ending), where 2 or 4 was to be expected")
    }
  }

  private func documents() throws(Objection) {
    let talk = try driver()
    let made = try talk.outline(.createDocument(Sample.document, title: "Trip"))
    try expect(made, DocumentOutline(document: Sample.document, title: "Trip", pages: []), "'create-document'")
    try talk.does(.setTitle(Sample.document, "Trip to \u{2018}Rügen\u{2019}"))
    try talk.does(.close(Sample.document))
    let opened = try talk.outline(.open(Sample.document))
    try expect(
      opened, DocumentOutline(document: Sample.document, title: "Trip to \u{2018}Rügen\u{2019}", pages: []),
      "'title', 'close' and 'open'")
  }

  private func pages() throws(Objection) {
    let talk = try driverWithPage()
    try talk.does(.addPage(Sample.page(1), canvas: Sample.canvas, at: 0))
    try talk.does(.addPage(Sample.page(2), canvas: CanvasSize(width: 7680, height: 10240), at: nil))
    try talk.does(.movePage(Sample.page(2), to: 0))
    try talk.does(.deletePage(Sample.page))
    try talk.does(.close(Sample.document))
    let opened = try talk.outline(.open(Sample.document))
    guard opened.pages == [Sample.page(2).page, Sample.page(1).page] else {
      throw Objection("two pages added, the last one moved to the front, an old one deleted: the order is wrong")
    }
    let canvas = try talk.page(Sample.page(2)).canvas
    guard canvas == CanvasSize(width: 7680, height: 10240) else { throw Objection("a page has lost its size") }
  }

  private func strokes() throws(Objection) {
    let talk = try driverWithPage()
    for count in 1...3 as ClosedRange<UInt64> { try talk.does(.addStroke(Sample.page, Sample.stroke(count))) }
    try talk.does(.moveElement(Sample.page, element: Sample.stroke(1).id, dx: 100, dy: -20))
    let pieces = [Sample.stroke(4, points: 5), Sample.stroke(5, points: 7)]
    try talk.does(.erase(Sample.page, element: Sample.stroke(2).id, pieces: pieces))
    try talk.does(.deleteElement(Sample.page, element: Sample.stroke(3).id))
    var moved = Sample.stroke(1)
    moved.samples = moved.samples.map {
      StrokeSample(x: $0.x + 100, y: $0.y - 20, radius: $0.radius, pressure: $0.pressure, time: $0.time)
    }
    let wanted = ([moved] + pieces).map { PageElement.stroke($0) }
    try expect(try talk.page(Sample.page).elements, wanted, "three strokes, one moved, one erased, one deleted")
    try talk.does(.close(Sample.document))
    try talk.does(.open(Sample.document))
    try expect(try talk.page(Sample.page).elements, wanted, "the same behind 'close' and 'open'")
  }

  private func undo() throws(Objection) {
    let talk = try driverWithPage()
    let strokes = [Sample.stroke(1), Sample.stroke(2)]
    for stroke in strokes { try talk.does(.addStroke(Sample.page, stroke)) }
    try talk.does(.undo(Sample.document))
    try expect(try talk.page(Sample.page).elements, [.stroke(strokes[0])], "'undo' behind two strokes")
    try talk.does(.redo(Sample.document))
    try expect(try talk.page(Sample.page).elements, strokes.map { .stroke($0) }, "'redo'")
  }

  private func pictures() throws(Objection) {
    let talk = try driverWithPage()
    let jpeg = JPEGMaker.picture(sizeBytes: 8 << 10, seed: 1)
    let answer = try talk.does(.insertImage(Sample.page, Sample.placement, jpeg: jpeg))
    guard answer.durable.assets.contains(DurableAsset(document: Sample.document, asset: Sample.placement.asset)) else {
      throw Objection("the answer to 'insert-image' does not call the picture's file durable")
    }
    guard case .image(let image)? = try talk.page(Sample.page).elements.last else {
      throw Objection("the picture is not on its page")
    }
    guard image.id == Sample.placement.element, image.asset == Sample.placement.asset, image.x == Sample.placement.x,
      image.y == Sample.placement.y, image.width == Sample.placement.width, image.height == Sample.placement.height,
      image.assetLength == UInt64(jpeg.count)
    else { throw Objection("the picture on the page is not the one that was inserted") }
  }

  private func library() throws(Objection) {
    let talk = try driverWithPage()
    guard case .library(let items)? = try talk.does(.list).payload else {
      throw Objection("it answered 'list' without a library")
    }
    guard items.contains(where: { $0.document == Sample.document }) else {
      throw Objection("the library does not list a document that is there")
    }
  }

  private func clock() throws(Objection) {
    let talk = try driverWithPage()
    for (count, command) in [StoreCommand.advance(milliseconds: 60_000), .advanceUntilSaved].enumerated() {
      let drawn = try talk.does(.addStroke(Sample.page, Sample.stroke(UInt64(count + 1))))
      let answer = try talk.does(command)
      guard drawn.saves(Sample.page, talk.number - 1) || answer.saves(Sample.page, talk.number - 1) else {
        throw Objection("behind '\(command.word)' the autosave has not made the stroke durable")
      }
    }
  }

  func expect<Value: Equatable>(_ found: Value, _ wanted: Value, _ what: String) throws(Objection) {
    if found != wanted { throw Objection("\(what): what the store shows is not what was asked for") }
  }
}
