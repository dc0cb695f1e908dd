import Files
import LNoteFormat

/// Reads a package, every file once, into facts. Writes nothing.
struct PackageSurvey {
  let reader: SurveyReader
  let memory: SurveyMemory?
  var facts: PackageFacts
  var hints: [NoteID: UInt64] = [:]
  private var wanted: [NoteID: [PlacedImage]] = [:]
  var wantedSizes: Set<UInt64> = []

  /// The facts of the package; a package that changes meanwhile is read again, three times at the most.
  ///
  /// Facts of a package that held the same are taken from memory, but for the lock and `isAsIs`.
  ///
  /// - Parameters:
  ///   - holdsLock: true where the caller itself holds the package's lock.
  ///   - places: where repairs have set things aside; nil for the folder beside the package.
  static func facts(
    of package: BytePath, in volume: any Volume, holdsLock: Bool, isAsIs: Bool = false, level: CheckLevel = .default,
    places: [SetAsidePlace]? = nil,
    memory: SurveyMemory? = nil, progress: @escaping (Int) -> Void = { _ in }
  ) -> PackageFacts {
    // What is remembered was read to the default level.
    let memory = level == .default ? memory : nil
    var facts =
      level == .default
      ? factsOfPackage(package, in: volume, holdsLock: holdsLock, isAsIs: isAsIs, memory: memory, progress: progress)
      : readFacts(
        of: package, in: volume, holdsLock: holdsLock, isAsIs: isAsIs, level: level, memory: nil, progress: progress)
    // What lies beside the package is no part of what is known of the package itself.
    if !LinkCheck.linked(in: facts).isEmpty {
      let place = SetAsidePlace(beside: package, in: volume).parent
      facts.hasNamesSetAside = (try? volume.status(at: place)) != nil
    }
    if facts.refusal == nil && facts.document.trusted == nil {
      let places = places ?? [SetAsidePlace(beside: package, in: volume)]
      facts.setAside = SetAsideSurvey.document(of: facts, in: places, memory: memory, progress: progress)
    }
    return facts
  }

  private static func factsOfPackage(
    _ package: BytePath, in volume: any Volume, holdsLock: Bool, isAsIs: Bool, memory: SurveyMemory?,
    progress: @escaping (Int) -> Void
  ) -> PackageFacts {
    let name = memory == nil ? nil : volume.named(at: package)?.name
    if let name, var known = memory?.packages.answer(to: package, about: name),
      let lock = holdsLock ? PackageLock.free : try? PackageLock.probe(package, in: volume)
    {
      known.lock = lock
      known.isAsIs = isAsIs
      progress(Int(known.verified.bytes))
      return known
    }
    let facts = readFacts(
      of: package, in: volume, holdsLock: holdsLock, isAsIs: isAsIs, memory: memory, progress: progress)
    if let name, facts.refusal == nil, volume.named(at: package)?.name == name {
      memory?.packages.keep(facts, bytes: facts.bytesToKeep, to: package, about: name)
    }
    return facts
  }

  private static func readFacts(
    of package: BytePath, in volume: any Volume, holdsLock: Bool, isAsIs: Bool, level: CheckLevel = .default,
    memory: SurveyMemory?, progress: @escaping (Int) -> Void
  ) -> PackageFacts {
    for _ in 0..<SurveyLimits.readingsMax {
      var survey = PackageSurvey(volume: volume, package: package, memory: memory, progress: progress)
      survey.facts.isAsIs = isAsIs
      survey.facts.level = level
      let before = survey.folders()
      survey.run(before, holdsLock: holdsLock)
      if survey.facts.refusal != nil || states(of: survey.folders()) == states(of: before) { return survey.facts }
    }
    var facts = PackageFacts(path: package)
    facts.refusal = .changing
    return facts
  }

  private init(
    volume: any Volume, package: BytePath, memory: SurveyMemory?, progress: @escaping (Int) -> Void
  ) {
    self.memory = memory
    reader = SurveyReader(volume: volume, package: package, progress: progress)
    facts = PackageFacts(path: package)
    if case .package(let id) = PackageName.read(package.name.bytes, in: .library) { facts.folderID = id }
  }

  /// The package's folder, and then those in it; nil for what is not there.
  private func folders() -> [FileFacts?] {
    ([BytePath.root] + PackagePaths.directories).map { reader.look(at: $0, expecting: .directory) }
  }

  /// When the folders were last changed: a save renames, so it shows.
  private static func states(of folders: [FileFacts?]) -> [[Int64]] {
    folders.map { folder in
      folder?.status.map { [$0.modified, $0.changed, Int64(truncatingIfNeeded: $0.inode)] } ?? []
    }
  }

