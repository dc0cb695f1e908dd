import LNoteFormat

/// Which known losses the user accepts.
package enum LossPlace: Hashable, Sendable {
  /// Those of one page, and of the images on it; pages count from 1.
  case page(Int)
  /// All of the document.
  case all

  /// "page-12" or "all"; nil for anything else.
  package init?(_ text: String) {
    if text == "all" {
      self = .all
    } else if text.hasPrefix("page-"), let number = Int(text.dropFirst(5)), number > 0 {
      self = .page(number)
    } else {
      return nil
    }
  }

  func covers(page number: Int?) -> Bool {
    switch self {
    case .all: true
    case .page(let wanted): number == wanted
    }
  }
}

extension DocumentRecord {
  /// This document with the losses at `place` accepted; nil where none is open there.
  ///
  /// An entry's count is what the file holds plus what is missing and not accepted, so it goes down.
  func accepting(_ place: LossPlace, in view: PackageView) -> DocumentRecord? {
    var record = self
    for index in pages.indices where place.covers(page: index + 1) {
      record.pages[index].elementCount = PageLoss.expected(by: pages[index]) ?? pages[index].elementCount
      for loss in pages[index].losses.indices { record.pages[index].losses[loss].isAccepted = true }
    }
    for index in losses.indices {
      let uses = losses[index].asset.flatMap { view.uses[$0] } ?? []
      let isThere = uses.contains { place.covers(page: $0.page.number) }
      if place == .all || isThere { record.losses[index].isAccepted = true }
    }
    return record == self ? nil : record
  }
}
