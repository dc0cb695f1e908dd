import Files
import LNoteFormat

/// A sync, rename or unlink that the store makes through its volume.
package struct SeamStep: Hashable, Sendable, CustomStringConvertible {
  /// What kind of call it is.
  package enum Kind: String, CaseIterable, Hashable, Sendable {
    case fileSync, directorySync, rename, unlink
  }

  /// What kind of call it is.
  package let kind: Kind
  /// What it is about: the file or directory of a sync, the target of a rename, the name that goes.
  package let path: BytePath
  /// The word of the command during which it is made: "background".
  package let command: String

  /// A step of this kind, about this path, in the course of this command.
  package init(kind: Kind, path: BytePath, command: String) {
    self.kind = kind
    self.path = path
    self.command = command
  }

  /// What it is for, with no name of one document or page in it: "background: fsync of a page".
  ///
  /// Two steps of one role come from one place in the store, as far as the calls can tell.
  package var role: String {
    let call = kind == .fileSync || kind == .directorySync ? "fsync" : kind.rawValue
    return "\(command): \(call) of \(SeamStep.thing(path))"
  }

  /// The role, and the path.
  package var description: String { "\(role) (\(path))" }

  /// "a page", "pages/", "document.json".
  private static func thing(_ path: BytePath) -> String {
    if path.isRoot { return "the library" }
    let name = path.name.bytes
    switch PackageName.read(name, in: folder(of: path)) {
    case .temporary(.ours(let target, _)): return thing(path.parent.appending(BytePath(bytes: target)))
    case .package: return "the package"
    case .document: return PackageNames.document
    case .manifest: return PackageNames.manifest
    case .folder: return "\(path.name)/"
    case .page: return "a page"
    case .asset: return "a picture"
    case .thumbnail: return "a thumbnail"
    case .journal, .temporary, .foreign, .placeholder, .unknown: return "\(path.name)"
    }
  }

  private static func folder(of path: BytePath) -> PackageFolder {
    switch path.components.count {
    case 1: .library
    case 2: .package
    default:
      switch PackageName.read(path.parent.name.bytes, in: .package) {
      case .folder(let folder): folder
      default: .package
      }
    }
  }
}
