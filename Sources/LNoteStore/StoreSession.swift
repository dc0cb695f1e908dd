import Files
import LNoteFormat

/// One run of the store on a library: documents, their pages, a virtual clock. Not for use by several threads.
package final class StoreSession {
  let volume: any Volume
  let configuration: StoreConfiguration
  /// What was read before, where the volume names contents; nil for a session that reads everything itself.
  let memory: StoreMemory?
  let writer: SafeWriter
  /// The documents that are open here.
  var documents: [NoteID: OpenDocument] = [:]
  /// The virtual clock, in milliseconds since 1970-01-01 UTC.
  var now: Int64
  /// The number of the command that is being done.
  var number: UInt64 = 0
  private var news = NewsCollector()
  private var failures: [StoreFailure] = []

  /// A session on the library at the volume's root. Touches nothing yet.
  ///
  /// Precondition: the configuration's clock lies within `StoreConfiguration.clockRange`.
  package init(volume: any Volume, configuration: StoreConfiguration, memory: StoreMemory? = nil) {
    precondition(
      StoreConfiguration.clockRange.contains(configuration.now.milliseconds), "a clock at \(configuration.now)")
    self.volume = volume
    self.configuration = configuration
    self.memory = memory
    now = configuration.now.milliseconds
    writer = SafeWriter(
      volume: volume, durability: configuration.durability, mutant: configuration.mutant, seed: configuration.seed)
  }

  /// Does what is asked and says what is durable now. Never traps, whatever the files hold.
  ///
  /// A command that fails changes nothing, but for the saves that were due anyway.
  package func perform(_ command: NumberedCommand) -> StoreAnswer {
    number = command.number
    failures = []
    var payload: StorePayload?
    do throws(StoreFailure) {
      payload = try self.payload(of: command.command)
    } catch {
      report(error)
    }
    return StoreAnswer(
      number: number, failures: failures, durable: news.take(), unsaved: unsavedWork(), payload: payload)
  }

  private func payload(of command: StoreCommand) throws(StoreFailure) -> StorePayload? {
    switch command {
    case .createDocument(let id, let title): return .document(try createDocument(id, title: title))
    case .open(let id): return .document(try open(id))
    case .close(let id): try close(id)
    case .letGo(let id): try letGo(id)
    case .setTitle(let id, let title): try setTitle(title, of: id)
    case .undo(let id): try undo(in: id)
    case .redo(let id): try redo(in: id)
    case .addPage(let name, let canvas, let place): try addPage(name, canvas: canvas, at: place)
    case .deletePage(let name): try deletePage(name)
    case .movePage(let name, let place): try movePage(name, to: place)
    case .addStroke(let name, let stroke): try edit(name, .add(.stroke(stroke)))
    case .erase(let name, let element, let pieces): try edit(name, .erase(element, pieces: pieces))
    case .moveElement(let name, let element, let dx, let dy): try edit(name, .move(element, dx: dx, dy: dy))
    case .deleteElement(let name, let element): try edit(name, .delete(element))
    case .insertImage(let name, let place, let jpeg): try insertImage(name, place, jpeg: jpeg)
    case .advance(let milliseconds): try advance(milliseconds: milliseconds)
    case .advanceUntilSaved: advanceUntilSaved()
    case .background: saveEverything()
    case .foreground: break
    case .list: return .library(try listLibrary())
    case .readPage(let name): return .page(try readPage(name))
    }
    return nil
  }

  // MARK: What rooms of this session share

  /// What draws small pictures; nil in a session that draws none.
  var thumbnails: ThumbnailDrawing? {
    guard configuration.drawsThumbnails else { return nil }
    return ThumbnailDrawing(
      writer: writer, loading: PageLoading(volume: volume, mutant: configuration.mutant, memory: memory))
  }

  /// The open document; throws where it is not open.
  func document(_ id: NoteID) throws(StoreFailure) -> OpenDocument {
    guard let document = documents[id] else { throw .notFound("The document \(id) is not open.") }
    return document
  }

  /// The open document, where it takes edits.
  func editable(_ id: NoteID) throws(StoreFailure) -> OpenDocument {
    let document = try document(id)
    if let failure = document.readOnly { throw failure }
    return document
  }

  /// The open documents, by their identities.
  var documentsInOrder: [OpenDocument] { documents.values.sorted { $0.id < $1.id } }

  /// Tells a failure in the answer; the same thing that goes wrong again and again is told once.
  func report(_ failure: StoreFailure) {
    let isTold = failures.contains {
      $0.kind == failure.kind && $0.call == failure.call && $0.errno == failure.errno
        && (failure.errno != nil || $0 == failure)
    }
    if !isTold { failures.append(failure) }
  }

  /// Saves a document; what became durable is told in the answer, also where this throws.
  func save(_ document: OpenDocument) throws(StoreFailure) {
    do throws(StoreFailure) {
      try DocumentSave(writer: writer, thumbnails: thumbnails).save(document, news: &news)
      document.saveDue = nil
    } catch {
      document.saveDue = now + document.retryMilliseconds
      document.retryMilliseconds = min(document.retryMilliseconds * 2, StoreConfiguration.retryMillisecondsMax)
      throw error
    }
  }

  /// Tells in the answer that a picture is durable.
  func tellDurable(asset: NoteID, of document: NoteID) { news.add(asset: asset, of: document) }

  /// Tells in the answer that a new document is durable.
  func tellDurable(document: NoteID) { news.add(document: document, upTo: number) }

  private func unsavedWork() -> UnsavedWork {
    var work = UnsavedWork()
    for document in documentsInOrder {
      let dirty = document.dirtyPages.map { PageName(document: document.id, page: $0.content.id) }
      work.pages += dirty.sorted()
      if document.recordIsBehind || document.manifestIsBehind { work.documents.append(document.id) }
    }
    return work
  }
}