  private mutating func run(_ folders: [FileFacts?], holdsLock: Bool) {
    guard let folder = folders[0] else {
      facts.refusal = .notAPackage("it is not there")
      return
    }
    switch folder.obstacle {
    case .unreadable(let failure):
      facts.refusal = .unreadable(failure)
      return
    case .symbolicLink:
      facts.refusal = .notAPackage("it is a symbolic link")
      return
    case .unexpectedType(let kind):
      facts.refusal = .notAPackage(kind == .regular ? "it is a file, not a folder" : "it is no folder")
      return
    default: break
    }
    facts.device = folder.status?.device
    let entries: [DirectoryEntry]
    do throws(FileCallError) {
      if !holdsLock { facts.lock = try PackageLock.probe(reader.package, in: reader.volume) }
      entries = try reader.volume.entries(of: reader.package, countMax: SurveyLimits.ownNamesMax)
    } catch {
      facts.refusal = .unreadable(FileCallFailure(error))
      return
    }
    surveyRecords(entries)
    for (directory, folder) in zip(PackagePaths.directories, folders.dropFirst()) { surveyDirectory(directory, folder) }
    for entry in entries { surveyStray(entry.name, in: .root, folder: .package) }
    facts.verified.packages = 1
    facts.verified.bytes = reader.bytesRead
    if !looksLikePackage { facts.refusal = .notAPackage("it holds neither document.json nor pages") }
  }

  private var looksLikePackage: Bool {
    facts.document.file != nil || facts.manifest.file != nil || !facts.pages.isEmpty || !facts.assets.isEmpty
      || facts.directories.contains { $0.exists || $0.obstacle != nil } || !facts.absent.isEmpty
      || facts.strays.contains { stray in
        switch stray.content {
        case .document, .page: true
        default: false
        }
      }
  }

  // MARK: document.json and manifest.json

  private mutating func surveyRecords(_ entries: [DirectoryEntry]) {
    func kind(_ name: BytePath) -> FileKind { entries.first { $0.name == name }?.kind ?? .unknown }
    if let found = reader.whole(
      PackagePaths.document, listed: kind(PackagePaths.document), bytesMax: SurveyLimits.recordBytesMax,
      from: memory?.documents,
      { RecordSurvey.document(Array($0)) })
    {
      facts.document = DocumentFacts(file: found.file, content: found.answer)
      switch found.answer {
      case .unverified: facts.verified.withoutChecksum = 1
      case .faulty(let mended) where !mended.hasChecksum: facts.verified.withoutChecksum = 1
      default: break
      }
    }
    if let found = reader.whole(
      PackagePaths.manifest, listed: kind(PackagePaths.manifest), bytesMax: SurveyLimits.recordBytesMax,
      from: memory?.manifests,
      { RecordSurvey.manifest(Array($0)) })
    {
      facts.manifest = ManifestFacts(
        file: found.file, record: found.answer?.record, damage: found.answer?.damage,
        unknown: found.answer?.unknown ?? [:])
    }
    // Of several entries of a page the first counts, as it will in the plan.
    for entry in PackageView.entries(of: facts.document) where hints[entry.id] == nil {
      hints[entry.id] = entry.generation
    }
  }

  // MARK: The three folders

  private mutating func surveyDirectory(_ directory: BytePath, _ folder: FileFacts?) {
    guard let folder else {
      facts.directories.append(DirectoryFacts(path: directory, exists: false, obstacle: nil))
      return
    }
    if folder.obstacle != nil {
      facts.directories.append(DirectoryFacts(path: directory, exists: false, obstacle: folder))
      return
    }
    facts.directories.append(
      DirectoryFacts(path: directory, exists: true, obstacle: nil, device: folder.status?.device))
    do throws(FileCallError) {
      let path = reader.package.appending(directory)
      let entries = try reader.volume.entries(of: path, countMax: SurveyLimits.ownNamesMax)
      // What other files are good for depends on what the folder's own ones need.
      let others = entries.filter { !surveyOwn($0, in: directory) }
      // What a journal is follows from its page.
      surveyJournals(entries.compactMap { PackageSurvey.journal($0.name, in: directory) })
      for entry in others { surveyStray(entry.name, in: directory, folder: PackagePaths.folder(directory)) }
    } catch {
      facts.folderFailures.append(
        FileFacts(path: directory, status: folder.status, obstacle: .unreadable(FileCallFailure(error))))
    }
  }

  /// False for what has no name of the package's own.
  private mutating func surveyOwn(_ entry: DirectoryEntry, in directory: BytePath) -> Bool {
    let folder = PackagePaths.folder(directory)
    let name = entry.name
    let path = directory.appending(name)
    let read = PackageName.read(name.bytes, in: folder)
    switch read {
    // The app looks for the one spelling only: what has another is a stray, to be put in its place where it is needed.
    case .page(let id) where read.isCanonical(name.bytes): surveyPage(id, path, entry.kind)
    case .asset(let id) where read.isCanonical(name.bytes): surveyAsset(id, path)
    case .thumbnail(let id): surveyThumbnail(id, path)
    case .journal: break
    default: return false
    }
    return true
  }

