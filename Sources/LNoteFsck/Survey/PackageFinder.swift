import Files
import LNoteFormat

/// Looks for packages below a folder: folders whose name ends in ".lnote", or once did.
///
/// No link is followed, and nothing is looked for in a hidden folder, in what a repair set aside, or in the twins that
/// macOS puts into its archives. In a package only other packages are looked for, and only right below it.
package struct PackageFinder {
  /// A package, and what its place and name tell of it.
  package struct Found: Sendable {
    /// Where it stands.
    package let path: BytePath
    /// Where it stands in a copy: without what a mail program or a sync service put around it.
    package let place: BytePath
    /// What is to be said of its place and name.
    package internal(set) var notes: [Problem] = []

    /// A package without anything to say of it yet.
    package init(path: BytePath, place: BytePath, notes: [Problem] = []) {
      self.path = path
      self.place = place
      self.notes = notes
    }

    /// True where its name is that of a second copy.
    package var isConflictCopy: Bool { notes.contains { $0.kind == .conflictCopy } }

    /// Says that it came in an archive of this name.
    package mutating func noteArchive(_ name: BytePath, state: String) {
      notes.append(Problem(.packageIsArchive, slots: ["what": "\(name)", "state": state]))
    }

    /// Says that the user named a link that leads to it.
    package mutating func noteLink(_ name: BytePath, to target: BytePath) {
      notes.append(Problem(.packageIsLink, slots: ["what": "\(name)", "target": "\(target)"]))
    }

    /// What the user named: a package, with others in it, or a folder of a package's name around one.
    package static func named(
      _ name: BytePath, in volume: any Volume
    ) -> (packages: [Found], others: [PackageReport]) {
      PackageFinder(naming: name, in: volume).named
    }
  }

  /// How old the latest repair is whose folder is named.
  private static let oldMilliseconds: Int64 = 30 * 86_400_000

  private let volume: any Volume
  private let now: Timestamp?
  /// The packages, in the order of their paths' bytes.
  package private(set) var found: [Found] = []
  /// Files named like a package, or like one that was packed; the caller looks whether they are archives.
  package private(set) var files: [BytePath] = []
  /// Folders that could not be listed, empty packages, old folders of repairs: a report each.
  package private(set) var others: [PackageReport] = []

  /// The paths of the packages.
  package var packages: [BytePath] { found.map(\.path) }

  /// Searches `folder` of the volume.
  ///
  /// - Parameter now: the time by which what repairs set aside is called old; nil to say nothing of it.
  package init(below folder: BytePath, in volume: any Volume, now: Timestamp? = nil) {
    self.volume = volume
    self.now = now
    search(folder, depth: 0)
    found.sort { $0.path < $1.path }
    files.sort()
  }

  private init(naming name: BytePath, in volume: any Volume) {
    self.volume = volume
    now = nil
    let kind = (try? volume.status(at: name))?.kind ?? .unknown
    if !name.hasSuffix(".lnote") {
      found = [Found(path: name, place: name)]
    } else if lookInto(name, kind), let place = found.firstIndex(where: { $0.path == name }) {
      found[place].notes += LibraryCheck.problems(ofNames: [name])[name] ?? []
    }
  }

  private var named: (packages: [Found], others: [PackageReport]) { (found, others) }

  /// True where a folder is a package itself, by its name or by what is in it.
  package static func isPackage(_ path: BytePath, in volume: any Volume) -> Bool {
    if path.hasSuffix(".lnote") { return true }
    return (try? volume.status(at: path.appending(PackagePaths.document)))?.kind == .regular
  }

  private mutating func search(_ folder: BytePath, depth: Int) {
    let entries: [DirectoryEntry]
    do throws(FileCallError) {
      entries = try volume.entries(of: folder, countMax: SurveyLimits.namesMax)
    } catch {
      var report = PackageReport(package: folder)
      report.note([
        ObstacleCheck.problem(
          of: FileCallFailure(error), path: nil, what: folder.isRoot ? "The folder" : "The folder \(folder)")
      ])
      others.append(report)
      return
    }
    var names: [BytePath] = []
    for entry in entries where entry.name != "__MACOSX" {
      if entry.name.hasPrefix(".") {
        takeMark(entry.name, in: folder)
        continue
      }
      let path = folder.appending(entry.name)
      let kind = entry.kind == .unknown ? (try? volume.status(at: path))?.kind ?? .unknown : entry.kind
      // A link leads to a document that is found, or not, at its own place.
      if kind == .symbolicLink { continue }
      if entry.name.hasSuffix(".lnote") {
        if kind == .regular {
          files.append(path)
        } else if lookInto(path, kind) {
          names.append(entry.name)
        }
      } else if kind == .regular && PackedName.isPackedDocument(entry.name) {
        files.append(path)
      } else if kind == .directory {
        take(folder: path, depth: depth)
      }
    }
    let notes = LibraryCheck.problems(ofNames: names)
    for place in found.indices where found[place].path.parent == folder {
      found[place].notes += notes[found[place].path.name] ?? []
    }
  }

  /// A document that iCloud keeps as a whole leaves ".<name>.icloud" in its place.
  private mutating func takeMark(_ name: BytePath, in folder: BytePath) {
    guard case .placeholder(let target) = PackageName.read(name.bytes, in: .library) else { return }
    let document = folder.appending(BytePath(bytes: target))
    guard document.hasSuffix(".lnote"), (try? volume.status(at: document)) == nil else { return }
    others.append(
      PackageReport(
        container: document,
        [Problem(.notDownloaded, slots: ["what": "The whole document is", "places": "\(document.name)"])]))
  }

  private mutating func take(folder path: BytePath, depth: Int) {
    if path.hasSuffix("-lost+found") {
      lookAtSetAside(path)
    } else if let name = PackedName.folder(path.name), PackageFinder.isPackage(path, in: volume) {
      let note = Problem(.packageIsArchive, slots: ["what": "\(path.name)", "state": "has another ending than .lnote"])
      found.append(Found(path: path, place: path.parent.appending(name), notes: [note]))
    } else if depth < SurveyLimits.depthMax {
      search(path, depth: depth + 1)
    }
  }

  /// Takes what has a package's name; false where it only stands around others, or is empty.
  private mutating func lookInto(_ path: BytePath, _ kind: FileKind) -> Bool {
    let entries = kind == .directory ? try? volume.entries(of: path, countMax: SurveyLimits.namesMax) : nil
    let own = (entries ?? []).filter { entry in
      if case .foreign = PackageName.read(entry.name.bytes, in: .package) { false } else { true }
    }
    if entries != nil && own.isEmpty {
      others.append(PackageReport(container: path, [Problem(.emptyPackage, slots: ["what": "\(path.name)"])]))
      return false
    }
    let inner = own.filter { $0.kind == .directory && $0.name.hasSuffix(".lnote") }.map(\.name)
    let isWrapper = !inner.isEmpty && inner.count == own.count
    if !isWrapper { found.append(Found(path: path, place: path)) }
    for name in inner {
      let place = isWrapper ? path.parent.appending(name) : path.appending(name)
      let note =
        isWrapper
        ? Problem(
          .packageIsArchive, slots: ["what": "\(name)", "state": "lies in another folder of a document's name"])
        : Problem(.nestedPackage, slots: ["what": "\(name)"])
      found.append(Found(path: path.appending(name), place: place, notes: [note]))
    }
    return !isWrapper
  }

  private mutating func lookAtSetAside(_ path: BytePath) {
    guard let now, let entries = try? volume.entries(of: path, countMax: SurveyLimits.namesMax),
      let latest = entries.last?.name,
      latest < BytePath(RepairStamp(at: Timestamp(milliseconds: now.milliseconds - PackageFinder.oldMilliseconds)).text)
    else { return }
    others.append(
      PackageReport(
        container: path, [Problem(.oldSetAside, slots: ["what": "\(path.name)", "date": "\(latest)"])]))
  }
}

