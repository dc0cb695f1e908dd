import Files
import LNoteFormat

/// Everything the survey learned of one package: values only, from which the checks decide.
///
/// Its size is bounded by the number of files and images, not by their bytes.
package struct PackageFacts: Sendable {
  /// Where the package stands in its volume.
  package var path: BytePath
  /// The identity in the folder's name; nil where the name is none.
  package var folderID: NoteID?
  /// Why the package could not be surveyed at all; nil where it could.
  package var refusal: PackageRefusal?
  /// Whether another program has it open.
  package var lock = PackageLock.free
  /// True where files have further names and a repair has set things aside: it leaves second names there.
  package var hasNamesSetAside = false
  /// The number of the disk that the package's folder lies on; nil where the folder was not looked at.
  package var device: UInt64?
  /// The folders that a package has, and what stands at their names.
  package var directories: [DirectoryFacts] = []
  /// `document.json`.
  package var document = DocumentFacts(file: nil, content: nil)
  /// `manifest.json`.
  package var manifest = ManifestFacts(file: nil, record: nil, damage: nil, unknown: [:])
  /// The newest document.json that a repair has set aside; nil where the package's own is of use.
  package var setAside: DocumentRecord?
  /// What was found in the folders that the user named, of what the package lacks.
  var elsewhere = ElsewhereFacts()
  /// The files with the name of a page, by identity.
  package var pages: [PageFacts] = []
  /// The files with the name of a journal, under any spelling, by the page in it.
  package var journals: [JournalFacts] = []
  /// The files with the name of an asset, by identity.
  package var assets: [AssetFacts] = []
  /// The files with the name of a thumbnail, by identity.
  package var thumbnails: [ThumbnailFacts] = []
  /// Temporary files, and other files whose content may be of use, by path.
  package var strays: [StrayFacts] = []
  /// Files that are not on this disk, by the mark that iCloud leaves in their place; a folder too.
  package var absent: [BytePath] = []
  /// How closely it was looked at.
  package var level = CheckLevel.default
  /// When it was looked at; nil where nobody says.
  package var checkedAt: Timestamp?
  /// Why what is missing may still come; nil where nothing tells that more will.
  var arrival: Arrival?
  /// True where what is absent shall stay so: `--as-is`.
  package var isAsIs = false
  /// Calls that failed on a folder itself.
  package var folderFailures: [FileFacts] = []
  /// What was read: files, bytes.
  package var verified = VerifiedCount()
}

extension PackageFacts {
  /// True where `document.json` is another document's: neither its identity nor one of its pages is this package's.
  ///
  /// One that lists a page of the package came with it: the package was copied.
  var hasForeignDocument: Bool {
    guard let record = document.trusted, let folderID, record.id != folderID, !pages.isEmpty else { return false }
    let here = Set(pages.map(\.id))
    return !record.pages.contains { here.contains($0.id) }
  }
}

/// What was read and agreed.
package struct VerifiedCount: Hashable, Sendable {
  /// Packages looked at.
  package var packages: UInt64 = 0
  /// Page files read whole.
  package var pages: UInt64 = 0
  /// Image files read whole.
  package var images: UInt64 = 0
  /// Image files that were decoded too.
  package var imagesDecoded: UInt64 = 0
  /// Page files that were not read whole.
  package var pagesUnread: UInt64 = 0
  /// Image files that were not read whole.
  package var imagesUnread: UInt64 = 0
  /// Bytes read.
  package var bytes: UInt64 = 0
  /// Documents that carry no checksum.
  package var withoutChecksum: UInt64 = 0

  static func += (left: inout VerifiedCount, right: VerifiedCount) {
    left.packages += right.packages
    left.pages += right.pages
    left.images += right.images
    left.imagesDecoded += right.imagesDecoded
    left.pagesUnread += right.pagesUnread
    left.imagesUnread += right.imagesUnread
    left.bytes += right.bytes
    left.withoutChecksum += right.withoutChecksum
  }
}

/// Why a package was not surveyed.
package enum PackageRefusal: Sendable {
  /// It is no package: why, in words.
  case notAPackage(String)
  /// The folder itself could not be opened or listed.
  case unreadable(FileCallFailure)
  /// It kept changing.
  case changing
}

/// Whether another program has the package open.
package enum PackageLock: Hashable, Sendable {
  /// Nobody has.
  case free
  /// Another program has; its number where the system tells it.
  case held(by: Int32?)
  /// The file system refuses locks; treated as held.
  case unavailable
}

/// One of the folders pages, assets, thumbnails.
package struct DirectoryFacts: Sendable {
  /// Its name.
  package var path: BytePath
  /// True where a folder stands there.
  package var exists: Bool
  /// What stands there instead of a folder; nil where nothing does.
  package var obstacle: FileFacts?
  /// The number of the disk that it lies on; nil where no folder stands there.
  package var device: UInt64?
}

/// One file that has the name of an asset.
package struct AssetFacts: Sendable {
  /// The identity in its name.
  package var id: NoteID
  /// The file.
  package var file: FileFacts
  /// What its bytes are; nil where they were not read.
  package var content: AssetContent?
}

/// What the bytes of an asset file are.
package struct AssetContent: Hashable, Sendable {
  /// How many they are.
  package var length: UInt64
  /// Their XXH3-128.
  package var digest: AssetDigest
  /// True where they begin as a JPEG but the end of the image is missing.
  package var isCut: Bool
  /// True where they hold nothing but zeros, or a long run of zeros at a sector's start.
  package var hasZeros: Bool
  /// What came of decoding them; nil where they were not decoded.
  package var decoding: AssetDecoding?
}

/// A file that is none of the package's own by its name.
package struct StrayFacts: Sendable {
  /// What its name says of it.
  package enum Name: Hashable, Sendable {
    /// A temporary file of a save; the target where the name tells it.
    case temporary(target: BytePath?)
    /// A file of the operating system.
    case foreign
    /// The name of one of the package's own files in another spelling; what it should be.
    case variant(of: BytePath, Spelling)
    /// The name that a sync service or a file manager gives to a second copy; true where each byte is the original's.
    case copy(of: BytePath, isSame: Bool)
    /// Anything else.
    case unknown
  }

  /// In what a spelling differs from the one that the app writes.
  package enum Spelling: Hashable, Sendable {
    /// In upper and lower case alone.
    case letterCase
    /// In characters that look alike, or are not seen at all.
    case characters
  }

  /// What its content is good for.
  package enum Content: Sendable {
    /// A whole document.json.
    case document(DocumentRecord)
    /// A whole manifest.json.
    case manifest(ManifestRecord)
    /// A whole page.
    case page(NoteID, PageSummary)
    /// A damaged page of which something can be kept.
    case damagedPage(NoteID, PageDamage)
    /// Bytes that may be an asset: only their digest can tell.
    case bytes(AssetContent)
    /// What macOS keeps about another file.
    case appleDouble
    /// Nothing.
    case nothing
  }

  /// The file.
  package var file: FileFacts
  /// What its name says.
  package var name: Name
  /// What its content is good for.
  package var content: Content
}
