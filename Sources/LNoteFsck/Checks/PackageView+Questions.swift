import Files
import LNoteFormat

extension PackageView {
  /// True where fields of the document are of no use; the view has what is known otherwise in their places.
  var isFaulty: Bool { if case .faulty = facts.document.content { true } else { false } }

  /// True where the file has the name of a temporary file.
  func isTemporary(_ file: FileFacts) -> Bool {
    facts.strays.contains { stray in
      guard case .temporary = stray.name else { return false }
      return stray.file.path == file.path
    }
  }

  /// A newer version of a page that is whole, to take its place; the best of several.
  ///
  /// Numbers tell what is newer only inside one package. So a file that has neither the name of a temporary file nor the
  /// page's own in another spelling, and may have come from another device, counts only where it has no less on it; a
  /// second copy by its name only where the page itself has gone back.
  func newerVersion(ofPage id: NoteID, than whole: PageSummary) -> (file: FileFacts, summary: PageSummary)? {
    let isBehind = whole.generation < entry(id)?.generation ?? 0
    return candidate(forPage: id) { stray, summary in
      if summary.generation <= whole.generation { return false }
      if case .copy = stray.name, !isBehind { return false }
      return summary.elements >= whole.elements || isOfThisPackage(stray.file, id)
    }
  }

  /// True where the name says that the file is this package's own writing of the page.
  private func isOfThisPackage(_ file: FileFacts, _ id: NoteID) -> Bool {
    file.path.parent == PackagePaths.pages && PackageName.read(file.path.name.bytes, in: .pages) == .page(id)
      || isTemporary(file)
  }

  /// True where iCloud keeps this file, or the folder that it lies in.
  func isAbsent(_ path: BytePath) -> Bool { absent.contains(path) || absent.contains(path.parent) }

  /// The page, image or document that this is a second name of; nil where it is a file of its own.
  func ownFile(sameAs stray: FileFacts) -> BytePath? {
    guard let status = stray.status, status.kind == .regular, status.links > 1 else { return nil }
    let own = facts.pages.map(\.file) + facts.assets.map(\.file) + [facts.document.file].compactMap { $0 }
    return own.first { $0.status?.inode == status.inode && $0.status?.device == status.device }?.path
  }

  /// True where the document records that this asset is lost, accepted or not.
  func isLossRecorded(ofAsset id: NoteID) -> Bool { document?.losses.contains { $0.asset == id } ?? false }

  /// True where the asset's file holds what a page that shows it was given.
  func isAssetWhole(_ id: NoteID) -> Bool {
    guard let content = asset(id)?.content, let uses = uses[id] else { return false }
    return uses.contains { $0.image.assetLength == content.length && $0.image.assetDigest == content.digest }
  }

  /// True where the folder is not there or all its names are known; false where nobody can say what is in it.
  func isListed(_ directory: BytePath) -> Bool {
    !facts.folderFailures.contains { $0.path == directory } && !facts.absent.contains(directory)
      && !facts.directories.contains { $0.path == directory && $0.obstacle != nil }
      && (facts.directories.contains { $0.path == directory && $0.exists } || facts.folderNamed(directory) == nil)
  }

  /// Why an image that nobody shows must stay; nil where everything that could show it was read.
  var doubt: Doubt? {
    guard facts.lock == .free else { return .packageInUse }
    guard let document else { return .unread([]) }
    if !facts.folderFailures.isEmpty || facts.directories.contains(where: { !$0.exists && $0.obstacle != nil }) {
      return .unread([])
    }
    var unread: [Int] = []
    var isUnread = false
    for page in facts.pages where !isDeleted(page) {
      if page.isReadable && !page.hasUnknownElements && !isLacking(page) { continue }
      isUnread = true
      if let number = place(page.id).number { unread.append(number) }
    }
    for entry in document.pages where page(entry.id) == nil {
      isUnread = true
      unread.append(place(entry.id).number ?? 0)
    }
    if isUnread { return .unread(unread.sorted()) }
    if hasUnreadJournal { return .unread([]) }
    if document.losses.contains(where: { !$0.isAccepted })
      || document.pages.contains(where: { $0.losses.contains { !$0.isAccepted } })
    {
      return .lossOpen
    }
    let isStrayUnread = facts.strays.contains { stray in
      stray.file.obstacle != nil || (stray.name == .unknown && stray.file.path.hasSuffix(".journal"))
    }
    if isStrayUnread || !facts.absent.isEmpty { return .unread([]) }
    return facts.isAsIs ? .asIs : nil
  }

  /// True where not all is here that the document says of this page: what is missing may show images.
  private func isLacking(_ page: PageFacts) -> Bool {
    guard let entry = entry(page.id) else { return false }
    switch page.content {
    case .misplaced: return !Placement.isElsewhere(page.id, self)
    case .whole(let summary), .trailing(let summary, _):
      if summary.generation < entry.generation { return !LossCheck.isHealed(entry, by: summary) }
      return summary.generation == entry.generation && summary.elements < PageLoss.expected(by: entry) ?? 0
    default: return false
    }
  }

  /// Why an image that nobody shows is not called unused.
  enum Doubt: Equatable {
    /// Another program may be about to show it.
    case packageInUse
    /// Something could not be read; the pages among it by number.
    case unread([Int])
    /// What a repair could not bring back may have shown it.
    case lossOpen
    /// What is not here may show it.
    case asIs
  }
}

extension PageFacts {
  /// True where the page holds elements of a type that this version does not know: they may use anything.
  var hasUnknownElements: Bool {
    switch content {
    case .whole(let summary), .trailing(let summary, _): summary.unknownElements > 0
    default: false
    }
  }
}
