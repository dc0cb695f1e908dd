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
    expected(header: damage.header, entry: entry)
  }

  /// The same from the header alone; nil where it is lost.
  static func expected(header: PageHeader?, entry: PageEntry?) -> UInt64? {
    let fromEntry = entry.flatMap { expected(by: $0) }
    guard let header else { return fromEntry }
    guard let entry, let fromEntry, header.generation <= entry.generation, !wasCutShort(entry, at: header.generation)
    else { return UInt64(header.elementCount) }
    return max(UInt64(header.elementCount), fromEntry)
  }

  /// True where an earlier repair recorded its loss and ended before it wrote the page: the file is still the old one.
  static func wasCutShort(_ entry: PageEntry, at generation: UInt64) -> Bool {
    entry.losses.contains { !$0.isAccepted && $0.lostGeneration == generation && $0.generation == entry.generation }
  }

  /// What a whole page lacks that takes the place of a page with this entry.
  static func loss(placing summary: PageSummary, for entry: PageEntry) -> ContentLoss {
    var loss = ContentLoss()
    if summary.generation > entry.generation || LossCheck.isHealed(entry, by: summary) { return loss }
    let isOlder = summary.generation < entry.generation
    if !isOlder && entry.losses.contains(where: { !$0.isAccepted }) { return loss }
    let expected = isOlder ? expected(by: entry) ?? 0 : entry.elementCount
    loss.elements = expected - min(summary.elements, expected)
    loss.isAtLeast = isOlder
    return loss
  }

  /// What a repair does not find again of a page whose own place holds nothing of it.
  static func loss(of entry: PageEntry, _ view: PackageView) -> ContentLoss {
    if let found = view.facts.elsewhere.pages[entry.id]?.first { return loss(placing: found.summary, for: entry) }
    if let damage = view.damagedStray(ofPage: entry.id) {
      return loss(keeping: damage.damage.salvage, of: expected(of: damage.damage, entry: entry))
    }
    let expected = expected(by: entry)
    return ContentLoss(elements: expected ?? 0, isAtLeast: expected == nil)
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
