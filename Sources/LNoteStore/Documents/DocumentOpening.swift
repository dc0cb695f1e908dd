import Files
import LNoteFormat

/// Opens documents: takes the lock, then reads `document.json` and the manifest, and no page.
struct DocumentOpening {
  let volume: any Volume
  let mutant: StoreMutant?
  let memory: StoreMemory?

  /// The document, locked; nothing is changed and nothing stays locked where this throws.
  func open(_ id: NoteID) throws(StoreFailure) -> OpenDocument {
    let path = BytePath(PackageNames.package(id))
    let lock = try takeLock(id, path)
    do throws(StoreFailure) {
      // Taken before the file is read, so that a change in between is seen.
      let stamp = FileStamp(path.appending(PackageNames.document), on: volume)
      let document = OpenDocument(id: id, path: path, lock: lock, record: try readRecord(id, path))
      document.stamp = stamp
      readManifest(of: document)
      return document
    } catch {
      if mutant == .loadFailureIsEmpty {
        // SEEDED BUG load-failure-is-empty: what cannot be read is taken for a new document, and saved so.
        return emptyDocument(id, path, lock)
      }
      try? volume.close(lock)
      throw error
    }
  }

  private func takeLock(_ id: NoteID, _ path: BytePath) throws(StoreFailure) -> OpenFile {
    let directory: OpenFile
    do throws(FileCallError) {
      directory = try volume.open(path, for: .directory)
    } catch {
      if error.errno == .enoent { throw .notFound("There is no document \(id) in this library.") }
      throw .reading("The document \(id)", error)
    }
    do throws(FileCallError) {
      try volume.lockExclusively(directory)
      return directory
    } catch {
      let failure = StoreFailure.locked(id, error, holder: volume.lockHolder(of: directory))
      try? volume.close(directory)
      throw failure
    }
  }

  private func readRecord(_ id: NoteID, _ path: BytePath) throws(StoreFailure) -> DocumentRecord {
    let what = "The document \(id)"
    let reading: RecordReading<DocumentRecord>
    do throws(FileCallError) {
      reading = try volume.readWhole(
        path.appending(PackageNames.document), sizeMax: RecordLimits.bytesMax, OnlyQuestion(),
        from: memory?.documents, { DocumentRecord.read($0) })
    } catch {
      throw .reading(what, error)
    }
    if case .versionUnknown(let version) = reading.condition {
      throw StoreFailure(
        kind: .versionUnknown, message: "\(what) was written by a newer app (format \(version)). Nothing was changed.")
    }
    guard reading.condition.isReadable, let record = reading.record else {
      throw .damaged(what, "has a damaged document.json")
    }
    guard record.id == id else { throw .damaged(what, "calls itself \(record.id) in its document.json") }
    guard Set(record.pages.map(\.id)).count == record.pages.count else { throw .damaged(what, "lists a page twice") }
    guard record.generation < PageLimits.generationMax - OpenDocument.generationsSpare,
      record.pages.allSatisfy({ $0.generation < PageLimits.generationMax - OpenDocument.generationsSpare }),
      record.deleted.allSatisfy({ $0.generation < PageLimits.generationMax - OpenDocument.generationsSpare })
    else { throw .damaged(what, "has an impossible generation in its document.json") }
    return record
  }

  /// The manifest is a cache: one that is absent or damaged is written anew at the next save, an old one also where
  /// there is nothing to save.
  private func readManifest(of document: OpenDocument) {
    let reading = try? volume.readWhole(
      document.path(of: PackageNames.manifest), sizeMax: RecordLimits.bytesMax, OnlyQuestion(),
      from: memory?.manifests, { ManifestRecord.read($0) })
    guard let reading else { return }
    guard reading.condition.isReadable, let manifest = reading.record, manifest.id == document.id else { return }
    document.manifest = manifest
    if manifest.documentGeneration < document.record.generation { document.unmirrored = document.record }
    if manifest.documentGeneration > document.record.generation {
      document.readOnly = StoreFailure(
        kind: .readOnly,
        message:
          "The document \(document.id) is an older version (\(document.record.generation)) than the one last saved"
          + " (\(manifest.documentGeneration)). It can be read, not changed. Run lnote-fsck on it to see more.")
    }
  }

  private func emptyDocument(_ id: NoteID, _ path: BytePath, _ lock: OpenFile) -> OpenDocument {
    let start = Timestamp(milliseconds: 0)
    let record = DocumentRecord(id: id, title: "", created: start, modified: start, generation: 0, pages: [])
    let document = OpenDocument(id: id, path: path, lock: lock, record: record)
    document.recordIsBehind = true
    return document
  }
}

extension StoreFailure {
  static func locked(_ id: NoteID, _ error: FileCallError, holder: Int32?) -> StoreFailure {
    let message =
      if error.errno != .eagain {
        "The document \(id) cannot be locked (\(error)), so another program may have it open. Nothing was changed."
      } else if let holder {
        "The document \(id) is open in another program (process \(holder)). Close it there and try again."
      } else {
        "The document \(id) is open in another program. Close it there and try again."
      }
    return StoreFailure(kind: .locked, call: error.call, errno: error.errno, message: message)
  }
}
