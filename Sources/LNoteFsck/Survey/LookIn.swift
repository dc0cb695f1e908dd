import Files
import LNoteFormat
import Synchronization

/// A folder in which backups or another device's copies are; only read, and no link in it is followed.
///
/// What is in it is listed once, when it is first asked. Files are known by the identity in their names, whatever else
/// the names say and whatever the folders are called.
package final class LookIn: Sendable {
  /// How many files of one identity are looked at.
  static let filesMax = 256

  let volume: any Volume
  /// The folder as the user wrote it.
  let shown: String
  private let listing = Mutex<Listing?>(nil)

  private struct Listing {
    var files: [NoteID: [BytePath]] = [:]
    var documents: [BytePath] = []
    var names = 0
  }

  /// A folder, which is the root of the volume.
  package init(volume: any Volume, shown: String) {
    self.volume = volume
    self.shown = shown
  }

  /// The files with this identity in their names, in the order of their paths.
  func files(named id: NoteID) -> [BytePath] {
    listing.withLock { listing in
      if listing == nil { listing = LookIn.list(volume) }
      return Array((listing?.files[id] ?? []).sorted().prefix(LookIn.filesMax))
    }
  }

  /// The files that may be a `document.json`: those of a folder with this identity in its name, else all.
  func documents(of id: NoteID?) -> [BytePath] {
    listing.withLock { listing in
      if listing == nil { listing = LookIn.list(volume) }
      let all = (listing?.documents ?? []).sorted()
      let own = all.filter { path in path.components.contains { LookIn.identity(in: $0) == id } }
      return Array((id == nil || own.isEmpty ? all : own).prefix(LookIn.filesMax))
    }
  }

  /// The first identity that stands in a name, in capitals or not.
  static func identity(in name: BytePath) -> NoteID? {
    let bytes = name.bytes
    guard bytes.count >= 36 else { return nil }
    for start in 0...(bytes.count - 36) where bytes[start + 8] == UInt8(ascii: "-") {
      if let id = NoteID(String(decoding: bytes[start..<(start + 36)], as: UTF8.self).uppercased()) { return id }
    }
    return nil
  }

  private static func list(_ volume: any Volume) -> Listing {
    var listing = Listing()
    var folders: [(path: BytePath, depth: Int)] = [(.root, 0)]
    while let folder = folders.popLast() {
      let entries = (try? volume.entries(of: folder.path, countMax: SurveyLimits.namesMax)) ?? []
      listing.names += entries.count
      if listing.names > SurveyLimits.namesMax { break }
      for entry in entries {
        let path = folder.path.appending(entry.name)
        let kind = entry.kind == .unknown ? (try? volume.status(at: path))?.kind ?? .unknown : entry.kind
        switch kind {
        case .directory where folder.depth < SurveyLimits.depthMax: folders.append((path, folder.depth + 1))
        case .regular:
          if let id = identity(in: entry.name) {
            listing.files[id, default: []].append(path)
          } else if entry.name.hasPrefix("document") {
            listing.documents.append(path)
          }
        default: break
        }
      }
    }
    return listing
  }
}
