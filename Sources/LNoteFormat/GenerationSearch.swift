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
  // Those below are of a page whose repair was cut short when the document had its new generation already.
  static let generationsFromHintMax: UInt64 = 64
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
    if let prefix = prefixOfMost(implied, distinct: distinct) { return agreed(prefix) }
    return believed(implied)
  }

  /// The prefix value that most different frames imply, at least two; of several the first in the file.
  private func prefixOfMost(_ implied: [(offset: Int, prefix: UInt32)], distinct: (Int) -> UInt64) -> UInt32? {
    // Sorted rather than hashed: a file may hold a million frames that all imply something else.
    let witnesses = implied.map { (prefix: $0.prefix, frame: distinct($0.offset)) }.sorted { $0 < $1 }
    var best: (count: Int, prefixes: [UInt32]) = (2, [])
    var count = 0
    for index in witnesses.indices {
      let isNewPrefix = index == 0 || witnesses[index - 1].prefix != witnesses[index].prefix
      let isNewFrame = isNewPrefix || witnesses[index - 1].frame != witnesses[index].frame
      count = isNewPrefix ? 1 : count + (isNewFrame ? 1 : 0)
      guard isNewFrame, count >= best.count else { continue }
      if count > best.count { best = (count, []) }
      best.prefixes.append(witnesses[index].prefix)
    }
    let prefixes = Set(best.prefixes)
    return implied.first { prefixes.contains($0.prefix) }?.prefix
  }

  /// The generation that two frames agree on: a known one where it fits, else a plausible one with the upper half of
  /// the hint, or 0.
  ///
  /// Every value is that of some generation of every page, so one that no page comes to in a lifetime tells that the
  /// frames are of another page.
  private func agreed(_ prefix: UInt32) -> Finding {
    for identity in identities {
      for known in [unproven, hint].compactMap(\.self)
      where BodyPrefix(page: identity, upper: known >> 32).generation(prefix: prefix) == known {
        return Finding(prefix: prefix, identity: identity, generation: known, proof: .frames)
      }
    }
    for identity in identities {
      let generation = BodyPrefix(page: identity, upper: (hint ?? 0) >> 32).generation(prefix: prefix)
      if isPlausible(generation) {
        return Finding(prefix: prefix, identity: identity, generation: generation, proof: .frames)
      }
    }
    return Finding(prefix: prefix, identity: nil, generation: nil, proof: .frames)
  }

  // A page would have to be saved once a second for twelve days.
  private static let generationsMax: UInt64 = 1 << 20

  private func isPlausible(_ generation: UInt64) -> Bool {
    guard let hint, hint > GenerationSearch.generationsMax else {
      return generation > 0 && generation <= (hint ?? 0) + GenerationSearch.generationsMax
    }
    let lowest = hint - GenerationSearch.generationsMax
    return generation > lowest && generation - lowest <= 2 * GenerationSearch.generationsMax
  }

  /// The first single frame whose generation is a likely one.
  private func believed(_ implied: [(offset: Int, prefix: UInt32)]) -> Finding? {
    let uppers = Set([unproven, hint, 0].compactMap(\.self).map { $0 >> 32 }).sorted()
    let bodies = identities.flatMap { identity in uppers.map { BodyPrefix(page: identity, upper: $0) } }
    for frame in implied {
      for body in bodies {
        let generation = body.generation(prefix: frame.prefix)
        guard generation == unproven || isLikely(generation) else { continue }
        return Finding(prefix: frame.prefix, identity: body.page, generation: generation, proof: .oneFrame)
      }
    }
    return nil
  }

  private func isLikely(_ generation: UInt64) -> Bool {
    guard let hint else { return generation > 0 && generation <= GenerationSearch.generationWithoutHintMax }
    let distance = generation > hint ? generation - hint : hint - generation
    return generation > 0 && distance <= GenerationSearch.generationsFromHintMax
  }
}

/// The bodies of one page whose generations have one upper half: each prefix value is that of exactly one of them.
struct BodyPrefix {
  let page: NoteID
  let upper: UInt64
  // The CRC of the upper half's bytes alone, and that of magic and page UUID, four bytes on.
  private let upperAlone: UInt32
  private let pageAdvanced: UInt32

  init(page: NoteID, upper: UInt64) {
    self.page = page
    self.upper = upper & 0xFFFF_FFFF
    upperAlone = CRC32C.checksum(of: (0..<4).map { UInt8(truncatingIfNeeded: upper >> (8 * $0)) })
    pageAdvanced = CRCAlgebra.advanced(CRC32C.checksum(of: PageHeader.magic + page.bytes), byBytes: 4)
  }

  /// The generation whose frames, in this page's snapshot, have the prefix value.
  func generation(prefix: UInt32) -> UInt64 {
    let behindLower = CRCAlgebra.valueBefore(count: 4, after: prefix, alone: upperAlone)
    // The CRC of the four lower bytes alone; four bytes have one CRC each, so it tells them.
    let alone = behindLower ^ pageAdvanced
    return upper << 32 | UInt64(~CRCAlgebra.unwound(~alone, byBytes: 4))
  }
}
