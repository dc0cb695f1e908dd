import Files
import LNoteFormat

/// Puts what is unsaved of a document on the medium, in the order that keeps every moment before a crash readable.
///
/// 1. Each changed page: temporary file, write, fsync. 2. All of them renamed. 3. fsync `pages/`, once.
/// 4. `document.json`: temporary file, write, fsync, rename, fsync of the package.
/// 5. `manifest.json`: temporary file, write, fsync, rename. 6. Where pages were deleted: fsync of the package, then
/// their files removed. A repair counts the pages by the manifest where `document.json` is of no use: one that still
/// counts a page whose file is gone would tell the user of a loss.
///
/// It stops at the first failure; what the failed step would have made durable stays unsaved. Pages that could be
/// staged before a page that could not are saved all the same, so that a full disk keeps as much as it can.
struct DocumentSave {
  let writer: SafeWriter
  /// What removes the small pictures of deleted pages; nil where none are drawn.
  let thumbnails: ThumbnailDrawing?

  /// Saves; `news` gets what became durable, also where this throws.
  func save(_ document: OpenDocument, news: inout NewsCollector) throws(StoreFailure) {
    mirrorEarlierRun(of: document)
    guard document.needsSave else { return }
    try refuseChangedElsewhere(document)
    writer.removeAbandoned()
    // SEEDED BUG document-before-pages: a new page is listed and has no file yet.
    if writer.mutant == .documentBeforePages { try saveRecord(of: document, news: &news) }
    try savePages(of: document, news: &news)
    try writeDeferredAssets(of: document, news: &news)
    // SEEDED BUG page-removed-first: document.json on the medium still lists the page.
    if writer.mutant == .pageRemovedFirst { try removeDeletedPages(of: document) }
    try saveRecord(of: document, news: &news)
    if document.manifestIsBehind { try saveManifest(of: document, mirroring: document.record) }
    try removeDeletedPages(of: document)
  }

  /// The lock keeps other stores out, but no sync service and no editor.
  private func refuseChangedElsewhere(_ document: OpenDocument) throws(StoreFailure) {
    guard let stamp = document.stamp else { return }
    let found = FileStamp(document.path(of: PackageNames.document), on: writer.volume)
    guard let found, found != stamp else { return }
    throw StoreFailure(
      kind: .changedElsewhere,
      message:
        "Another program changed the document \(document.id) while it was open here. Nothing was written over it."
        + " Copy what you drew last, close the document and open it again.")
  }

  // MARK: Pages

  private struct StagedPage {
    let page: LoadedPage
    let generation: UInt64
    let file: StagedFile
  }

  private func savePages(of document: OpenDocument, news: inout NewsCollector) throws(StoreFailure) {
    var failure: StoreFailure?
    let staged = stagePages(of: document, failure: &failure)
    let renamed = commit(staged, failure: &failure)
    let unlinked = document.removals.filter { $0.value == .unlinked }.map(\.key)
    if !renamed.isEmpty || !unlinked.isEmpty {
      do throws(FileCallError) {
        try writer.synchronizeDirectory(document.pagesPath)
      } catch {
        // What was renamed may be lost in a power cut; it is written anew, to be renamed and synced anew.
        throw failure ?? .saving("The pages of document \(document.id)", error)
      }
    }
    for page in unlinked { document.removals[page] = .durable }
    for item in renamed { settle(item.page, as: item.generation, in: document, news: &news) }
    guard let failure else { return }
    switch writer.mutant {
    case .saveErrorSwallowed:
      // SEEDED BUG save-error-swallowed: what is still unsaved counts as saved.
      for page in document.dirtyPages { settle(page, as: page.content.generation, in: document, news: &news) }
    case .failedSaveForgets:
      // SEEDED BUG failed-save-forgets: what is still unsaved is gone; the next touch reads the old file.
      for page in document.dirtyPages.map(\.content.id) {
        document.pages[page] = nil
        document.undoStacks.forget(page)
      }
      throw failure
    default: throw failure
    }
  }

  /// The pages that a save writes.
  private func changedPages(of document: OpenDocument) -> [LoadedPage] {
    let dirty = document.dirtyPages
    guard writer.mutant == .flushSavesOnePage else { return dirty }
    // SEEDED BUG flush-saves-one-page: only the page that the user sees.
    return dirty.max { ($0.editedUpTo ?? 0) < ($1.editedUpTo ?? 0) }.map { [$0] } ?? []
  }

  private func stagePages(of document: OpenDocument, failure: inout StoreFailure?) -> [StagedPage] {
    var staged: [StagedPage] = []
    let order = SavePlan.order(
      changedPages(of: document).map {
        SavePlan.Change(page: $0.content.id, hasGained: $0.hasGained, hasLost: $0.hasLost)
      })
    for id in order {
      guard let page = document.pages[id] else { continue }
      var body = page.content
      // SEEDED BUG generation-reused: two versions of a page have one number.
      let isReused = writer.mutant == .generationReused && body.generation > 0
      if !isReused { body.generation = document.takeGeneration(of: id) }
      document.pagesWritten.insert(id)
      do throws(FileCallError) {
        let file = try writer.stage(body.encoded(), for: document.path(of: PackageNames.page(id)))
        staged.append(StagedPage(page: page, generation: body.generation, file: file))
      } catch {
        failure = .saving("Page \(id)", error)
        break
      }
    }
    return staged
  }

