import Files

extension Fsck {
  /// Takes the last repair of a package back, with its lock held, and checks it again.
  ///
  /// File by file: one that was changed since the repair stays as it is. What the repair had made is set aside.
  package func undo(_ package: BytePath) -> PackageReport {
    var held: OpenFile?
    defer { if let held { try? volume.close(held) } }
    let undo: UndoReport
    do throws(FileCallError) {
      let (lock, folder) = try PackageLock.take(package, in: volume)
      held = folder
      guard lock == .free, folder != nil else { return notBegun(package, lock) }
      let last = try RepairHistory(of: package, in: volume).repairs.first
      undo = last.map { UndoExecutor(volume: volume, package: package, repair: $0, at: now).run() } ?? UndoReport()
    } catch {
      // Our own lock is let go first, or the check would call the document open.
      if let folder = held { try? volume.close(folder) }
      held = nil
      return notBegun(package, because: error)
    }
    if let folder = held { try? volume.close(folder) }
    held = nil
    var report = check(package)
    report.undo = undo
    report.lostAndFound = undo.lostAndFound
    return report
  }
}
