import Bytes
import Files
import LNoteFormat
import TestSupport

@testable import LNoteFsck

/// Journals: the newest changes of a page, which are not in the page yet.
extension DamageCase {
  static let journal1 = PackagePaths.journal(Bench.pages[0])

  static let journals = journalTails + journalDamages + journalStandings + pagesWithJournals

  private static let journalTails = [
    DamageCase("a journal that ends in the middle of a change", "LN6001", left: "LN6008") { bench in
      try bench.putJournal(page: 0) { $0.append(raw: Array(repeating: 7, count: 4)) }
    },
    DamageCase("a journal of a page without strokes, cut in its only change", "LN6001") { bench in
      try bench.putJournal(page: 2, strokes: [31])
      try bench.damage(PackagePaths.journal(Bench.pages[2])) { $0 = Array($0.dropLast(5)) }
    },
    DamageCase("a journal whose last change is at full length, but damaged", "LN6001", left: "LN6008") { bench in
      try bench.putJournal(page: 0)
      try bench.damage(journal1) { $0[$0.count - 7] ^= 1 }
    },
    DamageCase("a journal cut in its beginning", "LN6001") { bench in
      try bench.putJournal(page: 0)
      try bench.damage(journal1) { $0 = Array($0.prefix(20)) }
    },
    DamageCase("a journal of 0 bytes", "LN6001") { try $0.put([], at: journal1) },
    DamageCase("a journal that ends in zeros", "LN6004", left: "LN6008") { bench in
      try bench.putJournal(page: 0) { $0.append(raw: Array(repeating: 0, count: 4096)) }
    },
    DamageCase("a journal of zeros", "LN6004") { try $0.put(Array(repeating: 0, count: 600), at: journal1) },
    DamageCase("a journal that ends in a length no change has", "LN6003", left: "LN6008") { bench in
      try bench.putJournal(page: 0) { $0.append(raw: [255, 255, 255, 127] + (0..<40).map { 99 + $0 }) }
    },
  ]

  private static let journalDamages = [
    DamageCase("a journal damaged in the middle", "LN6002", left: "LN6002", exit: 4) { bench in
      try bench.putJournal(page: 0, strokes: [31, 32, 33])
      try bench.damage(journal1) { $0[48 + Bench.journalStrokeBytes + 60] ^= 1 }
    },
    DamageCase("a journal from which a change was lost", "LN6002", left: "LN6002", exit: 4) { bench in
      try bench.putJournal(page: 0, strokes: [31, 32, 33])
      try bench.damage(journal1) { $0.removeSubrange(48..<(48 + Bench.journalStrokeBytes)) }
    },
    DamageCase("a length no change has, and whole changes behind it", "LN6003", left: "LN6003", exit: 4) { bench in
      try bench.putJournal(page: 0)
      try bench.damage(journal1) { for place in 48..<52 { $0[place] = 0xFF } }
    },
    DamageCase("a length that leads beyond the end, and whole changes behind it", "LN6003", left: "LN6003", exit: 4) {
      bench in
      try bench.putJournal(page: 0)
      try bench.damage(journal1) { $0[49] = 0x10 }
    },
    DamageCase("a journal with a stroke that is there already", "LN6009", left: "LN6009", exit: 0) { bench in
      try bench.putJournal(page: 0, strokes: [1])
    },
    DamageCase("a journal that takes away what is not there", "LN6009", left: "LN6009", exit: 0) { bench in
      try bench.putJournal(page: 0) { journal in
        journal.append(type: 16, Bench.free.bytes)
        journal.append(type: 99, [1])
      }
    },
    DamageCase("a damaged beginning of a journal", "LN6010", left: "LN6010", exit: 4) { bench in
      try bench.putJournal(page: 0)
      try bench.damage(journal1) { $0[20] ^= 1 }
    },
    DamageCase("a damaged beginning of a journal without changes", "LN6010") { bench in
      try bench.putJournal(page: 0, strokes: [])
      try bench.damage(journal1) { $0[33] ^= 1 }
    },
    DamageCase("a damaged beginning of a journal that shows an image", "LN6010", left: "LN6010", exit: 4) { bench in
      try bench.putJournal(page: 0) {
        $0.append(type: 2, Bench.payload(.image(Bench.image(of: Bench.free, Bench.picture, element: 40))))
      }
      try bench.damage(journal1) { $0[20] ^= 1 }
      try bench.put(Bench.picture, at: PackagePaths.asset(Bench.free))
    },
    DamageCase("a journal of another format version", "LN3004", left: "LN3004", exit: 4) { bench in
      try bench.putJournal(page: 0)
      try bench.damage(journal1) { bytes in
        bytes[8] = 2
        let crc = Bench.checksum(bytes[..<44])
        for place in 0..<4 { bytes[44 + place] = UInt8(truncatingIfNeeded: crc >> (8 * UInt32(place))) }
      }
    },
    DamageCase("a FIFO as journal", "LN1002") { try $0.makeNode(journal1, kind: .fifo) },
    DamageCase("a FIFO as journal of a damaged page", "LN1002 LN3001", left: "LN9001", exit: 5) { bench in
      try bench.makeNode(journal1, kind: .fifo)
      try bench.damage(page1) { $0[200] ^= 1 }
    },
    DamageCase("a link as journal", "LN1003", left: "LN1003", exit: 4) {
      try $0.makeNode(journal1, kind: .symbolicLink)
    },
  ]