  private func commit(_ staged: [StagedPage], failure: inout StoreFailure?) -> [StagedPage] {
    var renamed: [StagedPage] = []
    for (place, item) in staged.enumerated() {
      do throws(FileCallError) {
        try writer.commit(item.file)
        renamed.append(item)
      } catch {
        for later in staged[(place + 1)...] { writer.discard(later.file) }
        failure = .saving("Page \(item.page.content.id)", error)
        break
      }
    }
    return renamed
  }

  private func settle(
    _ page: LoadedPage, as generation: UInt64, in document: OpenDocument, news: inout NewsCollector
  ) {
    let id = page.content.id
    page.content.generation = generation
    if let number = page.editedUpTo {
      if document.pagesListed.contains(id) {
        news.add(page: PageName(document: document.id, page: id), upTo: number)
      } else {
        document.heldNews[id] = number
      }
    }
    page.editedUpTo = nil
    page.hasGained = false
    page.hasLost = false
    document.mirror(page)
    document.thumbnailsOwed.insert(id)
    document.recordIsBehind = true
  }

  // MARK: Assets of a seeded bug

  private func writeDeferredAssets(of document: OpenDocument, news: inout NewsCollector) throws(StoreFailure) {
    while let asset = document.deferredAssets.first {
      try AssetWriting(writer: writer).write(asset.bytes, as: asset.id, of: document)
      news.add(asset: asset.id, of: document.id)
      document.deferredAssets.removeFirst()
    }
  }

  // MARK: document.json

  private func saveRecord(of document: OpenDocument, news: inout NewsCollector) throws(StoreFailure) {
    guard document.recordIsBehind else { return }
    let what = "The document \(document.id)"
    var record = document.record
    document.generationTried += 1
    record.generation = document.generationTried
    record.deleted.removeAll { document.removals[$0.id] == .durable }
    let bytes = record.encoded()
    if bytes.count > RecordLimits.bytesMax {
      throw .tooLarge("\(what) has too many pages for its document.json. Move some pages to a new document.")
    }
    // SEEDED BUG manifest-before-document: for a moment the library knows a version that is nowhere.
    if writer.mutant == .manifestBeforeDocument { try saveManifest(of: document, mirroring: record) }
    do throws(FileCallError) {
      let staged = try writer.stage(bytes, for: document.path(of: PackageNames.document))
      // Also a rename that fails may have happened.
      defer { document.stamp = FileStamp(staged.target, on: writer.volume) }
      try writer.commit(staged)
      try writer.synchronizeDirectory(document.path)
    } catch {
      throw .saving(what, error)
    }
    document.record = record
    document.recordIsBehind = false
    document.manifestIsBehind = true
    document.unmirrored = nil
    document.pagesListed = Set(record.pages.map(\.id))
    if let number = document.editedUpTo { news.add(document: document.id, upTo: number) }
    document.editedUpTo = nil
    for (page, number) in document.heldNews where document.pagesListed.contains(page) {
      news.add(page: PageName(document: document.id, page: page), upTo: number)
    }
    document.heldNews = [:]
  }

  // MARK: Deleted pages

  private func removeDeletedPages(of document: OpenDocument) throws(StoreFailure) {
    let owed = document.record.deleted.filter { document.removals[$0.id] ?? .owed == .owed }
    if owed.isEmpty { return }
    do throws(FileCallError) {
      // No name may be gone for good while that of a manifest that counts the page may come back.
      try writer.synchronizeDirectory(document.path)
    } catch {
      throw .saving("The library's entry of document \(document.id)", error)
    }
    for page in owed {
      let path = document.path(of: PackageNames.page(page.id))
      if document.removals[page.id] == nil, !isRemainder(path, of: page) { continue }
      do throws(FileCallError) {
        try writer.volume.unlink(path)
      } catch {
        if error.errno != .enoent {
          throw StoreFailure(
            error, "The file of the deleted page \(page.id) could not be removed", then: "It will be tried again.")
        }
      }
      document.removals[page.id] = writer.durability == .full ? .unlinked : .durable
      // Behind the page, so that no page is ever without its picture for this.
      thumbnails?.remove(page.id, of: document)
    }
  }

  /// True where the file of a page that an earlier run deleted is that page and not a newer one of the same name.
  private func isRemainder(_ path: BytePath, of page: DeletedPage) -> Bool {
    do throws(FileCallError) {
      let bytes = try writer.volume.readWhole(path, sizeMax: PageLimits.fileBytesMax)
      guard let header = PageReader.verify(bytes, expecting: page.id).header else { return false }
      return header.id == page.id && header.generation <= page.generation
    } catch {
      return error.errno == .enoent
    }
  }

  // MARK: manifest.json

  /// Brings the manifest up to date with what an earlier run saved and could not mirror any more.
  ///
  /// In front of everything else: while it is behind, nothing counts the pages if this save spoils `document.json`.
  /// Nothing of the user waits for it, so no failure is told; the next save tries it again.
  private func mirrorEarlierRun(of document: OpenDocument) {
    guard let record = document.unmirrored else { return }
    do throws(StoreFailure) {
      try refuseChangedElsewhere(document)
      try saveManifest(of: document, mirroring: record)
    } catch {
      return
    }
  }

  private func saveManifest(
    of document: OpenDocument, mirroring record: DocumentRecord
  ) throws(StoreFailure) {
    let manifest = ManifestRecord(mirroring: record, after: document.manifest)
    do throws(FileCallError) {
      // No directory sync is owed: the manifest can be made anew. Without the file's own sync it could become empty.
      try writer.commit(try writer.stage(manifest.encoded(), for: document.path(of: PackageNames.manifest)))
    } catch {
      throw .saving("The library's entry of document \(document.id)", error)
    }
    document.manifest = manifest
    document.manifestIsBehind = false
    document.unmirrored = nil
  }
}
