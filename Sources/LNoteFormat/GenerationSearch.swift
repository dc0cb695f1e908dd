import Bytes

/// Finds out of which page and generation frames are, when the page's header does not tell.
///
/// All frames of one body have magic, page UUID and generation in common, in front of what differs. Run backwards over
/// a frame, its checksum tells the value behind those 32 bytes: its prefix value. Damaged frames imply a random one, so
/// a value that two different frames agree on is the page's. The value has 32 bits and a generation 64; with the page's
/// UUID known, each upper half of the generation gives exactly one lower half.
struct GenerationSearch {
  /// The identities the page may have, the likeliest first.
  let identities: [NoteID]
  /// What stands in the damaged header as its generation.
  let unproven: UInt64?
  /// The generation that the document's entry names.
  let hint: UInt64?

  // A single frame is believed if its generation is one of few: the chance of an accident is 1 in 2^22 at the most.
  static let generationsAboveHint: UInt64 = 64
  static let generationWithoutHintMax: UInt64 = 1024

  /// What was found.
  struct Finding: Equatable {
    let prefix: UInt32
    let identity: NoteID?
    let generation: UInt64?
    let proof: GenerationProof
  }

  /// The prefix value of a body, from those that its plausible frames imply.
  ///
  /// `distinct` tells frames apart: two copies of one frame are one witness.
  func find(_ implied: [(offset: Int, prefix: UInt32)], distinct: (Int) -> UInt64) -> Finding? {
    var witnesses: [UInt32: Set<UInt64>] = [:]
    for frame in implied { witnesses[frame.prefix, default: []].insert(distinct(frame.offset)) }
    var best: (prefix: UInt32, count: Int)?
    for frame in implied {
      let count = witnesses[frame.prefix]?.count ?? 0
      if count >= 2, count > best?.count ?? 0 { best = (frame.prefix, count) }
    }
    if let best { return agreed(best.prefix) }
    for frame in implied {
      if let finding = believed(frame.prefix) { return finding }
    }
    return nil
  }

  /// The generation that two frames agree on: a known one where it fits, else with the upper half of the hint, or 0.
  private func agreed(_ prefix: UInt32) -> Finding {
    for identity in identities {
      for known in [unproven, hint].compactMap(\.self)
      where GenerationSearch.generation(prefix: prefix, of: identity, upper: known >> 32) == known {
        return Finding(prefix: prefix, identity: identity, generation: known, proof: .frames)
      }
    }
    let generation = identities.first.map {
      GenerationSearch.generation(prefix: prefix, of: $0, upper: (hint ?? 0) >> 32)
    }
    return Finding(prefix: prefix, identity: identities.first, generation: generation, proof: .frames)
  }

  /// The generation of a single frame, where it is a likely one.
  private func believed(_ prefix: UInt32) -> Finding? {
    for identity in identities {
      for upper in Set([unproven, hint, 0].compactMap(\.self).map { $0 >> 32 }).sorted() {
        let generation = GenerationSearch.generation(prefix: prefix, of: identity, upper: upper)
        let isLikely =
          if let hint {
            generation >= hint && generation - hint <= GenerationSearch.generationsAboveHint
          } else {
            generation > 0 && generation <= GenerationSearch.generationWithoutHintMax
          }
        if generation == unproven || isLikely {
          return Finding(prefix: prefix, identity: identity, generation: generation, proof: .oneFrame)
        }
      }
    }
    return nil
  }

  /// The generation with this upper half whose frames, in the page's snapshot, have this prefix value.
  static func generation(prefix: UInt32, of page: NoteID, upper: UInt64) -> UInt64 {
    var crc = CRC32C()
    crc.update(PageHeader.magic)
    crc.update(page.bytes)
    let upperBytes = (0..<4).map { UInt8(truncatingIfNeeded: upper >> (8 * $0)) }
    let behindLower = CRCAlgebra.valueBefore(
      count: 4, after: prefix, alone: CRC32C.checksum(of: upperBytes))
    // The CRC of the four lower bytes alone; four bytes have one CRC each, so it tells them.
    let alone = behindLower ^ CRCAlgebra.advanced(crc.value, byBytes: 4)
    let lower = ~CRCAlgebra.unwound(~alone, byBytes: 4)
    return (upper & 0xFFFF_FFFF) << 32 | UInt64(lower)
  }
}
