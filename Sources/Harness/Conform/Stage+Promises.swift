import FaultDisk
import LNoteFormat
import LNoteStore
import Rendering

/// The checks of what a store promises, and of what it says where something is wrong.
extension Stage {
  func accounting() throws(Objection) {
    let talk = try driverWithPage()
    let drawn = try talk.does(.addStroke(Sample.page, Sample.stroke(1)))
    guard drawn.saves(Sample.page, talk.number) || drawn.unsaved.pages.contains(Sample.page) else {
      throw Objection("behind 'add-stroke' its page is neither durable nor unsaved")
    }
    let titled = try talk.does(.setTitle(Sample.document, "Other"))
    let number = talk.number
    guard
      titled.durable.documents.contains(where: { $0.document == Sample.document && $0.upTo >= number })
        || titled.unsaved.documents.contains(Sample.document)
    else { throw Objection("behind 'title' its document is neither durable nor unsaved") }
  }

  func saving() throws(Objection) {
    let talk = try driverWithPage()
    let drawn = try talk.does(.addStroke(Sample.page, Sample.stroke(1)))
    let number = talk.number
    let saved = try talk.does(.background)
    guard drawn.saves(Sample.page, number) || saved.saves(Sample.page, number) else {
      throw Objection("'background' does not call the stroke durable")
    }
    guard !saved.unsaved.pages.contains(Sample.page) else {
      throw Objection("behind 'background' without an error the page is unsaved")
    }
    let again = try talk.does(.foreground)
    if !again.durable.pages.isEmpty { throw Objection("what is durable is told again behind 'foreground'") }
  }

  func closing() throws(Objection) {
    let talk = try driverWithPage()
    try talk.does(.addStroke(Sample.page, Sample.stroke(1)))
    try talk.does(.close(Sample.document))
    let other = try driver()
    try other.does(.open(Sample.document))
    try expect(
      try other.page(Sample.page).elements, [.stroke(Sample.stroke(1))], "drawn, closed, opened by another process")
  }

  func letGo() throws(Objection) {
    let talk = try driverWithPage()
    let drawn = try talk.does(.addStroke(Sample.page, Sample.stroke(1)))
    let isUnsaved = drawn.unsaved.pages.contains(Sample.page)
    try talk.does(.letGo(Sample.document))
    let other = try driver()
    try other.does(.open(Sample.document))
    guard isUnsaved else { return }
    try expect(try other.page(Sample.page).elements, [], "an unsaved stroke behind 'let-go'")
  }

  func order() throws(Objection) {
    let talk = try driverWithPage()
    var numbers: [UInt64] = []
    for count in 1...5 as ClosedRange<UInt64> {
      numbers.append(try talk.post(.addStroke(Sample.page, Sample.stroke(count))))
    }
    for number in numbers {
      let answer = try talk.answer(number, to: "one of five commands at once")
      if let failure = answer.failures.first { throw Objection("it refused one of five strokes: \(failure.message)") }
    }
    try expect(
      try talk.page(Sample.page).elements, (1...5).map { .stroke(Sample.stroke($0)) }, "five strokes drawn at once")
  }

  func errors() throws(Objection) {
    let talk = try driverWithPage()
    let wrong: [(StoreCommand, StoreFailure.Kind)] = [
      (.addStroke(Sample.page(7), Sample.stroke(1)), .notFound),
      (.deleteElement(Sample.page, element: Sample.stroke(1).id), .notFound),
      (.open(Sample.stroke(1).id), .notFound),
      (.createDocument(Sample.document, title: "Trip"), .exists),
    ]
    for (command, kind) in wrong {
      let failures = try talk.ask(command).failures
      guard failures.contains(where: { $0.kind == kind }) else {
        let told = failures.first.map { "the error is of kind \($0.kind.rawValue)" } ?? "no error is told"
        throw Objection("'\(command.word)' that cannot be done: \(told), expected \(kind.rawValue)")
      }
    }
    try expect(try talk.page(Sample.page).elements, [], "a page on which every edit was refused")
  }

  func unknownCommand() throws(Objection) {
    let talk = try driverWithPage()
    let number = talk.nextNumber()
    try expectInvalid(try talk.asks(raw: "{\"number\":\(number),\"do\":\"sing\"}", number: number))
    try talk.does(.list)
  }

