import Files
import LNoteFormat
import Rendering

/// One file that has the name of a thumbnail.
package struct ThumbnailFacts: Sendable {
  /// The page that its name says.
  package var id: NoteID
  /// The file.
  package var file: FileFacts
  /// What its bytes are; nil where they were not read.
  package var content: ThumbnailContent?
}

/// What the bytes of a thumbnail are.
package enum ThumbnailContent: Hashable, Sendable {
  /// A whole one of ours, which tells what it shows.
  case marked(Thumbnail)
  /// A picture that another program made; nobody can say what it shows.
  case unmarked
  /// No picture, or not what was written; why, in words.
  case damaged(String)
}
