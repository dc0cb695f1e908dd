import Archives
import Files
import Glibc
import LNoteFormat
import LNoteFsck
import Options

/// Where packages are: a folder of the host in which they were found, the folder around one, or an archive.
struct Argument {
  /// The volume that holds the packages; the folder around a package, so that there is room beside it.
  let volume: any Volume
  /// The packages, by their paths on the volume, with what their names and places tell.
  var packages: [PackageFinder.Found]
  /// What is to be said of folders and archives themselves.
  var others: [PackageReport]
  /// What stands before a path of the volume, as the user would write it.
  var prefix: String { prefixPath.description }
  /// The same, byte for byte.
  let prefixPath: BytePath
  /// What stands before a path of the volume in a copy.
  var placePrefix = BytePath.root
  /// True for an archive, in which nothing can be repaired.
  var isArchive = false
  /// The folder of the host that a copy must not lie in; nil for the packages themselves.
  private(set) var searchedFolder: BytePath?

  /// The folders of the host that a copy must not lie in: the packages, or the folder that was searched.
  func folders() throws(FileCallError) -> [BytePath] {
    guard let host = volume as? HostVolume else { return [] }
    let root = try Host.resolvedPath(of: host.rootPath)
    return searchedFolder == nil ? packages.map { root.appending($0.path) } : [root]
  }

  /// The packages as a place in which images are looked for; nil where there is only one.
  var library: LibraryLook? {
    if packages.count < 2 { return nil }
    let shown = String(prefix.reversed().drop { $0 == "/" }.reversed())
    return LibraryLook(volume: volume, shown: shown, packages: packages.map(\.path))
  }

  /// How many links an argument may lead through.
  private static let linksMax = 8

  /// Finds what the user named, with the archives in it; a usage error where there is nothing of that name.
  static func find(_ word: Word, now: Timestamp) throws(UsageError) -> [Argument] {
    var path = BytePath(bytes: word.bytes)
    for _ in 0..<linksMax {
      do throws(FileCallError) {
        switch try look(at: path, now: now) {
        case .arguments(var arguments):
          if path.bytes != word.bytes { arguments.noteLink(BytePath(bytes: word.bytes), to: path) }
          return arguments
        case .link(let target): path = target
        case nil:
          throw FileCallError("open", [path], Errno(rawValue: ENOTDIR))
        }
      } catch {
        switch error.errno.rawValue {
        case ENOENT: throw UsageError("there is no \"\(word)\".")
        case ENOTDIR:
          throw UsageError("\"\(word)\" is no folder, no document (*.lnote) and no archive (ZIP, tar, tar.gz).")
        case ENAMETOOLONG: throw UsageError("no name can be as long as \"\(word)\".")
        case ELIBACC: throw UsageError(noArchives, exit: .operational)
        default:
          throw UsageError("\"\(word)\" cannot be looked at: \(error.errno.description).", exit: .operational)
        }
      }
    }
    throw UsageError("\"\(word)\" leads through too many links.")
  }

  private static let noArchives =
    "archives cannot be read here, for a library is missing (libarchive.so.13). Install libarchive, libarchive13 in "
    + "Debian, and run it again."

  private enum Find {
    case arguments([Argument])
    case link(BytePath)
  }

  private static func look(at given: BytePath, now: Timestamp) throws(FileCallError) -> Find? {
    var path = given
    let slash = UInt8(ascii: "/")
    while path.bytes.count > 1 && path.bytes.last == slash { path = BytePath(bytes: path.bytes.dropLast()) }
    if path == "." { path = try Host.currentDirectory() }
    // "/" and ".." have no name to look up in a folder: they can only be searched.
    if path.bytes == [slash] || path.name == ".." { return .arguments(try searching(path, now: now)) }
    let parent: BytePath = path.parent.isRoot ? (path.bytes.first == slash ? "/" : ".") : path.parent
    let around = try HostVolume(root: parent)
    let status = try around.status(at: path.name)
    if status.kind == .symbolicLink {
      let target = try Host.linkTarget(of: path)
      return .link(target.bytes.first == slash ? target : BytePath(bytes: parent.bytes + [slash] + target.bytes))
    }
    let before = BytePath(bytes: path.bytes.dropLast(path.name.bytes.count))
    if status.kind == .regular, let archive = try archive(path.name, in: around, prefix: before) {
      return .arguments([archive])
    }
    guard status.kind == .directory || path.hasSuffix(".lnote") else { return nil }
    guard PackageFinder.isPackage(path.name, in: around) else { return .arguments(try searching(path, now: now)) }
    let found = PackageFinder.Found.named(path.name, in: around)
    return .arguments([Argument(volume: around, packages: found.packages, others: found.others, prefixPath: before)])
  }

  private static func searching(_ path: BytePath, now: Timestamp) throws(FileCallError) -> [Argument] {
    let volume = try HostVolume(root: path)
    let slash = UInt8(ascii: "/")
    let prefix = path.bytes == [slash] ? path : BytePath(bytes: path.bytes + [slash])
    let finder = PackageFinder(below: .root, in: volume, now: now)
    var folder = Argument(volume: volume, packages: finder.found, others: finder.others, prefixPath: prefix)
    folder.searchedFolder = path
    var archives: [Argument] = []
    for file in finder.files {
      guard var archive = try archive(file, in: volume, prefix: prefix) else {
        if file.hasSuffix(".lnote") { folder.packages.append(PackageFinder.Found(path: file, place: file)) }
        continue
      }
      archive.placePrefix = file.parent
      archives.append(archive)
    }
    return [folder] + archives
  }

  // MARK: Archives

  /// The archive as an argument of its own; nil where the file is none.
  private static func archive(
    _ path: BytePath, in host: HostVolume, prefix: BytePath
  ) throws(FileCallError) -> Argument? {
    let archive: Archive?
    do throws(FileCallError) {
      archive = try Archive.read(path, in: host)
    } catch {
      if error.errno == .elibacc { throw error }
      return Argument(
        volume: host, packages: [], others: [ArchiveCheck.report(of: error, name: path)], prefixPath: prefix,
        isArchive: true)
    }
    guard let archive else { return nil }
    var volume = archive.volume
    // The files of one document, packed without their folder.
    if PackageFinder.isPackage(.root, in: volume) {
      volume = volume.wrapped(in: PackedName.package(in: volume, ofArchive: path.name))
    }
    let finder = PackageFinder(below: .root, in: volume)
    var packages = finder.found
    let state = path.hasSuffix(".lnote") ? "is an archive and no folder" : nil
    if let state = state ?? (PackedName.isPackedDocument(path.name) ? "is packed" : nil) {
      for place in packages.indices { packages[place].noteArchive(path.name, state: state) }
    }
    // What stands in the place of a document and is no folder.
    packages += finder.files.filter { $0.hasSuffix(".lnote") }.map { PackageFinder.Found(path: $0, place: $0) }
    return Argument(
      volume: volume, packages: packages,
      others: [ArchiveCheck.report(of: archive.account, name: path)].compactMap(\.self) + finder.others,
      prefixPath: BytePath(bytes: prefix.bytes + path.bytes + [UInt8(ascii: "/")]), isArchive: true)
  }
}

extension [Argument] {
  /// Says of a package that was named itself that a link led to it.
  fileprivate mutating func noteLink(_ link: BytePath, to target: BytePath) {
    guard count == 1, !self[0].isArchive, self[0].searchedFolder == nil, !self[0].packages.isEmpty else { return }
    self[0].packages[0].noteLink(link, to: target)
  }
}
