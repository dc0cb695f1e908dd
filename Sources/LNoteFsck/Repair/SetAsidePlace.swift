import Files

/// A folder that the user named for what repairs set aside: `--quarantine`.
package struct Quarantine: Sendable {
  /// The volume that holds it; never the package's own view of the disk, so that nothing is renamed into it.
  let volume: any Volume
  /// Where on that volume; below it each package gets a folder of its own.
  let folder: BytePath
  /// The folder as the user wrote it.
  let shown: String

  /// A folder of a volume.
  package init(volume: any Volume, folder: BytePath = .root, shown: String) {
    self.volume = volume
    self.folder = folder
    self.shown = shown
  }
}

/// Where what the repairs of one package set aside is: beside it, or in a folder that the user named.
struct SetAsidePlace {
  static let suffix = "-lost+found"

  /// The volume of what is set aside.
  let volume: any Volume
  /// The folder that holds a folder for each repair.
  let parent: BytePath
  /// What stands before a path of the volume for the user; nil beside the package.
  let shown: String?

  /// True where a thing gets there by being copied, and is then taken away where it was.
  var isElsewhere: Bool { shown != nil }

  /// The place beside the package on its own volume.
  init(beside package: BytePath, in volume: any Volume) {
    self.volume = volume
    parent = SetAsidePlace.named(after: package)
    shown = nil
  }

  /// The package's folder in the one that the user named.
  init(of package: BytePath, in quarantine: Quarantine) {
    volume = quarantine.volume
    parent = quarantine.folder.appending(SetAsidePlace.named(after: package.name))
    shown = quarantine.shown + "/"
  }

  private static func named(after path: BytePath) -> BytePath { BytePath(bytes: path.bytes + Array(suffix.utf8)) }
}

extension Fsck {
  /// Where this run sets aside what it takes from the package.
  func place(for package: BytePath) -> SetAsidePlace {
    quarantine.map { SetAsidePlace(of: package, in: $0) } ?? SetAsidePlace(beside: package, in: volume)
  }

  /// Where repairs of the package may have set something aside.
  func places(for package: BytePath) -> [SetAsidePlace] {
    let own = SetAsidePlace(beside: package, in: volume)
    return quarantine.map { [own, SetAsidePlace(of: package, in: $0)] } ?? [own]
  }

  /// What keeps the plan from being done; asked before anything of it is.
  func obstacle(
    to plan: RepairPlan, for problems: [Problem], in facts: PackageFacts, mode: RepairMode
  ) -> RepairRefusal? {
    if let refusal = shortage(for: plan, in: facts) { return refusal }
    guard let quarantine else { return nil }
    var bytes = RepairPlan.slackBytes
    var paths = Set(plan.steps.flatMap(\.pathsToSetAside))
    // Also what a later round would come to, so that nothing is begun that does not end.
    for problem in problems where mode.allows(problem.repairClass) {
      if case .setAside(let path) = problem.action { paths.insert(path) }
    }
    for path in paths.sorted() {
      guard let status = try? volume.status(at: facts.path.appending(path)) else { continue }
      if status.kind != .regular { return .cannotBeCopied(path, status.kind) }
      bytes += status.size + RepairPlan.stepBytes
    }
    guard let free = try? quarantine.volume.freeSpace(), free.bytes < bytes else { return nil }
    return .noSpace(needed: bytes, free: free.bytes)
  }
}

extension RepairStep {
  /// The places at which something is set aside by it.
  var pathsToSetAside: [BytePath] {
    switch work {
    case .makeDirectory: []
    case .drawThumbnail: [path]
    default: inputPaths
    }
  }
}
