import Bytes
import Files
import LNoteFormat

/// A second copy of a page that is to become a page of its own.
///
/// Nothing is merged, and nothing stays out of reach.
package struct AdoptOrder: Hashable, Sendable {
  /// The copy's file.
  package var from: BytePath
  /// The page that it is a copy of.
  package var original: NoteID
  /// What the survey found; the executor must find the same.
  package var expected: PageSummary

  /// The identity of the new page: the same for the same copy, so that a repair that was cut short is taken up.
  var id: NoteID {
    var bytes = original.bytes
    for number in [expected.generation, UInt64(expected.headerChecksum ?? 0), expected.elements] {
      bytes += (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
    let digest = XXH3.digest128(of: bytes)
    // Version 8 of RFC 9562: made by a rule of one's own.
    return NoteID(
      high: digest.high & ~0xF000 | 0x8000, low: digest.low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
  }

  /// What the document says of the new page.
  var entry: PageEntry {
    var entry = PageEntry(id: id, expected)
    entry.generation = AdoptOrder.generation
    return entry
  }

  /// Numbers count the saves of one page, and this one has none yet.
  private static let generation: UInt64 = 1

  /// The bytes of the new page; nil where the copy is not what the plan was made for.
  func adopted(_ bytes: [UInt8]) -> [UInt8]? {
    guard let (found, summary) = bytes.withUnsafeBytes({ PageSurvey.wholePage(of: $0) }), found == original,
      summary == expected, var page = PageReader.read(bytes, expecting: original).snapshot
    else { return nil }
    page.id = id
    page.generation = AdoptOrder.generation
    return page.encoded()
  }
}

extension PackageView {
  /// What becomes of a second copy of a page that stands whole beside the page, which is whole too.
  ///
  /// Nil where it stays: nobody lists the page, or the copy holds nothing that could be listed.
  func adoption(of stray: StrayFacts) -> RepairAction? {
    guard case .copy(let target, isSame: false) = stray.name, case .page(let id, let summary) = stray.content,
      PackagePaths.page(id) == target, let document, !isFaulty, entry(id) != nil, page(id)?.whole != nil,
      isListed(PackagePaths.pages)
    else { return nil }
    // A page without anything on it.
    if summary.elements == 0 { return .setAside(stray.file.path) }
    let order = AdoptOrder(from: stray.file.path, original: id, expected: summary)
    if isAbsent(PackagePaths.page(order.id)) || document.deleted.contains(where: { $0.id == order.id }) { return nil }
    guard let page = page(order.id) else { return .adoptCopy(order) }
    guard let made = page.whole else { return nil }
    // Made by a repair that was ended before it listed the page, or before it set the copy aside.
    let isAsMade = made.generation == order.entry.generation && made.elements == summary.elements
    return entry(order.id) == nil && isAsMade ? .adoptCopy(order) : .setAside(stray.file.path)
  }
}
