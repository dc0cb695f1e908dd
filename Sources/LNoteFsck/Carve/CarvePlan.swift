import Bytes
import LNoteFormat

/// A document as it will be written: what lists the pages, and what was found of each.
struct CarvedDocument {
  /// As it was found; for pages that no document lists, made up.
  var record: DocumentRecord
  /// True where no document was found.
  var isMadeUp: Bool
  /// What was found of each page of the record; nil where nothing was.
  var pages: [CarvedBody?]
}

/// Decides what belongs together. Pure: from what was found to the documents that are written.
enum CarvePlan {
  /// The title of the document for pages that no document lists.
  static let unlistedTitle = "Recovered pages"
  /// The title of a document whose own is lost.
  static let untitled = "Recovered document"

  /// The newest version of each document, in the order in which they were found, and one for all other pages.
  static func documents(from findings: CarveFindings, now: Timestamp) -> [CarvedDocument] {
    let bodies = CarvedBody.all(in: findings)
    var byPage: [NoteID: [CarvedBody]] = [:]
    for body in bodies { if let id = body.id { byPage[id, default: []].append(body) } }
    var listed: Set<NoteID> = []
    var documents = records(from: findings, now: now).map { record in
      listed.formUnion(record.pages.map(\.id))
      return CarvedDocument(record: record, isMadeUp: false, pages: record.pages.map { best(of: byPage[$0.id] ?? []) })
    }
    var seen: Set<NoteID> = listed
    let others = bodies.compactMap { body -> CarvedBody? in
      guard let id = body.id else { return body.count > 0 ? body : nil }
      return seen.insert(id).inserted ? best(of: byPage[id] ?? []) : nil
    }
    // A header alone, behind which nothing was found, says only that there was a page.
    let unlisted = others.filter { $0.count > 0 || $0.whole != nil }
    if !unlisted.isEmpty { documents.append(made(of: unlisted, now: now)) }
    return documents
  }

  /// The whole documents, and of others what can be read of them.
  private static func records(from findings: CarveFindings, now: Timestamp) -> [DocumentRecord] {
    let whole = newest(of: findings.documents, id: \.id) { $0.generation > $1.generation }
    let known = Set(whole.map(\.id))
    // The manifest makes up for a generation, so that all would have the same: the newest is told before.
    let salvaged = newest(of: findings.salvaged, id: \.id) { left, right in
      (left.generation ?? 0, left.pages.count) > (right.generation ?? 0, right.pages.count)
    }
    return whole
      + salvaged.compactMap { document in
        guard let id = document.id, !known.contains(id) else { return nil }
        return record(of: document, id, findings, now: now)
      }
  }

  /// What a damaged document says, with the title that its manifest has; it says itself that it is not whole.
  private static func record(
    of document: SalvagedDocument, _ id: NoteID, _ findings: CarveFindings, now: Timestamp
  ) -> DocumentRecord {
    let manifest = findings.manifests.filter { $0.id == id }.max { $0.documentGeneration < $1.documentGeneration }
    var seen: Set<NoteID> = []
    let pages = document.pages.filter { seen.insert($0.id).inserted }
    let stamp = RepairStamp(at: now)
    return DocumentRecord(
      id: id, title: document.title ?? manifest?.title ?? untitled,
      created: document.created ?? pages.map(\.created).min() ?? now,
      modified: document.modified ?? pages.map(\.modified).max() ?? now,
      generation: max(document.generation ?? 1, manifest?.documentGeneration ?? 1), pages: pages,
      deleted: document.deleted,
      losses: document.losses + [
        RecordedLoss(at: now, code: ProblemKind.documentDamaged.code, elements: 0, stamp: stamp.text)
      ], unknown: document.unknown)
  }

  /// The newest version of each document that has an identity, in the order in which they were found.
  private static func newest<Version>(
    of versions: [Version], id: (Version) -> NoteID?, isNewer: (Version, Version) -> Bool
  ) -> [Version] {
    var places: [NoteID: Int] = [:]
    var newest: [Version] = []
    for version in versions {
      guard let id = id(version) else { continue }
      if let place = places[id] {
        if isNewer(version, newest[place]) { newest[place] = version }
      } else {
        places[id] = newest.count
        newest.append(version)
      }
    }
    return newest
  }

  /// The newest whole version; one that is newer, and of which more was found than that one has, before it.
  static func best(of bodies: [CarvedBody]) -> CarvedBody? {
    let whole = bodies.filter { $0.whole != nil }.max { $0.generation < $1.generation }
    let part = bodies.filter { $0.whole == nil && $0.generation > (whole?.generation ?? 0) }
      .max { ($0.count, $0.generation) < ($1.count, $1.generation) }
    guard let whole else { return part }
    return part.map { $0.count > whole.count ? $0 : whole } ?? whole
  }

  private static func made(of bodies: [CarvedBody], now: Timestamp) -> CarvedDocument {
    let ordered = bodies.sorted { left, right in
      (left.header?.created ?? now, left.id ?? identity(of: left)) < (
        right.header?.created ?? now, right.id ?? identity(of: right)
      )
    }
    let entries = ordered.map { body in
      PageEntry(
        id: body.id ?? identity(of: body), canvas: body.header?.canvas ?? PackageView.canvasGuess,
        created: body.header?.created ?? now, modified: body.header?.modified ?? now,
        elementCount: UInt64(body.header?.elementCount ?? 0), generation: body.header?.generation ?? 0)
    }
    let record = DocumentRecord(
      id: identity(of: entries.flatMap(\.id.bytes)), title: unlistedTitle,
      created: entries.map(\.created).min() ?? now, modified: entries.map(\.modified).max() ?? now, generation: 1,
      pages: entries)
    return CarvedDocument(record: record, isMadeUp: true, pages: ordered)
  }

  /// An identity for a page whose own is lost: the same each time that the same strokes are found.
  private static func identity(of body: CarvedBody) -> NoteID {
    identity(of: body.frames.flatMap { frame in (0..<8).map { UInt8(truncatingIfNeeded: frame.key >> (8 * $0)) } })
  }

  private static func identity(of bytes: [UInt8]) -> NoteID {
    let digest = XXH3.digest128(of: bytes)
    // Version 8 of RFC 9562: made by a rule of one's own.
    return NoteID(
      high: digest.high & ~0xF000 | 0x8000, low: digest.low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
  }
}
