import Files
import LNoteFormat

/// Copies a package to another volume, so that the copy can be repaired and the source stays as it is.
///
/// The copy is built under a name that begins with a dot, every file and folder synced, and then renamed.
package struct PackageCopy {
  private let source: any Volume
  private let target: any Volume
  private let progress: (Int) -> Void
  /// A thing that is no file and no folder.
  package struct LeftOut: Hashable, Sendable {
    /// Where it stands in the package.
    package let path: BytePath
    /// What it is.
    package let kind: FileKind
  }

  /// What cannot be copied: links, FIFOs, sockets, devices; they stay in the source.
  package private(set) var leftOut: [LeftOut] = []
  /// Copies that an earlier run could not finish; they are removed.
  package private(set) var removed: [BytePath] = []
  private var root = BytePath.root

  /// A copier between two volumes.
  package init(
    from source: any Volume, to target: any Volume, progress: @escaping (Int) -> Void = { _ in }
  ) {
    self.source = source
    self.target = target
    self.progress = progress
  }

  /// Copies the package at `path` of the source to `place` of the target, whose folders are made.
  ///
  /// - Throws: EEXIST where something stands there already; ENOSPC before anything is written where it will not fit;
  ///   whatever reading or writing throws: then nothing of the copy is left.
  package mutating func copy(
    _ path: BytePath, to place: BytePath, now: Timestamp
  ) throws(FileCallError) {
    if try target.kind(at: place) != nil { throw FileCallError("rename", [place], Errno(rawValue: 17)) }
    if let free = try? target.freeSpace(), free.bytes < (try size(of: path)) + RepairPlan.slackBytes {
      throw FileCallError("write", [place], Errno(rawValue: 28))
    }
    try makeFolders(of: place)
    removeUnfinished(of: place)
    root = path
    let temporary = place.parent.appending(
      BytePath(
        bytes: PackageCopy.prefix(of: place) + Array("\(now.milliseconds)".utf8) + PackageCopy.ending))
    try target.makeDirectory(temporary, permissions: 0o755)
    // Whoever finds the folder unlocked knows that nobody works on it any more.
    let folder = (try? PackageLock.take(temporary, in: target))?.folder
    defer { if let folder { try? target.close(folder) } }
    do throws(FileCallError) {
      try copyContents(of: path, to: temporary)
      try target.renameKeeping(temporary, to: place)
    } catch {
      remove(temporary)
      throw error
    }
    try target.synchronizeDirectory(place.parent)
  }

  // MARK: Unfinished copies: ".<name>.<milliseconds>.lnote-fsck-copy"

  private static let ending = Array(".lnote-fsck-copy".utf8)

  private static func prefix(of place: BytePath) -> [UInt8] {
    // Room for the rest within the longest name.
    [UInt8(ascii: ".")] + place.name.bytes.prefix(200) + [UInt8(ascii: ".")]
  }

  /// Removes what a killed run left of a copy to this place; one that another run works on is locked and stays.
  private mutating func removeUnfinished(of place: BytePath) {
    let prefix = PackageCopy.prefix(of: place)
    let entries = (try? target.entries(of: place.parent, countMax: SurveyLimits.namesMax)) ?? []
    for name in entries.map(\.name) {
      let middle = name.bytes.dropFirst(prefix.count).dropLast(PackageCopy.ending.count)
      guard name.bytes.elementsEqual(prefix + middle + PackageCopy.ending), !middle.isEmpty,
        middle.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
      else { continue }
      let path = place.parent.appending(name)
      guard let (lock, folder) = try? PackageLock.take(path, in: target), let folder else { continue }
      defer { try? target.close(folder) }
      if lock != .free { continue }
      remove(path)
      removed.append(path)
    }
  }

  private func makeFolders(of place: BytePath) throws(FileCallError) {
    var folder = BytePath.root
    for name in place.parent.components {
      folder = folder.appending(name)
      try target.makeDirectoryWhereMissing(folder)
    }
  }

  private func size(of folder: BytePath) throws(FileCallError) -> UInt64 {
    var sum: UInt64 = 0
    for entry in try source.entries(of: folder, countMax: SurveyLimits.namesMax) {
      let path = folder.appending(entry.name)
      let status = try source.status(at: path)
      sum += status.kind == .directory ? try size(of: path) : status.size
    }
    return sum
  }

  private mutating func copyContents(of folder: BytePath, to copy: BytePath) throws(FileCallError) {
    for entry in try source.entries(of: folder, countMax: SurveyLimits.namesMax) {
      let path = folder.appending(entry.name)
      let status = try source.status(at: path)
      switch status.kind {
      case .directory:
        try target.makeDirectory(copy.appending(entry.name), permissions: 0o755)
        try copyContents(of: path, to: copy.appending(entry.name))
      case .regular:
        try source.copyFile(
          path, to: copy.appending(entry.name), of: target, permissions: status.permissions | 0o600,
          modified: status.modified, progress: progress)
      default:
        let inner = path.bytes.dropFirst(root.bytes.count + 1)
        leftOut.append(LeftOut(path: BytePath(bytes: inner), kind: status.kind))
      }
    }
    try target.synchronizeDirectory(copy)
  }

  /// What is left of a copy that failed; it is ours alone.
  private func remove(_ path: BytePath) {
    for entry in (try? target.entries(of: path, countMax: SurveyLimits.namesMax)) ?? [] {
      let inner = path.appending(entry.name)
      if (try? target.status(at: inner))?.kind == .directory { remove(inner) } else { try? target.unlink(inner) }
    }
    try? target.removeDirectory(path)
  }
}
