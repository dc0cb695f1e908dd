import Files
import LNoteFormat

/// A whole file in a folder that the user named with `--look-in`, to stand in for one of the package.
package struct FoundFile: Hashable, Sendable {
  /// Which of the folders, in the order in which they were named.
  let source: Int
  /// Where in that folder.
  let path: BytePath
  /// The folder and the path as the user would write them.
  let shown: String
  /// What it held when it was looked at.
  let state: PlaceState
  /// When it was changed, in nanoseconds since 1970; only asked where nothing else decides.
  let modified: Int64

  /// Its size in bytes.
  var bytes: UInt64 { if case .file(_, let bytes) = state { bytes } else { 0 } }
}

/// What was found elsewhere of what a package lacks.
struct ElsewhereFacts: Sendable {
  /// Whole pages, by identity; each time the best first.
  var pages: [NoteID: [(file: FoundFile, summary: PageSummary)]] = [:]
  /// Images whose bytes are those that a page of the package was given.
  var images: [NoteID: FoundFile] = [:]
  /// The newest whole `document.json` of this identity.
  var document: (file: FoundFile, record: DocumentRecord)?
}
