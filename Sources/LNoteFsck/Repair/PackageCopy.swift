import Files
import LNoteFormat

/// Copies a package to another volume, so that the copy can be repaired and the source stays as it is.
///
/// The copy is built under a name that begins with a dot, every file and folder synced, and then renamed.
package struct PackageCopy {
  private let source: any Volume
  private let target: any Volume
  private let progress: (Int) -> Void
  /// What cannot be copied: links, FIFOs, sockets, devices; they stay in the source.
  package private(set) var leftOut: [BytePath] = []

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
    let temporary = place.parent.appending(
      BytePath(bytes: [UInt8(ascii: ".")] + place.name.bytes + Array(".\(now.milliseconds).tmp".utf8)))
    do throws(FileCallError) {
      try copyFolder(path, to: temporary)
      try target.renameKeeping(temporary, to: place)
    } catch {
      remove(temporary)
      throw error
    }
    try target.synchronizeDirectory(place.parent)
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

  private mutating func copyFolder(_ folder: BytePath, to copy: BytePath) throws(FileCallError) {
    try target.makeDirectory(copy, permissions: 0o755)
    for entry in try source.entries(of: folder, countMax: SurveyLimits.namesMax) {
      let path = folder.appending(entry.name)
      let status = try source.status(at: path)
      switch status.kind {
      case .directory: try copyFolder(path, to: copy.appending(entry.name))
      case .regular:
        try source.copyFile(
          path, to: copy.appending(entry.name), of: target, permissions: status.permissions | 0o600,
          modified: status.modified, progress: progress)
      default: leftOut.append(path)
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
