import Files

/// The folders of a package: LN0009, LN1001, and LN1002 or LN1003 where something else stands in their place.
enum DirectoryCheck {
  static func problems(in view: PackageView) -> [Problem] {
    var found: [Problem] = []
    for directory in view.facts.directories where !directory.exists && !view.isAbsent(directory.path) {
      // It is there in another spelling, which is told with that.
      if view.facts.folderNamed(directory.path) != nil { continue }
      if let obstacle = directory.obstacle {
        found += problem(of: obstacle, view).map { [$0] } ?? []
      } else if !isAnythingExpected(in: directory.path, view) {
        found.append(
          Problem(
            .missingDirectory, path: directory.path, slots: ["file": "\(directory.path)"],
            action: .makeDirectory(directory.path)))
      }
    }
    for directory in view.facts.directories where directory.device != nil && directory.device != view.facts.device {
      found.append(Problem(.crossesDevice, path: directory.path, slots: ["file": "\(directory.path)"]))
    }
    return found
  }

  private static func problem(of file: FileFacts, _ view: PackageView) -> Problem? {
    switch file.obstacle {
    case .unexpectedType(let kind):
      var found = Problem(
        .unexpectedType, path: file.path, evidence: kind.rawValue,
        slots: ["what": "\(file.path)", "type": Sentences.kind(kind)], action: .setAside(file.path))
      found.loss = loss(of: file.path, view)
      return found
    case .symbolicLink:
      // What the document needs may lie behind the link, so nothing is decided without it.
      return Problem(
        .symlinkInside, repairClass: .report, path: file.path, slots: ["what": "The folder \(file.path)"],
        details: ["Put the folder itself in the place of the link, then check again."])
    case .unreadable(let failure):
      return ObstacleCheck.problem(of: failure, path: file.path, what: "The folder \(file.path)")
    default: return nil
    }
  }

  /// What is found nowhere else when a folder is gone.
  private static func loss(of directory: BytePath, _ view: PackageView) -> ContentLoss {
    var loss = ContentLoss()
    guard view.document != nil else { return loss }
    switch directory {
    case PackagePaths.pages:
      for entry in view.entries where !view.isAbsent(PackagePaths.page(entry.id)) {
        if let candidate = view.candidate(forPage: entry.id) {
          loss += PageLoss.loss(placing: candidate.summary, for: entry)
        } else {
          loss += PageLoss.loss(of: entry, view)
        }
      }
    case PackagePaths.assets:
      for id in view.uses.keys { loss.elements += ObstacleCheck.lossOfImage(id, view) }
    default: break
    }
    return loss
  }

  private static func isAnythingExpected(in directory: BytePath, _ view: PackageView) -> Bool {
    switch directory {
    case PackagePaths.pages: !view.entries.isEmpty || view.document == nil
    case PackagePaths.assets: view.uses.contains { !view.isLossRecorded(ofAsset: $0.key) }
    default: false
    }
  }
}