  func garbageLine() throws(Objection) {
    let talk = try driverWithPage()
    for line in ["this is no JSON", "{\"number\":", "[]", "7"] {
      try expectInvalid(try talk.asks(raw: line, number: 0))
    }
    try talk.does(.list)
  }

  private func expectInvalid(_ answer: StoreAnswer) throws(Objection) {
    guard answer.failures.map(\.kind) == [.invalid] else {
      throw Objection("it told \(answer.failures.count) errors, expected one of kind invalid")
    }
  }

  func locking() throws(Objection) {
    let talk = try driverWithPage()
    let other = try driver()
    let refused = try other.ask(.open(Sample.document))
    guard refused.failures.contains(where: { $0.kind == .locked }) else {
      throw Objection("two processes have the same document open")
    }
    try talk.does(.letGo(Sample.document))
    try other.does(.open(Sample.document))
  }

  func killed() throws(Objection) {
    let talk = try driverWithPage()
    let promised = try promise(talk)
    talk.kill()
    try expect(promised, behind: "a kill")
  }

  /// Draws two strokes, one before and one after a save; those that are called durable.
  private func promise(_ talk: DriverTalk) throws(Objection) -> [PageElement] {
    var promised: [PageElement] = []
    let first = try talk.does(.addStroke(Sample.page, Sample.stroke(1)))
    let number = talk.number
    let saved = try talk.does(.background)
    if first.saves(Sample.page, number) || saved.saves(Sample.page, number) {
      promised.append(.stroke(Sample.stroke(1)))
    }
    let second = try talk.does(.addStroke(Sample.page, Sample.stroke(2)))
    if second.saves(Sample.page, talk.number) { promised.append(.stroke(Sample.stroke(2))) }
    return promised
  }

  func endOfInput() throws(Objection) {
    let ending = try driverWithPage().ending(closingInput: true)
    guard ending == .exited(0) else { throw Objection("it ended with \(ending)") }
  }

  func powerCut(_ disk: MountedDisk) throws(Objection) {
    let talk = try driverWithPage()
    let promised = try promise(talk)
    try onDisk { () throws(HarnessError) in try disk.powerCut(.keepNone) }
    talk.kill()
    try onDisk { () throws(HarnessError) in try disk.restart() }
    try expect(promised, behind: "a power cut")
  }

  /// Another process opens the document; what was called durable is on its page.
  private func expect(_ promised: [PageElement], behind accident: String) throws(Objection) {
    if promised.isEmpty { throw Objection(unknown: "nothing was called durable, so nothing was promised") }
    let talk = try driver()
    let opened = try talk.ask(.open(Sample.document))
    if let failure = opened.failures.first {
      throw Objection("behind \(accident) the document cannot be opened: \(failure.message)")
    }
    let answer = try talk.ask(.readPage(Sample.page))
    var found: [PageElement] = []
    if case .page(let content)? = answer.payload { found = content.elements }
    let lost = promised.count { !found.contains($0) }
    guard lost == 0 else {
      throw Objection("behind \(accident) \(lost) of \(promised.count) strokes that were called durable are gone")
    }
  }

  func fullDisk(_ disk: MountedDisk) throws(Objection) {
    let talk = try driverWithPage()
    try onDisk { () throws(HarnessError) in try disk.setFreeSpace(0) }
    let drawn = try talk.ask(.addStroke(Sample.page, Sample.stroke(1, points: 4000)))
    let number = talk.number
    let refused = try talk.ask(.background)
    guard (drawn.failures + refused.failures).contains(where: { $0.errno == .enospc }) else {
      throw Objection("no error with errno ENOSPC is told where nothing can be written")
    }
    guard !drawn.saves(Sample.page, number), !refused.saves(Sample.page, number) else {
      throw Objection("a stroke is called durable that there is no room for")
    }
    // A store that refuses the stroke itself has nothing that is unsaved.
    if !drawn.failures.isEmpty { return }
    guard refused.unsaved.pages.contains(Sample.page) else {
      throw Objection("a page that could not be saved is not called unsaved")
    }
    try onDisk { () throws(HarnessError) in try disk.setFreeSpace(nil) }
    guard try talk.does(.background).saves(Sample.page, number) else {
      throw Objection("with room again, 'background' does not make the stroke durable")
    }
  }

  private func onDisk(_ body: () throws(HarnessError) -> Void) throws(Objection) {
    do throws(HarnessError) { try body() } catch { throw Objection(unknown: error.description) }
  }
}
