import Files
import LNoteFormat

/// Writes pictures' files: assets are on the medium before any page refers to them, and are never changed.
struct AssetWriting {
  let writer: SafeWriter

  /// Writes the file and makes it durable; what was made is removed again where this throws.
  func write(_ bytes: [UInt8], as asset: NoteID, of document: OpenDocument) throws(StoreFailure) {
    let path = document.path(of: PackageNames.asset(asset))
    // SEEDED BUG asset-file-not-synced: the directory is synced, the file is not.
    let isSynced = writer.mutant != .assetFileNotSynced
    do throws(FileCallError) {
      try writer.commit(try writer.stage(bytes, for: path, synced: isSynced))
      do throws(FileCallError) {
        try writer.synchronizeDirectory(document.assetsPath)
      } catch {
        writer.remove(Leftover(path: path, isDirectory: false))
        throw error
      }
    } catch {
      throw StoreFailure(error, "The picture could not be saved", then: "The page is as it was. Insert it again.")
    }
  }

  /// Throws where the name is taken, or where that cannot be told.
  func refuseTaken(_ asset: NoteID, of document: OpenDocument) throws(StoreFailure) {
    do throws(FileCallError) {
      _ = try writer.volume.status(at: document.path(of: PackageNames.asset(asset)))
    } catch {
      if error.errno == .enoent { return }
      throw .reading("The pictures of document \(document.id)", error)
    }
    throw .exists("The document has a picture \(asset) already. A changed picture needs a new identity.")
  }
}
