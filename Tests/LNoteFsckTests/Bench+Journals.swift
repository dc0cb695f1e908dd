import Files
import LNoteFormat
import TestSupport

@testable import LNoteFsck

extension Bench {
  /// A journal on a page as it is now, with strokes of these numbers put on the page; `change` adds to it.
  func putJournal(
    page place: Int, strokes numbers: [UInt64] = [31, 32], _ change: (inout JournalBytes) -> Void = { _ in }
  ) throws {
    var journal = JournalBytes(onPage: try bytes(PackagePaths.page(Bench.pages[place])))
    for number in numbers { journal.append(type: 1, Bench.payload(Bench.drawn(number))) }
    change(&journal)
    try put(journal.bytes, at: PackagePaths.journal(Bench.pages[place]))
  }

  /// A journal of a page on a version of this number, which may be there or not.
  func putJournal(page place: Int, base: UInt64, strokes numbers: [UInt64] = [31, 32]) throws {
    var journal = JournalBytes(page: Bench.pages[place].bytes, base: base, baseChecksum: 77)
    for number in numbers { journal.append(type: 1, Bench.payload(Bench.drawn(number))) }
    try put(journal.bytes, at: PackagePaths.journal(Bench.pages[place]))
  }

  static func drawn(_ number: UInt64) -> PageElement { .stroke(stroke(number, samples: 3)) }

  /// An element's payload as a page has it.
  static func payload(_ element: PageElement) -> [UInt8] {
    var page = sound()[0]
    page.elements = [element]
    return Array(page.encoded()[93...])
  }

  /// The length of the frame of such a stroke in a journal.
  static let journalStrokeBytes = 9 + 8 + 32 + 3 * 16
}
