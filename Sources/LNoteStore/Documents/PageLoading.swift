import Files
import LNoteFormat

/// Reads pages when they are touched. A page that cannot be read takes no edits; the next touch tries again.
struct PageLoading {
  /// The most entries of a folder that are looked at.
  static let entriesMax = 100_000

  let volume: any Volume
  let mutant: StoreMutant?
  let memory: StoreMemory?

  /// The page in memory, read from its file at the first touch.
  func page(_ page: NoteID, of document: OpenDocument) throws(StoreFailure) -> LoadedPage {
    guard let place = document.place(of: page) else {
      throw .notFound("The document \(document.id) has no page \(page).")
    }
    if let loaded = document.pages[page] { return loaded }
    let entry = document.record.pages[place]
    readLeftovers(of: document)
    do throws(StoreFailure) {
      let loaded = try load(entry, of: document)
      document.pages[page] = loaded
      return loaded
    } catch {
      guard mutant == .loadFailureIsEmpty else { throw error }
      // SEEDED BUG load-failure-is-empty: what cannot be read is shown as an empty page, and takes edits.
      let loaded = LoadedPage(
        content: PageSnapshot(
          id: page, generation: entry.generation, canvas: entry.canvas, created: entry.created,
          modified: entry.modified, elements: []))
      document.pages[page] = loaded
      return loaded
    }
  }

  /// The page as its file has it; the document does not keep it.
  func load(_ entry: PageEntry, of document: OpenDocument) throws(StoreFailure) -> LoadedPage {
    let what = "Page \(entry.id)"
    let reading: PageReading
    do throws(FileCallError) {
      reading = try volume.readWhole(
        document.path(of: PackageNames.page(entry.id)), sizeMax: PageLimits.fileBytesMax, entry.id,
        from: memory?.pages, { PageReader.read($0, expecting: entry.id) })
    } catch {
      throw .reading(what, error)
    }
    if case .versionUnknown(let version) = reading.verdict.condition {
      throw StoreFailure(
        kind: .versionUnknown, message: "\(what) was written by a newer app (format \(version)). Nothing was changed.")
    }
    guard reading.verdict.condition == .whole, let content = reading.snapshot else {
      throw .damaged(what, "is damaged")
    }
    guard content.generation < PageLimits.generationMax - OpenDocument.generationsSpare else {
      throw .damaged(what, "has an impossible generation")
    }
    document.noteGeneration(content.generation, of: entry.id)
    guard content.generation < entry.generation else { return LoadedPage(content: content) }
    return LoadedPage(
      content: content,
      readOnly: StoreFailure(
        kind: .readOnly,
        message: "\(what) is an older version (\(content.generation)) than the one last saved (\(entry.generation))."
          + " It can be read, not changed. Run lnote-fsck on the document to see more."))
  }

  /// Temporary files of earlier runs hold generations that must not be used again; each is read once a session.
  private func readLeftovers(of document: OpenDocument) {
    if document.knowsLeftovers { return }
    guard let entries = try? volume.entries(of: document.pagesPath, countMax: PageLoading.entriesMax) else { return }
    document.knowsLeftovers = true
    for entry in entries {
      guard case .temporary = PackageName.read(entry.name.bytes, in: .pages) else { continue }
      let path = document.pagesPath.appending(entry.name)
      guard let bytes = try? volume.readWhole(path, sizeMax: PageLimits.fileBytesMax) else { continue }
      guard let header = PageReader.read(bytes).verdict.header else { continue }
      if header.generation < PageLimits.generationMax - OpenDocument.generationsSpare {
        document.noteGeneration(header.generation, of: header.id)
      }
    }
  }
}

extension OpenDocument {
  /// Remembers a generation that a body of this page has.
  func noteGeneration(_ generation: UInt64, of page: NoteID) {
    pageGenerations[page] = max(generation, pageGenerations[page] ?? 0)
  }
}
