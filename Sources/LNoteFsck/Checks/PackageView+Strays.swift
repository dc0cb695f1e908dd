import Files
import LNoteFormat

/// Files whose names are none of the package's own, and what they are to it.
extension PackageView {
  /// The kind of finding for a file that is to stand at `target`: its name decides.
  func kind(ofCopyAt path: BytePath, for target: BytePath) -> ProblemKind {
    switch facts.strays.first(where: { $0.file.path == path })?.name {
    case .variant(target, .letterCase): .caseVariant
    case .variant(target, .characters): .characterVariant
    case .copy(target, _): .conflictCopyDiffers
    case .unknown, .variant, .copy: target == PackagePaths.document ? .temporaryIsOnlyGoodCopy : .badName
    case .temporary, .foreign, nil: .temporaryIsOnlyGoodCopy
    }
  }

  /// What else is left of a page that has no file and no whole copy: a damaged one, or one of its name in another
  /// spelling, whatever it holds.
  func remains(ofPage id: NoteID) -> StrayFacts? {
    guard page(id) == nil, candidate(forPage: id) == nil, !Placement.isAnywhere(id, self) else { return nil }
    let target = PackagePaths.page(id)
    return damagedStray(ofPage: id)?.stray
      ?? facts.strays.first { stray in
        guard case .variant(target, _) = stray.name, case .nothing = stray.content else { return false }
        return stray.file.obstacle == nil
      }
  }

  /// A damaged page of this identity under a name that is not its own: the one of which most can be kept.
  func damagedStray(ofPage id: NoteID) -> (stray: StrayFacts, damage: PageDamage)? {
    var best: (stray: StrayFacts, damage: PageDamage)?
    for stray in facts.strays {
      guard case .damagedPage(id, let damage) = stray.content else { continue }
      if let best, best.damage.salvage.elements >= damage.salvage.elements { continue }
      best = (stray, damage)
    }
    return best
  }

  /// The file that takes an image's place; of several images of the same bytes that lack one it is the first one's.
  func copy(forAsset id: NoteID) -> FileFacts? {
    guard let use = uses[id]?.first, let file = candidate(forAsset: use) else { return nil }
    let isAnothers = uses.contains { other, uses in
      guard other < id, let use = uses.first, !isAssetWhole(other), !isAbsent(PackagePaths.asset(other)) else {
        return false
      }
      return asset(other)?.file.obstacle == nil && candidate(forAsset: use)?.path == file.path
    }
    return isAnothers ? nil : file
  }

  /// True where a file or a folder stands at one of the package's own places.
  func isTaken(_ path: BytePath) -> Bool {
    facts.document.file?.path == path || facts.manifest.file?.path == path
      || facts.pages.contains { $0.file.path == path } || facts.assets.contains { $0.file.path == path }
      || facts.directories.contains { $0.path == path && ($0.exists || $0.obstacle != nil) }
  }

  /// Where a file goes that no other check asks for: to the name that it should have, where that is free and no other
  /// file is as good a claim to it. Nil where it stays.
  func home(of stray: StrayFacts) -> BytePath? {
    if case .page(let id, _) = stray.content {
      let target = PackagePaths.page(id)
      let isDeleted = document?.deleted.contains { $0.id == id } ?? true
      guard document != nil, !isDeleted, entry(id) == nil, page(id) == nil, isListed(PackagePaths.pages),
        !isAbsent(target), !Placement.isMisplaced(id, self), candidate(forPage: id)?.file.path == stray.file.path
      else { return nil }
      return target
    }
    guard case .variant(let target, _) = stray.name, target != PackagePaths.manifest, !isTaken(target),
      !isAbsent(target), isListed(target.parent)
    else { return nil }
    let first = facts.strays.first { other in
      if case .variant(target, _) = other.name { other.file.obstacle == nil } else { false }
    }
    return first?.file.path == stray.file.path && facts.folderNamed(target) == nil ? target : nil
  }
}

extension PackageFacts {
  /// A folder that has this one's name in another spelling.
  func folderNamed(_ directory: BytePath) -> StrayFacts? {
    strays.first { stray in
      guard case .variant(directory, _) = stray.name else { return false }
      return stray.file.status?.kind == .directory
    }
  }
}
