import Bytes
import Files
import Glibc
import JSON
import LNoteFormat

/// The folder of what one repair sets aside, `<package>-lost+found/<stamp>/`, and its ledger `index.jsonl`.
///
/// It is made when the first thing is changed. A line of the ledger is on the disk before the change is made. Where it
/// lies elsewhere, a file is copied there, synced and compared before anything happens to it where it was.
final class LostAndFound {
  static let ledgerName = "index.jsonl"
  /// How many repairs may run on one package within one second.
  static let stampsMax = 1000

  private let volume: any Volume
  private let package: BytePath
  let place: SetAsidePlace
  let folder: BytePath
  private let at: Timestamp
  private var ledger: OpenFile?
  private var ledgerSize: UInt64 = 0
  private var madeFolders: Set<BytePath> = []
  /// What was set aside: from where in the package, and where it is now.
  private(set) var moved: [(from: BytePath, to: BytePath)] = []

  init(volume: any Volume, package: BytePath, place: SetAsidePlace, folder name: String, at: Timestamp) {
    self.volume = volume
    self.package = package
    self.place = place
    self.at = at
    folder = place.parent.appending(name)
  }

  convenience init(volume: any Volume, package: BytePath, place: SetAsidePlace, stamp: RepairStamp) {
    self.init(volume: volume, package: package, place: place, folder: stamp.text, at: stamp.at)
  }

  /// The first stamp of this moment whose folder is not there yet.
  static func freeStamp(at moment: Timestamp, in place: SetAsidePlace) throws(FileCallError) -> RepairStamp {
    for attempt in 1...stampsMax {
      let stamp = RepairStamp(at: moment, attempt: attempt)
      if try place.volume.kind(at: place.parent.appending(stamp.text)) == nil { return stamp }
    }
    return RepairStamp(at: moment, attempt: stampsMax + 1)
  }

  func close() {
    if let ledger { try? place.volume.close(ledger) }
    ledger = nil
  }

  /// Gives what stands at `path` a second name here, so that it can be replaced; moves it where that cannot be.
  func keep(_ path: BytePath, code: String, why: String) throws(FileCallError) {
    guard let target = try keepName(path, code: code, why: why) else { return }
    moved.append((path, target))
  }

  /// The same for a file that is only renamed: it is not told as set aside, since it stays in the package.
  func keepUntold(_ path: BytePath, code: String, why: String) throws(FileCallError) {
    _ = try keepName(path, code: code, why: why)
  }

  private func keepName(_ path: BytePath, code: String, why: String) throws(FileCallError) -> BytePath? {
    guard let kind = try volume.kind(at: package.appending(path)) else { return nil }
    let (target, state) = try prepare(path, code: code, why: why)
    let source = package.appending(path)
    if place.isElsewhere {
      try copy(source, to: target, state)
      return target
    }
    // A directory has no second name; neither have files on FAT and on some network disks.
    if kind == .directory {
      try volume.renameKeeping(source, to: target)
    } else if try !volume.linkWherePossible(source, to: target) {
      if kind == .regular {
        try volume.copyWithAttributes(source, to: target, of: volume)
      } else {
        try volume.renameKeeping(source, to: target)
      }
    }
    try volume.synchronizeDirectory(target.parent)
    return target
  }

  /// Moves what stands at `path` here.
  func move(_ path: BytePath, code: String, why: String) throws(FileCallError) {
    guard let kind = try volume.kind(at: package.appending(path)) else { return }
    let (target, state) = try prepare(path, code: code, why: why)
    let source = package.appending(path)
    if place.isElsewhere {
      try copy(source, to: target, state)
      moved.append((path, target))
      try volume.unlink(source)
      try volume.synchronizeDirectory(source.parent)
      return
    }
    moved.append((path, target))
    // POSIX lets a power cut keep either half of a rename: so first a second name, and the old one goes when that is safe.
    let hasSecond = try kind == .directory ? false : volume.linkWherePossible(source, to: target)
    if !hasSecond { try volume.renameKeeping(source, to: target) }
    try volume.synchronizeDirectory(target.parent)
    if hasSecond { try volume.unlink(source) }
    try volume.synchronizeDirectory(source.parent)
  }

