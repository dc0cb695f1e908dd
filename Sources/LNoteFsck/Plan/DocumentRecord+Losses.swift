import LNoteFormat

/// Losses that another record remembers: a manifest, or a version of the document that a repair set aside.
extension DocumentRecord {
  /// Puts losses back that are not told any more, each in the entry of its page; one that was accepted stays so.
  ///
  /// A loss of a page that is not listed becomes one of the document.
  mutating func takeBack(_ remembered: [MirroredLoss], whole: (NoteID) -> PageSummary?) {
    var places: [NoteID: Int] = [:]
    for (place, entry) in pages.enumerated() where places[entry.id] == nil { places[entry.id] = place }
    let gone = Set(deleted.map(\.id))
    for known in remembered {
      if let page = known.page, let place = places[page] {
        // Saved from an entry that is damaged, it passed for one of the document.
        if let stray = losses.firstIndex(where: { $0.isSame(as: known.loss) && $0.asset == nil }) {
          losses.remove(at: stray)
        }
        pages[place].takeBack(known.loss, whole: whole(page))
      } else if let place = losses.firstIndex(where: { $0.isSame(as: known.loss) }) {
        losses[place].isAccepted = losses[place].isAccepted || known.loss.isAccepted
      } else if !(known.page.map { gone.contains($0) } ?? false) {
        losses.append(known.ofDocument)
      }
    }
  }

  /// This document without losses, as its files are counted.
  var withoutLosses: DocumentRecord {
    var record = self
    record.losses = []
    for place in pages.indices {
      record.pages[place].elementCount = PageLoss.expected(by: pages[place]) ?? pages[place].elementCount
      record.pages[place].losses = []
    }
    return record
  }
}

extension PageEntry {
  /// Puts a loss back; `whole` is what the page's file says, where it is whole.
  fileprivate mutating func takeBack(_ loss: RecordedLoss, whole: PageSummary?) {
    var loss = loss
    var counted = PageLoss.expected(by: self)
    if let place = losses.firstIndex(where: { $0.isSame(as: loss) }) {
      let other = losses.remove(at: place)
      let isAccepted = other.isAccepted || loss.isAccepted
      if (other.generation ?? 0) > (loss.generation ?? 0) { loss = other }
      loss.isAccepted = isAccepted
      losses.insert(loss, at: place)
    } else {
      losses.append(loss)
    }
    // An entry from before the repair: the page that the repair wrote is there.
    if let whole, whole.generation > generation, loss.generation == whole.generation {
      take(whole)
      counted = whole.elements
    }
    let missing = losses.filter { !$0.isAccepted && $0.generation == generation }.reduce(UInt64(0)) { $0 + $1.elements }
    if let counted { elementCount = counted + missing }
  }
}

extension RecordedLoss {
  /// True for the record of one and the same loss, whatever became of it since.
  fileprivate func isSame(as other: RecordedLoss) -> Bool {
    at == other.at && code == other.code && stamp == other.stamp && asset == other.asset
      && lostGeneration == other.lostGeneration
  }
}