  private static let journalStandings = [
    DamageCase("a journal that is in the page already", "LN6005") { try $0.putJournal(page: 0, base: 4) },
    DamageCase("a journal of a page that was deleted", "LN2017 LN5104") { bench in
      try bench.putJournal(page: 0)
      try bench.edit { document in
        let gone = document.pages.remove(at: 0)
        document.deleted = [DeletedPage(id: gone.id, generation: gone.generation)]
      }
      try bench.remove(page1)
    },
    DamageCase("a journal of a later version than the one that was deleted", "LN6007", left: "LN6007", exit: 4) {
      bench in
      try bench.putJournal(page: 0)
      try bench.edit { document in
        let gone = document.pages.remove(at: 0)
        document.deleted = [DeletedPage(id: gone.id, generation: gone.generation - 1)]
      }
      for path in [page1, small1] { try bench.remove(path) }
    },
    DamageCase("a journal of a newer page", "LN6006", left: "LN6006", exit: 4) { try $0.putJournal(page: 0, base: 6) },
    DamageCase("a journal of a newer page, without changes", "LN6006") {
      try $0.putJournal(page: 0, base: 6, strokes: [])
    },
    DamageCase("a journal of a newer page, whose only change is damaged", "LN6006", left: "LN6006", exit: 4) { bench in
      try bench.putJournal(page: 0, base: 6, strokes: [31])
      try bench.damage(journal1) { $0[$0.count - 7] ^= 1 }
    },
    DamageCase("a journal without a page", "LN6007", left: "LN6007", exit: 4) { bench in
      try bench.putJournal(page: 2)
      try bench.edit { $0.pages.removeLast() }
      try bench.remove(page3)
      try bench.remove(PackagePaths.thumbnail(Bench.pages[2]))
    },
    DamageCase("a page that is missing, and its journal", "LN2005 LN6007", left: "LN2005 LN6007", exit: 4) { bench in
      try bench.putJournal(page: 0)
      try bench.remove(page1)
    },
    DamageCase("a journal whose changes are not in the page", "LN6008", left: "LN6008", exit: 0) {
      try $0.putJournal(page: 0)
    },
    DamageCase("an entry that counts with the first of a journal's changes", "LN6008", left: "LN6008", exit: 0) {
      bench in
      try bench.putJournal(page: 0) { journal in
        for number in 31...32 as ClosedRange<UInt64> { journal.append(type: 16, Bench.drawn(number).id?.bytes ?? []) }
      }
      try bench.edit { $0.pages[0].elementCount = 5 }
    },
    DamageCase("an entry that counts without what a journal takes away first", "LN6008", left: "LN6008", exit: 0) {
      bench in
      try bench.putJournal(page: 0, strokes: []) { journal in
        for element in bench.snapshots[0].elements.prefix(2) { journal.append(type: 16, element.id?.bytes ?? []) }
        for number in 31...32 as ClosedRange<UInt64> { journal.append(type: 1, Bench.payload(Bench.drawn(number))) }
      }
      try bench.edit { $0.pages[0].elementCount = 1 }
    },
    DamageCase("a journal of the same number on another page file", "LN6011", left: "LN6011", exit: 4) {
      try $0.putJournal(page: 0, base: 5)
    },
    DamageCase("another page's journal", "LN1104", left: "LN1104", exit: 4) { bench in
      try bench.putJournal(page: 1)
      let (from, to) = (PackagePaths.journal(Bench.pages[1]), journal1)
      try bench.volume.rename(Bench.package.appending(from), to: Bench.package.appending(to))
    },
  ]

