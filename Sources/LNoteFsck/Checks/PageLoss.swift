import LNoteFormat

/// How much of a page is missing, from what the evidence says was there.
enum PageLoss {
  /// How many elements the entry says the page file holds; nil where an entry does not know.
  ///
  /// After a repair the entry keeps the old number until the loss is accepted, so losses of this very generation are
  /// taken off.
  static func expected(by entry: PageEntry) -> UInt64? {
    if entry.generation == 0 { return nil }
    let missing = entry.losses.filter { !$0.isAccepted && $0.generation == entry.generation }
      .reduce(UInt64(0)) { $0 + $1.elements }
    return entry.elementCount - min(missing, entry.elementCount)
  }

  /// How many elements a damaged page should hold: the more of what its own whole header and the entry say.
  static func expected(of damage: PageDamage, entry: PageEntry?) -> UInt64? {
    let fromEntry = entry.flatMap { expected(by: $0) }
    guard let header = damage.header else { return fromEntry }
    guard let entry, let fromEntry, header.generation <= entry.generation, !wasCutShort(entry, at: header.generation)
    else { return UInt64(header.elementCount) }
    return max(UInt64(header.elementCount), fromEntry)
  }

  /// True where an earlier repair recorded its loss and ended before it wrote the page: the file is still the old one.
  static func wasCutShort(_ entry: PageEntry, at generation: UInt64) -> Bool {
    entry.losses.contains { !$0.isAccepted && $0.lostGeneration == generation && $0.generation == entry.generation }
  }

  /// What is missing when only this much can be kept.
  static func loss(keeping salvage: SalvageSummary, of expected: UInt64?) -> ContentLoss {
    var loss = ContentLoss()
    let kept = salvage.elements + (salvage.partial == nil ? 0 : 1)
    if let expected {
      loss.elements = expected - min(kept, expected)
    } else {
      loss.isAtLeast = true
    }
    if let partial = salvage.partial {
      loss.samples = partial.samplesBefore - min(partial.samples, partial.samplesBefore)
    }
    return loss
  }
}
