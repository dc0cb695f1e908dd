import LNoteFormat

extension PackageView {
  /// Each page once, in the order in which they are first listed.
  ///
  /// Of several entries the one is kept that has the generation of the page's file, else the first; what any of them
  /// says is lost, or a newer app noted in it, stays with it.
  static func once(_ listed: [PageEntry], _ facts: PackageFacts) -> [PageEntry] {
    if Set(listed.map(\.id)).count == listed.count { return listed }
    let generations = Dictionary(
      facts.pages.compactMap { page in page.whole.map { (page.id, $0.generation) } },
      uniquingKeysWith: { first, _ in first })
    var result: [PageEntry] = []
    var places: [NoteID: Int] = [:]
    for entry in listed {
      guard let place = places[entry.id] else {
        places[entry.id] = result.count
        result.append(entry)
        continue
      }
      let kept = result[place]
      let fits = { (entry: PageEntry) in entry.generation == generations[entry.id] }
      let losses = kept.losses + entry.losses.filter { !kept.losses.contains($0) }
      let isBetter = fits(entry) && !fits(kept)
      let other = isBetter ? kept : entry
      if isBetter { result[place] = entry }
      result[place].losses = losses
      result[place].unknown.merge(other.unknown) { own, _ in own }
      result[place].canvasUnknown.merge(other.canvasUnknown) { own, _ in own }
    }
    return result
  }

  /// The pages that are listed more than once, in order.
  static func doubled(_ listed: [PageEntry]) -> [NoteID] {
    var counts: [NoteID: Int] = [:]
    var result: [NoteID] = []
    for entry in listed {
      counts[entry.id, default: 0] += 1
      if counts[entry.id] == 2 { result.append(entry.id) }
    }
    return result
  }
}
