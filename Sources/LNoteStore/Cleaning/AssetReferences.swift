import Files
import LNoteFormat

/// Which pictures of a document are in use, and why that may not be the whole truth.
struct AssetReferences: Hashable {
  /// Assets that some page, unlisted page or temporary file mentions.
  var used: Set<NoteID> = []
  /// Why a picture that nothing mentions may be in use all the same; empty where everything was read whole.
  var doubts: [String] = []

  /// The assets that may be removed: used by nothing, and only where there is no doubt at all.
  func removable(of assets: [NoteID], ignoringDoubts: Bool) -> [NoteID] {
    if !doubts.isEmpty, !ignoringDoubts { return [] }
    return assets.filter { !used.contains($0) }
  }
}

/// Reads everything in a package that may mention a picture.
struct AssetReferenceSurvey {
  let volume: any Volume

  func references(in document: OpenDocument) -> AssetReferences {
    var found = AssetReferences()
    let losses = document.record.losses + document.record.pages.flatMap(\.losses)
    if losses.contains(where: { !$0.isAccepted }) { found.doubts.append("content is known to be lost") }
    surveyPackage(document, &found)
    surveyPages(document, &found)
    return found
  }

  /// Anything unknown in the package may hold pages: another engine's database, a second folder of a sync service.
  private func surveyPackage(_ document: OpenDocument, _ found: inout AssetReferences) {
    guard let entries = try? volume.entries(of: document.path, countMax: PageLoading.entriesMax) else {
      found.doubts.append("the package cannot be listed")
      return
    }
    for entry in entries {
      switch PackageName.read(entry.name.bytes, in: .package) {
      case .unknown, .placeholder: found.doubts.append("\(entry.name) is unknown")
      default: break
      }
    }
  }

  private func surveyPages(_ document: OpenDocument, _ found: inout AssetReferences) {
    guard let entries = try? volume.entries(of: document.pagesPath, countMax: PageLoading.entriesMax) else {
      found.doubts.append("the pages cannot be listed")
      return
    }
    var seen: [NoteID: UInt64] = [:]
    for entry in entries {
      let path = document.pagesPath.appending(entry.name)
      switch PackageName.read(entry.name.bytes, in: .pages) {
      case .foreign: break
      case .page(let id):
        if let generation = surveyPage(path, expecting: id, &found) { seen[id] = generation }
      case .temporary: surveyTemporary(path, &found)
      default: _ = surveyPage(path, expecting: nil, &found)
      }
    }
    for entry in document.record.pages {
      guard let generation = seen[entry.id] else {
        found.doubts.append("page \(entry.id) could not be read whole")
        continue
      }
      // The newer content, which a repair may still find, may show more pictures.
      if generation < entry.generation { found.doubts.append("page \(entry.id) is an older version") }
    }
  }

  /// The page's generation where it was read whole, and every element is known; else nil, and a doubt.
  private func surveyPage(_ path: BytePath, expecting id: NoteID?, _ found: inout AssetReferences) -> UInt64? {
    guard let bytes = try? volume.readWhole(path, sizeMax: PageLimits.fileBytesMax) else {
      found.doubts.append("\(path) cannot be read")
      return nil
    }
    let verdict = PageReader.verify(bytes, expecting: id)
    found.used.formUnion(verdict.images.map(\.asset))
    let isKnown = verdict.elements.allSatisfy { [FrameType.stroke, FrameType.image].contains($0.type) }
    guard verdict.condition == .whole, isKnown, let header = verdict.header else {
      found.doubts.append("\(path) is not whole")
      return nil
    }
    return header.generation
  }

  /// A remainder of a save is no page, so it need not be whole; but what it mentions may be wanted for a repair.
  private func surveyTemporary(_ path: BytePath, _ found: inout AssetReferences) {
    guard let bytes = try? volume.readWhole(path, sizeMax: PageLimits.fileBytesMax) else {
      found.doubts.append("\(path) cannot be read")
      return
    }
    for element in PageSalvage.salvage(bytes, expecting: nil).elements {
      if case .image(let image) = element { found.used.insert(image.asset) }
    }
  }
}
