import JSON
import LNoteFormat

/// What a repair writes into a loss beyond the fields that every reader knows.
///
///     key             meaning
///     asset           identity of the image file that is lost
///     generation      the page's generation after the repair
///     lostGeneration  the generation of the content that was lost: what must come back to heal the loss
///     pages           pages that the manifest counted and nobody found
///     samples         points of a stroke that was kept in part
extension RecordedLoss {
  /// The asset whose picture is lost; nil for a loss of elements.
  var asset: NoteID? { unknown["asset"]?.string.flatMap { NoteID($0) } }

  /// The page's generation after the repair; nil for losses of the document.
  var generation: UInt64? { unsigned("generation") }

  /// The generation of what was lost.
  var lostGeneration: UInt64? { unsigned("lostGeneration") }

  /// How many pages are missing that the manifest counted.
  var pagesMissing: UInt64 { unsigned("pages") ?? 0 }

  /// How many points of a stroke that was kept in part.
  var samples: UInt64 { unsigned("samples") ?? 0 }

  /// This loss with the page's new generation.
  func at(generation: UInt64) -> RecordedLoss {
    var loss = self
    loss.unknown["generation"] = .integer(Int64(clamping: generation))
    return loss
  }

  /// The keys that are not among these.
  var unknownKeys: [String] {
    unknown.keys.filter { !["asset", "generation", "lostGeneration", "pages", "samples"].contains($0) }
  }

  private func unsigned(_ key: String) -> UInt64? {
    unknown[key]?.integer.flatMap { UInt64(exactly: $0) }
  }
}
