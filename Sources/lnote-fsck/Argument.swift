import Files
import Glibc
import LNoteFsck
import Options

/// One argument of the command line: a package, or a folder in which packages were found.
struct Argument {
  /// The volume that holds the packages; the folder around a package, so that there is room beside it.
  let volume: HostVolume
  /// The packages, by their paths on the volume.
  let packages: [BytePath]
  /// Folders that could not be searched.
  let failures: [PackageReport]
  /// What stands before a path of the volume, as the user would write it.
  let prefix: String

  /// The folders of the host that a copy must not lie in: the packages, or the folder that was searched.
  func folders() throws(FileCallError) -> [BytePath] {
    let root = try Host.resolvedPath(of: volume.rootPath)
    return isSearched ? [root] : packages.map { root.appending($0) }
  }

  private let isSearched: Bool

  /// How many links an argument may lead through.
  private static let linksMax = 8

  /// Finds what the user named; a usage error where there is nothing of that name.
  static func find(_ word: Word) throws(UsageError) -> Argument {
    var path = BytePath(bytes: word.bytes)
    for _ in 0..<linksMax {
      do throws(FileCallError) {
        switch try look(at: path) {
        case .argument(let argument): return argument
        case .link(let target): path = target
        case nil:
          throw FileCallError("open", [path], Errno(rawValue: ENOTDIR))
        }
      } catch {
        switch error.errno.rawValue {
        case ENOENT: throw UsageError("there is no \"\(word)\".")
        case ENOTDIR:
          throw UsageError("\"\(word)\" is no folder and no document (*.lnote). An archive must be unpacked first.")
        default: throw UsageError("\"\(word)\" cannot be looked at: \(error.errno.description).")
        }
      }
    }
    throw UsageError("\"\(word)\" leads through too many links.")
  }

  private enum Find {
    case argument(Argument)
    case link(BytePath)
  }

  private static func look(at given: BytePath) throws(FileCallError) -> Find? {
    var path = given
    let slash = UInt8(ascii: "/")
    while path.bytes.count > 1 && path.bytes.last == slash { path = BytePath(bytes: path.bytes.dropLast()) }
    if path == "." { path = try Host.currentDirectory() }
    // "/" and ".." have no name to look up in a folder: they can only be searched.
    if path.bytes == [slash] || path.name == ".." { return .argument(try Argument(searching: path)) }
    let parent: BytePath = path.parent.isRoot ? (path.bytes.first == slash ? "/" : ".") : path.parent
    let around = try HostVolume(root: parent)
    let status = try around.status(at: path.name)
    if status.kind == .symbolicLink {
      let target = try Host.linkTarget(of: path)
      return .link(target.bytes.first == slash ? target : BytePath(bytes: parent.bytes + [slash] + target.bytes))
    }
    guard status.kind == .directory || path.hasSuffix(".lnote") else { return nil }
    guard PackageFinder.isPackage(path.name, in: around) else { return .argument(try Argument(searching: path)) }
    let before = path.bytes.dropLast(path.name.bytes.count)
    return .argument(
      Argument(
        volume: around, packages: [path.name], failures: [], prefix: String(decoding: before, as: UTF8.self),
        isSearched: false))
  }

  private init(searching path: BytePath) throws(FileCallError) {
    let volume = try HostVolume(root: path)
    let found = PackageFinder(below: .root, in: volume)
    self.init(
      volume: volume, packages: found.packages, failures: found.failures,
      prefix: path.bytes == [UInt8(ascii: "/")] ? "/" : "\(path)/", isSearched: true)
  }

  private init(volume: HostVolume, packages: [BytePath], failures: [PackageReport], prefix: String, isSearched: Bool) {
    self.volume = volume
    self.packages = packages
    self.failures = failures
    self.prefix = prefix
    self.isSearched = isSearched
  }
}