  private mutating func glanceAtPage(_ id: NoteID, _ path: BytePath, _ kind: FileKind) {
    guard
      let found = reader.head(
        of: path, listed: kind, count: PageGlance.bytes, bytesMax: SurveyLimits.pageBytesMax)
    else { return }
    let content = found.answer.map { PageSurvey.glance($0, size: found.file.size, id: id) }
    facts.pages.append(PageFacts(id: id, file: found.file, content: content))
    facts.verified.pagesUnread += 1
  }

  private mutating func surveyPage(_ id: NoteID, _ path: BytePath, _ kind: FileKind) {
    if facts.level == .quick { return glanceAtPage(id, path, kind) }
    let hint = hints[id]
    guard
      let found = reader.whole(
        path, listed: kind, bytesMax: SurveyLimits.pageBytesMax,
        SurveyMemory.PageQuestion(id: id, generationHint: hint),
        from: memory?.pages,
        { PageSurvey.content(of: $0, id: id, generationHint: hint) })
    else { return }
    var page = PageFacts(id: id, file: found.file, content: found.answer ?? nil)
    if found.file.obstacle == nil && page.content == nil {
      let file = FileFacts(
        path: path, status: found.file.status, obstacle: .tooLarge(limit: SurveyLimits.pageBytesMax))
      page = PageFacts(id: id, file: file, content: nil)
    }
    for image in page.images.0 {
      wanted[image.asset, default: []].append(image)
      wantedSizes.insert(image.assetLength)
    }
    if page.content != nil { facts.verified.pages += 1 } else { facts.verified.pagesUnread += 1 }
    facts.pages.append(page)
  }

  private mutating func surveyAsset(_ id: NoteID, _ path: BytePath) {
    if facts.level == .quick {
      guard var file = reader.look(at: path) else { return }
      if file.obstacle == nil && file.size > SurveyLimits.assetBytesMax {
        file = FileFacts(path: path, status: file.status, obstacle: .tooLarge(limit: SurveyLimits.assetBytesMax))
      }
      facts.assets.append(AssetFacts(id: id, file: file, content: nil))
      facts.verified.imagesUnread += 1
      return
    }
    guard let found = readAsset(path) else { return }
    var asset = AssetFacts(id: id, file: found.file, content: found.answer)
    if let content = found.answer, content.decoding == nil, let wanted = wanted[id],
      !wanted.contains(where: { $0.assetLength == content.length && $0.assetDigest == content.digest })
    {
      // Only a file that is known to be bad is read a second time, to say what is wrong with it.
      let found = reader.whole(
        path, bytesMax: SurveyLimits.assetBytesMax, from: memory?.explanations, { AssetSurvey.explain($0) })
      if let explanation = found?.answer {
        asset.content?.isCut = explanation.isCut
        asset.content?.hasZeros = explanation.hasZeros
      } else if let file = found?.file {
        // A disk that fails now is no proof that the image was bad before.
        asset = AssetFacts(id: id, file: file, content: nil)
      }
    }
    if asset.content != nil { facts.verified.images += 1 } else { facts.verified.imagesUnread += 1 }
    if asset.content?.decoding?.decoding.map({ $0.end != .tooLarge }) == true { facts.verified.imagesDecoded += 1 }
    facts.assets.append(asset)
  }

  private func readAsset(_ path: BytePath) -> (file: FileFacts, answer: AssetContent?)? {
    guard facts.level == .deep else {
      return reader.digest(path, bytesMax: SurveyLimits.assetBytesMax, from: memory?.digests)
    }
    let nothing: ContentMemory<OnlyQuestion, AssetContent>? = nil
    return reader.whole(path, bytesMax: SurveyLimits.assetBytesMax, from: nothing) { AssetSurvey.decode($0) }
  }

  private mutating func surveyThumbnail(_ id: NoteID, _ path: BytePath) {
    guard facts.level != .quick else {
      if let file = reader.look(at: path) { facts.thumbnails.append(ThumbnailFacts(id: id, file: file)) }
      return
    }
    let found = reader.whole(
      path, bytesMax: SurveyLimits.thumbnailBytesMax, id, from: memory?.thumbnails,
      { ThumbnailSurvey.content(of: $0, page: id) })
    guard var found else { return }
    if case .tooLarge = found.file.obstacle { found.file = FileFacts(path: path, status: found.file.status) }
    facts.thumbnails.append(ThumbnailFacts(id: id, file: found.file, content: found.answer))
  }
}
