import Files
import LNoteFormat

/// Makes new documents: a whole package under a dot name, synced, then renamed into the library.
struct DocumentCreation {
  let writer: SafeWriter

  private var volume: any Volume { writer.volume }

  /// The new document, locked and on the medium; what was made is removed again where this throws.
  func create(_ record: DocumentRecord) throws(StoreFailure) -> OpenDocument {
    let target = BytePath(PackageNames.package(record.id))
    if try stands(target) { throw .exists("The library has a document \(record.id) already.") }
    writer.removeAbandoned()
    let temporary = writer.temporaryName(for: target)
    var made: [Leftover] = []
    var lock: OpenFile?
    do throws(FileCallError) {
      try volume.makeDirectory(temporary, permissions: SafeWriter.directoryPermissions)
      made.append(Leftover(path: temporary, isDirectory: true))
      let directory = try volume.open(temporary, for: .directory)
      lock = directory
      try volume.lockExclusively(directory)
      try fill(temporary, with: record, made: &made)
      // Not every file system can refuse to replace; a directory that holds anything is never replaced.
      try volume.rename(temporary, to: target)
      try settle(temporary, target)
      let document = OpenDocument(id: record.id, path: target, lock: directory, record: record)
      document.manifest = ManifestRecord(mirroring: record)
      document.knowsLeftovers = true
      document.stamp = FileStamp(document.path(of: PackageNames.document), on: volume)
      return document
    } catch {
      if let lock { try? volume.close(lock) }
      for leftover in made.reversed() { writer.remove(leftover) }
      throw StoreFailure(
        error, "The document \(record.id) could not be made", then: "The library is as it was. Try again.")
    }
  }

  private func stands(_ target: BytePath) throws(StoreFailure) -> Bool {
    do throws(FileCallError) {
      _ = try volume.status(at: target)
      return true
    } catch {
      if error.errno == .enoent { return false }
      throw .reading("The library", error)
    }
  }

  private func fill(
    _ package: BytePath, with record: DocumentRecord, made: inout [Leftover]
  ) throws(FileCallError) {
    let folders = [PackageNames.pages, PackageNames.assets, PackageNames.thumbnails].map { package.appending($0) }
    for folder in folders {
      try volume.makeDirectory(folder, permissions: SafeWriter.directoryPermissions)
      made.append(Leftover(path: folder, isDirectory: true))
    }
    let manifest = ManifestRecord(mirroring: record)
    for (name, bytes) in [
      (PackageNames.document, record.encoded()), (PackageNames.manifest, manifest.encoded()),
    ] {
      let path = package.appending(name)
      try writer.makeFile(bytes, at: path)
      made.append(Leftover(path: path, isDirectory: false))
    }
    for directory in folders + [package] { try writer.synchronizeDirectory(directory) }
  }

  /// Makes the new name durable, or takes it back so that nobody sees a document that a power cut may take.
  private func settle(_ temporary: BytePath, _ target: BytePath) throws(FileCallError) {
    do throws(FileCallError) {
      try writer.synchronizeDirectory(target.parent)
    } catch {
      try volume.rename(target, to: temporary)
      throw error
    }
  }
}
