import Files
import LNoteFormat

/// The paths inside a package, as bytes.
enum PackagePaths {
  static let document = BytePath(PackageNames.document)
  static let manifest = BytePath(PackageNames.manifest)
  static let pages = BytePath(PackageNames.pages)
  static let assets = BytePath(PackageNames.assets)
  static let thumbnails = BytePath(PackageNames.thumbnails)
  static let directories = [pages, assets, thumbnails]

  static func folder(_ directory: BytePath) -> PackageFolder {
    switch directory {
    case pages: .pages
    case assets: .assets
    case thumbnails: .thumbnails
    default: .package
    }
  }

  static func page(_ id: NoteID) -> BytePath { BytePath(PackageNames.page(id)) }
  static func journal(_ page: NoteID) -> BytePath { BytePath(PackageNames.journal(page)) }
  static func asset(_ id: NoteID) -> BytePath { BytePath(PackageNames.asset(id)) }
  static func thumbnail(_ id: NoteID) -> BytePath { BytePath(PackageNames.thumbnail(id)) }
}
