import LNoteFormat
import Rendering

/// What a thumbnail's bytes are. One of ours is judged by its comment, any other by its markers alone.
enum ThumbnailSurvey {
  static func content(of file: UnsafeRawBufferPointer, page: NoteID) -> ThumbnailContent {
    if let thumbnail = Thumbnail.read(file) { return .marked(thumbnail) }
    switch JPEGCheck.walk(file).condition {
    case .zeroLength: return .damaged("it is empty (0 bytes)")
    case .nulFilled: return .damaged("it holds zeros in place of a picture")
    case .truncated: return .damaged("it is cut off")
    case .notJPEG(let kind) where kind != .unknown && kind != .jpeg: return .unmarked
    case .notJPEG, .damaged: return .damaged("it is no picture that can be read")
    case .whole: return Thumbnail.isMarked(file, as: page) ? .damaged("a part of it was changed") : .unmarked
    }
  }
}
