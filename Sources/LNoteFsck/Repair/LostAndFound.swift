import Bytes
import Files
import JSON
import LNoteFormat

/// The folder of what one repair sets aside, `<package>-lost+found/<stamp>/`, and its ledger `index.jsonl`.
///
/// It is made when the first thing is set aside. A line of the ledger is on the disk before the thing moves:
/// why, which problem, digest, from where, to where, how to take it back.
final class LostAndFound {
  static let suffix = "-lost+found"
  static let ledgerName = "index.jsonl"
  /// How many repairs may run on one package within one second.
  static let stampsMax = 1000

  private let volume: any Volume
  private let package: BytePath
  let folder: BytePath
  private let stamp: RepairStamp
  private var ledger: OpenFile?
  private var ledgerSize: UInt64 = 0
  private var madeFolders: Set<BytePath> = []
  /// What was set aside: from where in the package, and where it is now.
  private(set) var moved: [(from: BytePath, to: BytePath)] = []

  init(volume: any Volume, package: BytePath, stamp: RepairStamp) {
    self.volume = volume
    self.package = package
    self.stamp = stamp
    folder = LostAndFound.parent(of: package).appending(stamp.text)
  }

  static func parent(of package: BytePath) -> BytePath {
    BytePath(bytes: package.bytes + Array(suffix.utf8))
  }

  /// The first stamp of this moment whose folder is not there yet.
  static func freeStamp(
    at moment: Timestamp, package: BytePath, in volume: any Volume
  ) throws(FileCallError) -> RepairStamp {
    for attempt in 1...stampsMax {
      let stamp = RepairStamp(at: moment, attempt: attempt)
      if try volume.kind(at: parent(of: package).appending(stamp.text)) == nil { return stamp }
    }
    return RepairStamp(at: moment, attempt: stampsMax + 1)
  }

  func close() {
    if let ledger { try? volume.close(ledger) }
    ledger = nil
  }

  /// Gives what stands at `path` a second name here, so that it can be replaced; moves it where that cannot be.
  func keep(_ path: BytePath, code: String, why: String) throws(FileCallError) {
    guard let kind = try volume.kind(at: package.appending(path)) else { return }
    let target = try prepare(path, kind: kind, code: code, why: why)
    let source = package.appending(path)
    // A directory has no second name; neither have files on FAT and on some network disks.
    if kind == .directory {
      try volume.renameKeeping(source, to: target)
    } else if try !volume.linkWherePossible(source, to: target) {
      if kind == .regular { try copy(source, to: target) } else { try volume.renameKeeping(source, to: target) }
    }
    try volume.synchronizeDirectory(target.parent)
  }

  /// Moves what stands at `path` here.
  func move(_ path: BytePath, code: String, why: String) throws(FileCallError) {
    guard let kind = try volume.kind(at: package.appending(path)) else { return }
    let target = try prepare(path, kind: kind, code: code, why: why)
    let source = package.appending(path)
    // POSIX lets a power cut keep either half of a rename: so first a second name, and the old one goes when that is safe.
    let hasSecond = try kind == .directory ? false : volume.linkWherePossible(source, to: target)
    if !hasSecond { try volume.renameKeeping(source, to: target) }
    try volume.synchronizeDirectory(target.parent)
    if hasSecond { try volume.unlink(source) }
    try volume.synchronizeDirectory(source.parent)
  }

  /// Makes the folders, finds a free name, and writes the line of the ledger.
  private func prepare(
    _ path: BytePath, kind: FileKind, code: String, why: String
  ) throws(FileCallError) -> BytePath {
    try makeFolders(for: path)
    let target = try freeName(for: path)
    var line: [String: JSONValue] = [
      "at": .string(stamp.at.text), "code": .string(code), "why": .string(why), "kind": .string(kind.rawValue),
      "undo": .string("move it back to its place in the document, in the stead of what is there now"),
    ]
    line.add("from", package.appending(path))
    line.add("to", target)
    if kind == .regular {
      let (digest, size) = try volume.digest(of: package.appending(path))
      line["bytes"] = .integer(Int64(clamping: size))
      line["xxh3-128"] = .string(digest)
    }
    try append(JSONLines.line(.object(line)))
    moved.append((path, target))
    return target
  }

  private func makeFolders(for path: BytePath) throws(FileCallError) {
    var wanted = [LostAndFound.parent(of: package), folder]
    var inner = folder
    for component in path.parent.components {
      inner = inner.appending(component)
      wanted.append(inner)
    }
    for folder in wanted where !madeFolders.contains(folder) {
      try volume.makeDirectoryWhereMissing(folder)
      madeFolders.insert(folder)
    }
    if ledger != nil { return }
    let index = folder.appending(LostAndFound.ledgerName)
    ledger = try volume.open(index, for: .creating(permissions: 0o600))
    try volume.synchronizeDirectory(folder)
  }

  private func freeName(for path: BytePath) throws(FileCallError) -> BytePath {
    let wanted = folder.appending(path)
    var target = wanted
    var number = 2
    while try volume.kind(at: target) != nil {
      target = BytePath(bytes: wanted.bytes + Array(".\(number)".utf8))
      number += 1
    }
    return target
  }

  private func append(_ line: [UInt8]) throws(FileCallError) {
    guard let ledger else { return }
    try volume.writeWhole(ledger, at: ledgerSize, line)
    try volume.synchronize(ledger)
    ledgerSize += UInt64(line.count)
  }

  private func copy(_ source: BytePath, to target: BytePath) throws(FileCallError) {
    let status = try volume.status(at: source)
    try volume.copyFile(source, to: target, of: volume, permissions: status.permissions)
  }
}
