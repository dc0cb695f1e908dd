import Bytes
import Files
import LNoteFormat

/// Looks in the folders that the user named for what a package lacks; nothing is read of them where it lacks nothing.
enum ElsewhereSurvey {
  /// What was found of it.
  static func facts(for package: PackageFacts, in folders: [LookIn]) -> ElsewhereFacts {
    var found = ElsewhereFacts()
    if folders.isEmpty || package.refusal != nil { return found }
    let view = PackageView(package)
    let pages = view.pagesWanted
    let images = view.imagesWanted
    for (source, folder) in folders.enumerated() {
      let reader = SurveyReader(volume: folder.volume, package: .root, progress: { _ in })
      for id in pages {
        found.pages[id, default: []] += folder.files(named: id).filter { isPageName($0.name) }
          .compactMap { page(id, at: $0, reader, source, folder) }
      }
      for (id, uses) in images where found.images[id] == nil {
        found.images[id] =
          folder.files(named: id).filter { !isPageName($0.name) }.lazy
          .compactMap { image($0, shownBy: uses, reader, source, folder) }.first
      }
      if view.isDocumentWanted { take(document: &found, view, reader, source, folder) }
    }
    for id in found.pages.keys { found.pages[id]?.sort { isBetter($0, than: $1) } }
    found.pages = found.pages.filter { !$0.value.isEmpty }
    return found
  }

  /// The newer version, then the fuller, then the one that was named first; the times of files come last.
  private static func isBetter(
    _ left: (file: FoundFile, summary: PageSummary), than right: (file: FoundFile, summary: PageSummary)
  ) -> Bool {
    let order = { (one: (file: FoundFile, summary: PageSummary)) in
      (one.summary.generation, one.summary.elements, -one.file.source, one.file.modified)
    }
    if order(left) != order(right) { return order(left) > order(right) }
    return left.file.path < right.file.path
  }

  private static func isPageName(_ name: BytePath) -> Bool {
    String(decoding: name.bytes, as: UTF8.self).lowercased().contains(".content")
  }

  private static func page(
    _ id: NoteID, at path: BytePath, _ reader: SurveyReader, _ source: Int, _ folder: LookIn
  ) -> (file: FoundFile, summary: PageSummary)? {
    guard let bytes = reader.bytes(of: path, bytesMax: SurveyLimits.pageBytesMax),
      let (found, summary) = bytes.withUnsafeBytes({ PageSurvey.wholePage(of: $0) }), found == id
    else { return nil }
    return (file(path, PlaceState(ofFile: bytes), reader, source, folder), summary)
  }

  static func image(
    _ path: BytePath, shownBy uses: [ImageUse], _ reader: SurveyReader, _ source: Int, _ folder: LookIn
  ) -> FoundFile? {
    guard let content = reader.digest(path, bytesMax: SurveyLimits.assetBytesMax, from: nil)?.answer,
      uses.contains(where: { $0.image.assetLength == content.length && $0.image.assetDigest == content.digest })
    else { return nil }
    let digest = Digest128(high: content.digest.high, low: content.digest.low).digits
    return file(path, .file(digest: digest, bytes: content.length), reader, source, folder)
  }

  private static func take(
    document found: inout ElsewhereFacts, _ view: PackageView, _ reader: SurveyReader, _ source: Int, _ folder: LookIn
  ) {
    guard let id = view.facts.folderID else { return }
    for path in folder.documents(of: id) {
      guard let bytes = reader.bytes(of: path, bytesMax: SurveyLimits.recordBytesMax),
        case .document(let record) = RecordSurvey.stray(bytes), record.id == id
      else { continue }
      if let best = found.document, best.record.generation >= record.generation { continue }
      found.document = (file(path, PlaceState(ofFile: bytes), reader, source, folder), record)
    }
  }

  private static func file(
    _ path: BytePath, _ state: PlaceState, _ reader: SurveyReader, _ source: Int, _ folder: LookIn
  ) -> FoundFile {
    FoundFile(
      source: source, path: path, shown: folder.shown.isEmpty ? "\(path)" : "\(folder.shown)/\(path)", state: state,
      modified: reader.look(at: path)?.status?.modified ?? 0)
  }
}

extension PackageView {
  /// The pages of which a better copy would be of use: missing, damaged, gone back, or with a loss on record.
  fileprivate var pagesWanted: [NoteID] {
    var wanted = entries.filter { entry in
      guard let whole = page(entry.id)?.whole else { return page(entry.id)?.isReadable != true }
      return whole.generation < entry.generation || entry.losses.contains { !$0.isAccepted }
    }.map(\.id)
    wanted += facts.pages.filter { entry($0.id) == nil && !$0.isReadable && !isDeleted($0) }.map(\.id)
    return wanted.filter { !isAbsent(PackagePaths.page($0)) }
  }

  /// The images of which the file is missing or not what a page was given.
  var imagesWanted: [NoteID: [ImageUse]] {
    let accepted = Set((document?.losses ?? []).filter(\.isAccepted).compactMap(\.asset))
    return uses.filter { id, _ in
      !isAssetWhole(id) && !isAbsent(PackagePaths.asset(id)) && !accepted.contains(id)
    }
  }

  fileprivate var isDocumentWanted: Bool {
    guard let document else { return !isAbsent(PackagePaths.document) }
    return facts.manifest.record.map { isLater($0, than: document) } ?? false
  }
}
