import Files
import LNoteFormat

/// What sessions keep of files' bytes from one to the next, where a volume names contents.
///
/// See `ContentMemory`. For who opens the same files again and again on a disk that shows one state after the other. All
/// of it takes 160 MiB at the most.
package final class StoreMemory: Sendable {
  let documents = ContentMemory<OnlyQuestion, RecordReading<DocumentRecord>>(bytesMax: 16 << 20)
  let manifests = ContentMemory<OnlyQuestion, RecordReading<ManifestRecord>>(bytesMax: 16 << 20)
  let pages = ContentMemory<NoteID, PageReading>(bytesMax: 128 << 20)

  /// An empty memory.
  package init() {}
}
