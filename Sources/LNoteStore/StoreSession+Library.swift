import Files
import LNoteFormat

extension StoreSession {
  /// The most names of a library that are looked at.
  static let libraryEntriesMax = 100_000

  /// Every document's manifest, in the order of the names' bytes. Reads no `document.json` and no page.
  func listLibrary() throws(StoreFailure) -> [LibraryItem] {
    let entries: [DirectoryEntry]
    do throws(FileCallError) {
      entries = try volume.entries(of: .root, countMax: StoreSession.libraryEntriesMax)
    } catch {
      throw .reading("The library", error)
    }
    return entries.compactMap { entry in
      guard case .package(let id) = PackageName.read(entry.name.bytes, in: .library) else { return nil }
      return [.directory, .unknown].contains(entry.kind) ? item(id, at: entry.name) : nil
    }
  }

  private func item(_ id: NoteID, at path: BytePath) -> LibraryItem {
    let bytes = try? volume.readWhole(path.appending(PackageNames.manifest), sizeMax: RecordLimits.bytesMax)
    let reading = bytes.map { ManifestRecord.read($0) }
    guard let reading, reading.condition.isReadable, var manifest = reading.record, manifest.id == id else {
      return LibraryItem(document: id, manifest: nil, hasCover: false)
    }
    // The library shows what it knows, and hands on nothing else.
    manifest.unknown = [:]
    let cover = manifest.coverPage.map { path.appending(PackageNames.thumbnail($0)) }
    let hasCover = cover.map { (try? volume.status(at: $0))?.kind == .regular } ?? false
    return LibraryItem(document: id, manifest: manifest, hasCover: hasCover)
  }
}
