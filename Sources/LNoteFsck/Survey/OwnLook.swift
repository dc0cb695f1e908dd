import Bytes
import Files
import LNoteFormat

/// Looks for images that a package lacks where nobody would: in its other files, and in what repairs have set aside.
///
/// A picture that was inserted twice has two files of the same bytes. So each is a copy of the other, and a file that
/// was found serves all who lack it.
struct OwnLook {
  /// In how many folders of a quarantine is looked, the package's own first.
  static let foldersMax = 256
  /// In how many repairs of one package is looked, the last one first.
  static let repairsMax = 16
  /// For how many files is asked.
  static let looksMax = 100_000

  /// The volume of the package, and its number among the sources of files.
  let own: (folder: LookIn, source: Int)
  /// The same of the folder that the user named for what repairs set aside.
  let quarantine: (folder: LookIn, source: Int, place: Quarantine)?

  /// Files with the very bytes that pages of the package were given, of those images that it lacks.
  func images(lackedBy package: PackageFacts) -> (twins: [NoteID: FoundFile], setAside: [NoteID: FoundFile]) {
    if package.refusal != nil || !package.mayLackImages { return ([:], [:]) }
    var wanted = PackageView(package).imagesWanted
    let twins = twins(wanted, in: package)
    wanted = wanted.filter { twins[$0.key] == nil }
    return (twins, wanted.isEmpty ? [:] : setAside(wanted, of: package.path))
  }

  // MARK: In the package

  private func twins(_ wanted: [NoteID: [ImageUse]], in package: PackageFacts) -> [NoteID: FoundFile] {
    var files: [AssetDigest: (file: FileFacts, length: UInt64)] = [:]
    for asset in package.assets {
      if let content = asset.content { files[content.digest] = (asset.file, content.length) }
    }
    for stray in package.strays where stray.name != .foreign {
      if case .bytes(let content) = stray.content, files[content.digest] == nil {
        files[content.digest] = (stray.file, content.length)
      }
    }
    return wanted.compactMapValues { uses in
      uses.lazy.compactMap { use -> FoundFile? in
        guard let (file, length) = files[use.image.assetDigest], length == use.image.assetLength else { return nil }
        let digest = Digest128(high: use.image.assetDigest.high, low: use.image.assetDigest.low).digits
        return FoundFile(
          source: own.source, path: package.path.appending(file.path), shown: "\(file.path)",
          state: .file(digest: digest, bytes: length), modified: file.status?.modified ?? 0)
      }.first
    }
  }

  // MARK: What repairs have set aside

  private func setAside(_ wanted: [NoteID: [ImageUse]], of package: BytePath) -> [NoteID: FoundFile] {
    var search = Search(wanted: wanted)
    search.look(in: SetAsidePlace(beside: package, in: own.folder.volume).parent, own.folder, own.source)
    guard let quarantine else { return search.found }
    let mine = SetAsidePlace(of: package, in: quarantine.place).parent
    let names = (try? quarantine.folder.volume.entries(of: mine.parent, countMax: SurveyLimits.namesMax)) ?? []
    let others = names.map { mine.parent.appending($0.name) }
      .filter { $0 != mine && $0.hasSuffix("-lost+found") }.sorted()
    for folder in ([mine] + others).prefix(OwnLook.foldersMax) {
      search.look(in: folder, quarantine.folder, quarantine.source)
    }
    return search.found
  }

  /// What is still wanted, and what was found of it.
  private struct Search {
    var wanted: [NoteID: [ImageUse]]
    var found: [NoteID: FoundFile] = [:]
    var looks = 0

    /// Looks in what repairs of one package have set aside.
    mutating func look(in parent: BytePath, _ folder: LookIn, _ source: Int) {
      if wanted.isEmpty || looks > OwnLook.looksMax { return }
      guard (try? folder.volume.status(at: parent))?.kind == .directory,
        let entries = try? folder.volume.entries(of: parent, countMax: SurveyLimits.namesMax)
      else { return }
      let reader = SurveyReader(volume: folder.volume, package: .root, progress: { _ in })
      let repairs = entries.compactMap(\.name.exactText).filter { RepairHistory.order(of: $0) != nil }
        .sorted { RepairHistory.isLater($0, than: $1) }
      for repair in repairs.prefix(OwnLook.repairsMax) {
        for (id, uses) in wanted {
          looks += 1
          let path = parent.appending(BytePath(repair)).appending(PackagePaths.asset(id))
          guard let file = folder.image(path, shownBy: uses, reader, source) else { continue }
          found[id] = file
          wanted[id] = nil
        }
      }
    }
  }
}

extension LookIn {
  /// The file where its bytes are those that a page was given; its size is asked for before it is read.
  func image(_ path: BytePath, shownBy uses: [ImageUse], _ reader: SurveyReader, _ source: Int) -> FoundFile? {
    guard let status = try? volume.status(at: path), status.kind == .regular,
      uses.contains(where: { $0.image.assetLength == UInt64(status.size) })
    else { return nil }
    return ElsewhereSurvey.image(path, shownBy: uses, reader, source, self)
  }
}

extension Fsck {
  /// Where files are fetched from: what the user named, the other packages, the package itself, what repairs set aside.
  var sources: [LookIn] {
    let own = ownLook
    return lookIn + [library?.folder ?? own.own.folder, own.own.folder] + (own.quarantine.map { [$0.folder] } ?? [])
  }

  /// The look at the package itself and at what repairs have set aside.
  var ownLook: OwnLook {
    let own = lookIn.count + 1
    return OwnLook(
      own: (LookIn(volume: volume, shown: ""), own),
      quarantine: quarantine.map { (LookIn(volume: $0.volume, shown: $0.shown), own + 1, $0) })
  }
}
