/// What could be saved from a damaged page file.
package struct SalvagedPage: Hashable, Sendable {
  /// The page's identity: the header's where it is whole and frames are of it, else what the frames tell.
  ///
  /// Nil where frames are there and are of none of the pages that were asked for: they are another page's.
  package var id: NoteID?
  /// The generation of the frames; nil where nothing tells it.
  package var generation: UInt64?
  /// How the generation is known.
  package var proof: GenerationProof
  /// The header, where its checksum fits.
  package var header: PageHeader?
  /// What stands in the header's place, where its checksum does not fit. To be believed in nothing else's stead.
  package var unprovenHeader: PageHeader?
  /// The elements of all good frames, in the order of the file.
  package var elements: [PageElement]
  /// Where they stand.
  package var marks: [ElementMark]
  /// The stroke that the file's end cut, with the samples that are left of it.
  package var partial: PartialStroke?
  /// How many good frames were left out because the same frame stands before them.
  package var doubledFrames: Int
  /// The parts of the file that hold no good frame, behind the header.
  package var gaps: [Range<Int>]
  /// True when the search ended at its limit of work, which only a file made to that end reaches.
  package var isIncomplete: Bool

  /// How many elements the header announces beyond those saved; nil without a header.
  package var elementsMissing: Int? {
    header.map { max(0, Int($0.elementCount) - elements.count) }
  }
}

/// How the generation of salvaged frames is known.
package enum GenerationProof: String, Hashable, Sendable {
  /// The header is whole.
  case header
  /// At least two frames agree.
  case frames
  /// One frame, which agrees with the damaged header or with the hint.
  case oneFrame = "one-frame"
  /// Nothing could be saved.
  case none
}

/// A stroke whose last samples are lost. No checksum covers what is left of it.
package struct PartialStroke: Hashable, Sendable {
  /// The stroke with the samples that are left, at least one.
  package var stroke: Stroke
  /// How many samples are lost.
  package var samplesMissing: Int
  /// Where its frame begins: bytes from the file's first.
  package var offset: Int
}
