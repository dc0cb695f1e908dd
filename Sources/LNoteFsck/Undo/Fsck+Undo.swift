import Files

extension Fsck {
  /// Takes the last repair of a package back, with its lock held, and checks it again.
  ///
  /// File by file: one that was changed since the repair stays as it is. What the repair had made is set aside.
  package func undo(_ package: BytePath) -> PackageReport {
    var undo: UndoReport?
    let refused = withLock(of: package, for: .all) { (_) throws(FileCallError) in
      let place = place(for: package)
      let last = try RepairHistory(in: place).repairs.first
      undo =
        last.map { UndoExecutor(volume: volume, package: package, place: place, repair: $0, at: now).run() }
        ?? UndoReport()
      return PackageReport(package: package)
    }
    guard let undo else { return refused }
    var report = check(package)
    report.undo = undo
    report.lostAndFound = undo.lostAndFound
    report.asidePrefix = place(for: package).shown
    return report
  }
}
