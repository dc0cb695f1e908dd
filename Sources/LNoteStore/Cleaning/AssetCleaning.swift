import Files
import LNoteFormat

/// Removes pictures that nothing uses, at close. Where anything could not be read whole, nothing is removed.
struct AssetCleaning {
  let writer: SafeWriter

  /// Cleans a document that is saved and locked.
  func clean(_ document: OpenDocument) throws(StoreFailure) {
    let assets = namedAssets(of: document)
    if assets.isEmpty || document.readOnly != nil { return }
    // Pages in memory are as they are on the medium; where they use every picture, nothing need be read.
    let usedInMemory = document.pages.sorted { $0.key < $1.key }.flatMap { $0.value.content.assets }
    if Set(assets.map(\.id)).isSubset(of: usedInMemory) { return }
    let references = AssetReferenceSurvey(volume: writer.volume).references(in: document)
    // SEEDED BUG cleans-unproven: what could not be read is taken to use nothing.
    let isCareless = writer.mutant == .cleansUnproven
    let removable = Set(references.removable(of: assets.map(\.id), ignoringDoubts: isCareless))
    if removable.isEmpty { return }
    try makePagesDurable(of: document)
    for asset in assets where removable.contains(asset.id) {
      do throws(FileCallError) {
        try writer.volume.unlink(document.assetsPath.appending(asset.name))
      } catch {
        throw StoreFailure(
          error, "A picture that no page uses could not be removed", then: "It is tried again at the next close.")
      }
    }
  }

  /// The regular files of `assets/` that are named as pictures, by the bytes of their names.
  private func namedAssets(of document: OpenDocument) -> [(id: NoteID, name: BytePath)] {
    let entries = try? writer.volume.entries(of: document.assetsPath, countMax: PageLoading.entriesMax)
    return (entries ?? []).compactMap { entry in
      guard [.regular, .unknown].contains(entry.kind) else { return nil }
      guard case .asset(let id) = PackageName.read(entry.name.bytes, in: .assets) else { return nil }
      return (id, entry.name)
    }
  }

  /// A page that a power cut brings back must not find its pictures gone: neither one deleted here, nor the old content
  /// of a page that an earlier process renamed into place and was killed before it synced the names.
  private func makePagesDurable(of document: OpenDocument) throws(StoreFailure) {
    do throws(FileCallError) {
      try writer.synchronizeDirectory(document.pagesPath)
    } catch {
      throw StoreFailure(
        error, "The pages could not be synced, so no picture was removed", then: "It is tried again at the next close.")
    }
    for (page, removal) in document.removals where removal == .unlinked { document.removals[page] = .durable }
  }
}

extension PageSnapshot {
  /// The assets that the page's images show, in z-order.
  var assets: [NoteID] {
    elements.compactMap { element in
      if case .image(let image) = element { image.asset } else { nil }
    }
  }
}