  /// Copies a file to another volume, synced and with its name; throws where the copy does not hold the same.
  private func copy(_ source: BytePath, to target: BytePath, _ state: PlaceState) throws(FileCallError) {
    guard case .file = state else { throw FileCallError("rename", [source, target], Errno(rawValue: EXDEV)) }
    try volume.copyWithAttributes(source, to: target, of: place.volume)
    if try place.volume.state(at: target) != state {
      try? place.volume.unlink(target)
      throw FileCallError("read", [target], Errno(rawValue: EIO))
    }
    try place.volume.synchronizeDirectory(target.parent)
  }

  /// Tells that a file of these bytes is about to be put at `path`.
  func willPut(_ path: BytePath, _ state: PlaceState, code: String, why: String) throws(FileCallError) {
    try makeFolders(for: BytePath.root)
    try append(LedgerLine(.put, path, state), code: code, why: why)
  }

  /// Tells that a folder is about to be made at `path`.
  func willMakeFolder(_ path: BytePath, code: String, why: String) throws(FileCallError) {
    try makeFolders(for: BytePath.root)
    try append(LedgerLine(.folder, path, .other(.directory)), code: code, why: why)
  }

  /// Makes a file without content here: a mark that everything is done.
  func finish(named name: String) throws(FileCallError) {
    try makeFolders(for: BytePath.root)
    let mark = folder.appending(name)
    if try place.volume.kind(at: mark) != nil { return }
    try place.volume.close(try place.volume.open(mark, for: .creating(permissions: 0o600)))
    try place.volume.synchronizeDirectory(folder)
  }

  /// Makes the folders, finds a free name, and writes the line of the ledger: the place, and what stands at the path.
  private func prepare(
    _ path: BytePath, code: String, why: String
  ) throws(FileCallError) -> (BytePath, PlaceState) {
    try makeFolders(for: path)
    let name = try freeName(for: path)
    let target = folder.appending(name)
    let source = package.appending(path)
    var line: [String: JSONValue] = [
      "undo": .string("move it back to its place in the document, in the stead of what is there now")
    ]
    line.add("from", source)
    line.add("to", target)
    let state = try volume.state(at: source)
    try append(LedgerLine(.aside(name), path, state), line, code: code, why: why)
    return (target, state)
  }

  private func makeFolders(for path: BytePath) throws(FileCallError) {
    var wanted = [place.parent, folder]
    var inner = folder
    for component in path.parent.components {
      inner = inner.appending(component)
      wanted.append(inner)
    }
    for folder in wanted where !madeFolders.contains(folder) {
      try place.volume.makeDirectoryWhereMissing(folder)
      madeFolders.insert(folder)
    }
    if ledger == nil { try openLedger() }
  }

  /// A new ledger, or one that goes on behind its last whole line.
  private func openLedger() throws(FileCallError) {
    let index = folder.appending(LostAndFound.ledgerName)
    let volume = place.volume
    if try volume.kind(at: index) == nil {
      ledger = try volume.open(index, for: .creating(permissions: 0o600))
    } else {
      let bytes = try volume.readWhole(index, sizeMax: LostAndFound.ledgerBytesMax)
      ledgerSize = UInt64(bytes.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0)
      let file = try volume.open(index, for: .writing)
      ledger = file
      if ledgerSize < UInt64(bytes.count) { try volume.truncate(file, to: ledgerSize) }
    }
    try volume.synchronizeDirectory(folder)
  }

  /// The most bytes of a ledger that are read.
  static let ledgerBytesMax = 256 << 20

  private func freeName(for path: BytePath) throws(FileCallError) -> BytePath {
    let taken = [BytePath.root, BytePath(LostAndFound.ledgerName), BytePath(RepairHistory.finishedName)]
    var name = path
    var number = 2
    while true {
      if !taken.contains(name), try place.volume.kind(at: folder.appending(name)) == nil { break }
      name = BytePath(bytes: path.bytes + Array(".\(number)".utf8))
      number += 1
    }
    return name
  }

  private func append(
    _ line: LedgerLine, _ more: [String: JSONValue] = [:], code: String, why: String
  ) throws(FileCallError) {
    guard let ledger else { return }
    var members = line.members.merging(more) { first, _ in first }
    members["at"] = .string(at.text)
    members["code"] = .string(code)
    members["why"] = .string(why)
    let bytes = JSONLines.line(.object(members))
    try place.volume.writeWhole(ledger, at: ledgerSize, bytes)
    try place.volume.synchronize(ledger)
    ledgerSize += UInt64(bytes.count)
  }
}