  private static let pagesWithJournals = [
    DamageCase("a damaged page with a journal", "LN3001 LN6008", left: "LN3001 LN6008", exit: 4) { bench in
      try bench.putJournal(page: 0)
      try bench.damage(page1) { $0[200] ^= 1 }
    },
    DamageCase("a page of 0 bytes with a journal", "LN1203 LN6008", left: "LN1203 LN6008", exit: 4) { bench in
      try bench.putJournal(page: 0)
      try bench.put([], at: page1)
    },
    DamageCase("something behind the end of a page with a journal", "LN3003 LN6008", left: "LN6008") { bench in
      try bench.putJournal(page: 0)
      try bench.damage(page1) { $0 += [1, 2, 3] }
    },
    DamageCase("a newer temporary page beside a journal", "LN1502 LN6008", left: "LN1502 LN6008", exit: 0) { bench in
      try bench.putJournal(page: 0)
      try bench.writeTemporary(page: 0) { $0.generation = 6 }
    },
    DamageCase("an older page came back, and its journal stayed", "LN2018 LN6006", left: "LN2018 LN6006", exit: 4) {
      bench in
      try bench.putJournal(page: 0)
      try bench.write(page: 0) { $0.generation = 4 }
    },
    DamageCase(
      "an older page came back, its journal stayed, and the page that it is of is there",
      "LN1502 LN2018 LN6006", left: "LN6008"
    ) { bench in
      try bench.putJournal(page: 0)
      try bench.writeTemporary(page: 0) { _ in }
      try bench.write(page: 0) { $0.generation = 4 }
    },
    DamageCase(
      "an older page came back, its journal stayed, and another page of the journal's number is there",
      "LN1502 LN2018 LN6006", left: "LN1502 LN2018 LN6006", exit: 4
    ) { bench in
      try bench.putJournal(page: 0)
      try bench.writeTemporary(page: 0) { $0.elements.removeLast() }
      try bench.write(page: 0) { $0.generation = 4 }
    },
    DamageCase("an older page came back, its journal has another name", "LN1104 LN2018", left: "LN1104 LN2018", exit: 4)
    {
      bench in
      try bench.putJournal(page: 1)
      let (from, to) = (PackagePaths.journal(Bench.pages[1]), journal1)
      try bench.volume.rename(Bench.package.appending(from), to: Bench.package.appending(to))
      try bench.write(page: 1) { $0.generation = 4 }
    },
    DamageCase("a FIFO in the place of a page that only a journal knows", "LN1002 LN6008", left: "LN6007", exit: 5) {
      bench in
      try bench.putJournal(page: 0)
      try bench.edit { $0.pages.removeFirst() }
      for path in [page1, small1] { try bench.remove(path) }
      try bench.makeNode(page1, kind: .fifo)
    },
    DamageCase("an image that only a newer page's journal shows", "LN6006", left: "LN6006", exit: 4) { bench in
      var journal = JournalBytes(page: Bench.pages[0].bytes, base: 6, baseChecksum: 77)
      journal.append(type: 2, Bench.payload(.image(Bench.image(of: Bench.free, Bench.picture, element: 40))))
      try bench.put(journal.bytes, at: journal1)
      try bench.put(Bench.picture, at: PackagePaths.asset(Bench.free))
    },
    DamageCase("an image that a journal puts in a stroke's place", "LN6008", left: "LN6008", exit: 0) { bench in
      try bench.putJournal(page: 0) { journal in
        let image = Bench.payload(.image(Bench.image(of: Bench.free, Bench.picture, element: 40)))
        journal.append(type: 17, (bench.snapshots[0].elements[0].id?.bytes ?? []) + [2] + image)
      }
      try bench.put(Bench.picture, at: PackagePaths.asset(Bench.free))
    },
    DamageCase("an image that only a journal shows", "LN6008", left: "LN6008", exit: 0) { bench in
      try bench.putJournal(page: 0) {
        $0.append(type: 2, Bench.payload(.image(Bench.image(of: Bench.free, Bench.picture, element: 40))))
      }
      try bench.put(Bench.picture, at: PackagePaths.asset(Bench.free))
    },
    DamageCase("an image that only a journal shows, missing", "LN4001 LN6008", left: "LN6008 LN9001", exit: 5) {
      bench in
      try bench.putJournal(page: 0) {
        $0.append(type: 2, Bench.payload(.image(Bench.image(of: Bench.free, Bench.picture, element: 40))))
      }
    },
    DamageCase("an unused image beside a damaged journal", "LN4003 LN6002", left: "LN4003 LN6002", exit: 4) { bench in
      try bench.putJournal(page: 0, strokes: [31, 32, 33])
      try bench.damage(journal1) { $0[48 + Bench.journalStrokeBytes + 60] ^= 1 }
      try bench.put(Bench.picture, at: PackagePaths.asset(Bench.free))
    },
    DamageCase("an unused image beside a newer app's journal", "LN4003 LN6009", left: "LN4003 LN6009", exit: 0) {
      bench in
      try bench.putJournal(page: 0) { $0.append(type: 99, [1]) }
      try bench.put(Bench.picture, at: PackagePaths.asset(Bench.free))
    },
    DamageCase("an unused image beside a newer page's journal", "LN4003 LN6006", left: "LN4003 LN6006", exit: 4) {
      bench in
      try bench.putJournal(page: 0, base: 6)
      try bench.put(Bench.picture, at: PackagePaths.asset(Bench.free))
    },
  ]
}

extension Bench {
  static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 { CRC32C.checksum(of: bytes) }
}