/// Names that a document has after it was packed or unpacked by something that does not know it.
package enum PackedName {
  private static let archives: [StaticString] = [".lnote.zip", ".lnote.tar", ".lnote.tar.gz", ".lnote.tgz"]
  private static let endings: [StaticString] = [".zip", ".tar.gz", ".tar", ".tgz"]

  /// True for the names of a single document that was packed.
  package static func isPackedDocument(_ name: BytePath) -> Bool { archives.contains { name.hasSuffix($0) } }

  /// "X.lnote" for "X.lnote.folder"; nil for any other name.
  static func folder(_ name: BytePath) -> BytePath? {
    name.hasSuffix(".lnote.folder") ? BytePath(bytes: name.bytes.dropLast(".folder".utf8.count)) : nil
  }

  /// The name of the package whose files an archive holds at its top.
  ///
  /// Its identity tells it; where that cannot be read, it is "X.lnote" for "X.zip".
  package static func package(in volume: any Volume, ofArchive name: BytePath) -> BytePath {
    if let bytes = try? volume.readWhole(PackagePaths.document, sizeMax: Int(SurveyLimits.recordBytesMax)),
      case .whole(let record) = RecordSurvey.document(bytes)
    {
      return BytePath(PackageNames.package(record.id))
    }
    let ending = endings.first { name.hasSuffix($0) }?.utf8CodeUnitCount ?? 0
    let stem = BytePath(bytes: name.bytes.dropLast(ending))
    return stem.hasSuffix(".lnote") ? stem : BytePath(bytes: stem.bytes + Array(".lnote".utf8))
  }
}
