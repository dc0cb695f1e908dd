/// The names inside a `.lnote` package. Names are text here, and bytes where they are read.
package enum PackageNames {
  /// "document.json", the source of truth.
  package static let document = "document.json"
  /// "manifest.json", the library's cache.
  package static let manifest = "manifest.json"
  /// "pages", the folder of page snapshots.
  package static let pages = "pages"
  /// "assets", the folder of pictures.
  package static let assets = "assets"
  /// "thumbnails", the folder of page thumbnails.
  package static let thumbnails = "thumbnails"

  /// "<UUID>.lnote", the package's directory in its library.
  package static func package(_ document: NoteID) -> String { "\(document).lnote" }

  /// "pages/<UUID>.content".
  package static func page(_ page: NoteID) -> String { "\(pages)/\(page).content" }

  /// "pages/<UUID>.journal".
  package static func journal(_ page: NoteID) -> String { "\(pages)/\(page).journal" }

  /// "assets/<UUID>.jpg".
  package static func asset(_ asset: NoteID) -> String { "\(assets)/\(asset).jpg" }

  /// "thumbnails/<UUID>.jpg".
  package static func thumbnail(_ page: NoteID) -> String { "\(thumbnails)/\(page).jpg" }

  /// The temporary file beside a target: "pages/A.content" gives "pages/.A.content.0000002a.tmp".
  package static func temporary(for target: String, number: UInt32) -> String {
    let slash = target.utf8.lastIndex(of: UInt8(ascii: "/"))
    let folder = slash.map { target[...$0] } ?? ""
    let name = slash.map { target[target.utf8.index(after: $0)...] } ?? target[...]
    let digits = String(number, radix: 16)
    return "\(folder).\(name).\(String(repeating: "0", count: 8 - digits.count))\(digits).tmp"
  }
}

/// The folder in which a name stands.
package enum PackageFolder: Hashable, Sendable {
  /// The folder of all documents.
  case library
  /// The package itself.
  case package
  /// One of the package's three folders.
  case pages, assets, thumbnails
}

/// What a name in a library or package stands for.
package enum PackageName: Hashable, Sendable {
  /// "<UUID>.lnote" in a library.
  case package(NoteID)
  /// "document.json".
  case document
  /// "manifest.json".
  case manifest
  /// One of the three folders of a package.
  case folder(PackageFolder)
  /// "<UUID>.content" in `pages`.
  case page(NoteID)
  /// "<UUID>.journal" in `pages`.
  case journal(NoteID)
  /// "<UUID>.jpg" in `assets`.
  case asset(NoteID)
  /// "<UUID>.jpg" in `thumbnails`.
  case thumbnail(NoteID)
  /// The remainder of a save: what it was to become, where the name tells.
  case temporary(TemporaryName)
  /// A file that the system or another program leaves everywhere.
  case foreign(ForeignKind)
  /// ".<name>.icloud": the mark of a file that iCloud keeps on its servers only; the bytes of the file's name.
  case placeholder(target: [UInt8])
  /// Anything else, to be judged by its content.
  case unknown
}

/// The name of a temporary file.
package enum TemporaryName: Hashable, Sendable {
  /// Ours, ".<target>.<8 hex>.tmp": the bytes of the target's name, and the number.
  case ours(target: [UInt8], number: UInt32)
  /// Foundation's atomic write, ".dat.nosync<PID in hex>.<6>".
  case foundation(process: UInt32)
  /// NSData's atomic write, "SCF.<hex>.tmp.<6>".
  case nsData
}

/// Files that no note app writes.
package enum ForeignKind: String, Hashable, Sendable {
  /// ".DS_Store", "Thumbs.db", "desktop.ini".
  case folderSettings = "folder-settings"
  /// ".nfs*": a removed file that some process holds open.
  case nfsRemoved = "nfs-removed"
  /// ".fuse_hidden*": the same on FUSE.
  case fuseHidden = "fuse-hidden"
  /// "*~": an editor's backup.
  case backup
  /// "._X": the resource half of X, made by macOS; its content begins with 00 05 16 07.
  case appleDouble = "apple-double"
}
