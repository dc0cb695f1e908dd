import Files
import Glibc
import LNoteFormat

/// Takes a repair back, place by place. Doing it twice does no harm, and what it replaces is set aside in its turn.
struct UndoExecutor {
  /// What the ledger of an undo calls its reason.
  static let code = "undo"

  private let volume: any Volume
  private let package: BytePath
  /// Where the repair had set things aside, and where this sets aside what the repair had made.
  private let place: SetAsidePlace
  private let repair: BytePath
  private let undone: LostAndFound
  private let why: String

  /// `repair` is the name of the repair's folder.
  init(volume: any Volume, package: BytePath, place: SetAsidePlace, repair: String, at: Timestamp) {
    self.volume = volume
    self.package = package
    self.place = place
    self.repair = place.parent.appending(repair)
    undone = LostAndFound(
      volume: volume, package: package, place: place, folder: repair + RepairHistory.undoneSuffix, at: at)
    why = "The repair \(repair) was taken back."
  }

  func run() -> UndoReport {
    var report = UndoReport(repair: repair.name.description)
    defer { undone.close() }
    do throws(FileCallError) {
      let ledger = repair.appending(LostAndFound.ledgerName)
      let bytes = try place.volume.readWhole(ledger, sizeMax: LostAndFound.ledgerBytesMax)
      guard let lines = LedgerLine.read(bytes) else {
        report.refused.append((ledger, .changed))
        return report
      }
      for item in UndoPlan(lines).items { try take(back: item, &report) }
      if report.refused.isEmpty { try finish() }
    } catch {
      report.failure = (FileCallFailure(error), error.paths.last ?? .root)
    }
    if !undone.moved.isEmpty { report.lostAndFound = undone.folder }
    return report
  }

  private func take(back item: UndoPlan.Item, _ report: inout UndoReport) throws(FileCallError) {
    let target = package.appending(item.path)
    let now = try volume.state(at: target)
    // A folder that gave way to something else is not known by its kind alone: it may be another one.
    if now == item.before { return try tidy(item, target) }
    guard item.isOurs(now) else {
      report.refused.append((item.path, .changed))
      return
    }
    guard let name = item.kept else {
      if try takeOut(item.path, now) {
        report.removed.append(item.path)
      } else {
        report.refused.append((item.path, .inUse))
      }
      return
    }
    let kept = repair.appending(name)
    guard try place.volume.state(at: kept) == item.before, item.before.isFile || !place.isElsewhere else {
      report.refused.append((item.path, .keptIsGone))
      return
    }
    if try putBack(item, kept, now) {
      report.restored.append(item.path)
    } else {
      report.refused.append((item.path, .inUse))
    }
  }

  /// Takes out what the repair made; false where it is a folder that holds something.
  private func takeOut(_ path: BytePath, _ now: PlaceState) throws(FileCallError) -> Bool {
    let target = package.appending(path)
    guard now == .other(.directory) else {
      try undone.move(path, code: UndoExecutor.code, why: why)
      return true
    }
    do throws(FileCallError) {
      try volume.removeDirectory(target)
    } catch {
      if ["ENOTEMPTY", "EEXIST"].contains(error.errno.name) { return false }
      throw error
    }
    try volume.synchronizeDirectory(target.parent)
    return true
  }

  /// Puts what was set aside back to its place; false where a folder that holds something is in the way.
  private func putBack(_ item: UndoPlan.Item, _ kept: BytePath, _ now: PlaceState) throws(FileCallError) -> Bool {
    let target = package.appending(item.path)
    if !item.path.parent.isRoot { try volume.makeDirectoryWhereMissing(target.parent) }
    if let second = try secondName(item, kept, target) {
      if now == .other(.directory) {
        guard try takeOut(item.path, now) else {
          try volume.unlink(second)
          return false
        }
      } else {
        try undone.keep(item.path, code: UndoExecutor.code, why: why)
      }
      try volume.rename(second, to: target)
      try volume.synchronizeDirectory(target.parent)
      try place.volume.unlink(kept)
    } else {
      // A folder, or a link where the file system has no second names: it has one name at every moment.
      if now != .nothing, try !takeOut(item.path, now) { return false }
      try volume.renameKeeping(kept, to: target)
      try volume.synchronizeDirectory(target.parent)
    }
    try place.volume.synchronizeDirectory(kept.parent)
    return true
  }

  /// A durable name beside the target for what was set aside, or a copy; nil for what can only be renamed.
  private func secondName(
    _ item: UndoPlan.Item, _ kept: BytePath, _ target: BytePath
  ) throws(FileCallError) -> BytePath? {
    if item.before == .other(.directory) { return nil }
    let name = temporary(for: target)
    // Left by an undo that was cut short; it is nobody else's.
    if try volume.kind(at: name) != nil { try volume.unlink(name) }
    if place.isElsewhere {
      try place.volume.copyWithAttributes(kept, to: name, of: volume)
      if try volume.state(at: name) != item.before { throw FileCallError("read", [name], Errno(rawValue: EIO)) }
    } else if try !volume.linkWherePossible(kept, to: name) {
      guard item.before.isFile else { return nil }
      try volume.copyWithAttributes(kept, to: name, of: volume)
    }
    try volume.synchronizeDirectory(name.parent)
    return name
  }

  /// Takes away what an undo that was cut short left of a place that is as it was.
  private func tidy(_ item: UndoPlan.Item, _ target: BytePath) throws(FileCallError) {
    guard item.before.isFile, let name = item.kept else { return }
    if place.isElsewhere {
      // What was kept stays: it is the same, and on another disk.
      let second = temporary(for: target)
      guard try volume.state(at: second) == item.before else { return }
      try volume.unlink(second)
      return try volume.synchronizeDirectory(second.parent)
    }
    let status = try volume.status(at: target)
    for second in [temporary(for: target), repair.appending(name)] {
      guard try volume.kind(at: second) != nil else { continue }
      let other = try volume.status(at: second)
      // Another name of the very file: taking it away loses nothing.
      guard (other.device, other.inode) == (status.device, status.inode) else { continue }
      try volume.unlink(second)
      try volume.synchronizeDirectory(second.parent)
    }
  }

  /// The name is the same each time, so that an undo that is run again finds what the first left.
  private func temporary(for target: BytePath) -> BytePath {
    let text = PackageNames.temporary(for: "x", number: UndoExecutor.temporaryNumber).utf8.dropFirst(2)
    return target.parent.appending(BytePath(bytes: [UInt8(ascii: ".")] + target.name.bytes + Array(text)))
  }

  /// "undo" in ASCII: no save draws it but once in four thousand million.
  private static let temporaryNumber: UInt32 = 0x756E_646F

  private func finish() throws(FileCallError) {
    try undone.finish(named: RepairHistory.finishedName)
  }
}
