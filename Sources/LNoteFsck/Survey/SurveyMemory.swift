import Files
import LNoteFormat

/// What surveys keep of files' bytes from one to the next, where a volume names contents.
///
/// See `ContentMemory`. Values only: what follows from them is found out anew each time. All of it takes 200 MiB at
/// the most.
package final class SurveyMemory: Sendable {
  /// What a page file is read as.
  struct PageQuestion: Hashable, Sendable {
    let id: NoteID
    let generationHint: UInt64?
  }

  typealias Plain<Answer: Sendable> = ContentMemory<OnlyQuestion, Answer>

  let documents = Plain<DocumentContent>(bytesMax: 32 << 20)
  let manifests = Plain<RecordSurvey.Manifest>(bytesMax: 16 << 20)
  let pages = ContentMemory<PageQuestion, PageContent?>(bytesMax: 32 << 20)
  let digests = Plain<AssetContent>(bytesMax: 16 << 20)
  let explanations = Plain<AssetSurvey.Explanation>(bytesMax: 16 << 20)
  let thumbnails = ContentMemory<NoteID, ThumbnailContent>(bytesMax: 8 << 20)
  let strayPages = Plain<StrayFacts.Content>(bytesMax: 16 << 20)
  let strayRecords = Plain<StrayFacts.Content>(bytesMax: 32 << 20)

  /// Whole packages; the question is the path.
  let packages = ContentMemory<BytePath, PackageFacts>(bytesMax: 32 << 20)

  /// An empty memory.
  package init() {}
}

/// A value made of a file's bytes; its size is about what it takes to keep, in bytes.
protocol Keepable: Sendable {
  /// - Parameter fileBytes: how many bytes it was made of.
  func bytesToKeep(fileBytes: Int) -> Int
}

extension Keepable {
  /// Records grow as they are read, and are small; anything else is smaller than the file.
  func bytesToKeep(fileBytes: Int) -> Int { 512 + 4 * fileBytes }
}

extension [UInt8]: Keepable {}
extension DocumentContent: Keepable {}
extension RecordSurvey.Manifest: Keepable {}

extension AssetContent: Keepable {
  func bytesToKeep(fileBytes: Int) -> Int { MemoryLayout<AssetContent>.size }
}

extension AssetSurvey.Explanation: Keepable {
  func bytesToKeep(fileBytes: Int) -> Int { MemoryLayout<AssetSurvey.Explanation>.size }
}

extension ThumbnailContent: Keepable {
  func bytesToKeep(fileBytes: Int) -> Int { MemoryLayout<ThumbnailContent>.size + 64 }
}

extension Optional: Keepable where Wrapped == PageContent {
  func bytesToKeep(fileBytes: Int) -> Int {
    switch self {
    case .whole(let summary), .trailing(let summary, _), .misplaced(_, let summary):
      PageContent.bytes(ofImages: summary.images)
    case .damaged(let damage): PageContent.bytes(ofImages: damage.salvage.images) + damage.evidence.utf8.count
    default: MemoryLayout<PageContent>.size
    }
  }
}

extension PageContent {
  fileprivate static func bytes(ofImages images: [PlacedImage]) -> Int {
    MemoryLayout<PageContent>.size + images.count * MemoryLayout<PlacedImage>.stride
  }
}

extension StrayFacts.Content: Keepable {
  func bytesToKeep(fileBytes: Int) -> Int {
    switch self {
    case .page(_, let summary): PageContent.bytes(ofImages: summary.images)
    case .document, .manifest: 512 + 4 * fileBytes
    case .damagedPage(_, let damage): PageContent.bytes(ofImages: damage.salvage.images)
    case .bytes, .appleDouble, .nothing: MemoryLayout<StrayFacts.Content>.size
    }
  }
}

extension PackageFacts {
  /// About how many bytes they take.
  var bytesToKeep: Int {
    let records = Int(clamping: (document.file?.size ?? 0) + (manifest.file?.size ?? 0))
    let contents = pages.reduce(0) { $0 + $1.content.bytesToKeep(fileBytes: 0) }
    let images = journals.reduce(0) { $0 + PageContent.bytes(ofImages: $1.content?.images ?? []) }
    return 1024 + 4 * records + contents + images + 512
      * (pages.count + journals.count + assets.count + thumbnails.count)
      + strays.reduce(0) { $0 + 512 + $1.content.bytesToKeep(fileBytes: Int(clamping: $1.file.size)) }
  }
}
