import Files
import LNoteFormat

@testable import LNoteFsck

extension DamageCase {
  // MARK: Files and frames that are another's

  static let misplaced = [
    DamageCase("two pages changed places", "LN1104 LN1104") { bench in
      try bench.put(bench.snapshots[1].encoded(), at: page1)
      try bench.put(bench.snapshots[0].encoded(), at: page2)
    },
    DamageCase("three pages changed places", "LN1104 LN1104 LN1104") { bench in
      for place in 0..<3 {
        try bench.put(bench.snapshots[(place + 1) % 3].encoded(), at: PackagePaths.page(Bench.pages[place]))
      }
    },
    DamageCase(
      "three pages that changed places, one of which is gone", "LN1104 LN1104 LN4003", left: "LN4003 LN9001", exit: 5
    ) {
      bench in
      try bench.put(bench.snapshots[2].encoded(), at: page2)
      try bench.put(bench.snapshots[0].encoded(), at: page3)
      try bench.remove(page1)
    },
    DamageCase("two pages that changed places, one of which is a temporary file", "LN1104 LN1503") { bench in
      try bench.writeTemporary(page: 1) { _ in }
      try bench.put(bench.snapshots[0].encoded(), at: page2)
      try bench.remove(page1)
    },
    DamageCase("two pages that are not listed changed places", "LN1104 LN1104") { bench in
      try bench.put(bench.snapshots[1].encoded(), at: page1)
      try bench.put(bench.snapshots[0].encoded(), at: page2)
      try bench.edit { $0.pages.removeFirst(2) }
    },
    DamageCase("a FIFO as page, which has another page's name", "LN1002 LN1104") { bench in
      try bench.remove(page1)
      try bench.makeNode(page1, kind: .fifo)
      try bench.put(bench.snapshots[0].encoded(), at: PackagePaths.page(stranger))
    },
    DamageCase("another page's content, which is in its own place too", "LN1104", left: "LN9001", exit: 5) { bench in
      try bench.put(bench.snapshots[2].encoded(), at: page1)
    },
    DamageCase("a newer version of a page over another page", "LN1104", left: "LN9001", exit: 5) { bench in
      var newer = bench.snapshots[2]
      newer.generation = 6
      newer.elements = [.stroke(Bench.stroke(50, samples: 3))]
      try bench.put(newer.encoded(), at: page1)
    },
    DamageCase("a page under a name that nobody knows", "LN1104") { bench in
      try bench.put(bench.snapshots[0].encoded(), at: PackagePaths.page(stranger))
      try bench.remove(page1)
    },
    DamageCase("a page that is not listed over one that is", "LN1104", left: "LN9001", exit: 5) { bench in
      var other = bench.snapshots[0]
      other.id = stranger
      try bench.put(other.encoded(), at: page1)
    },
    DamageCase("a page's own copy where another should be, and one that is damaged", "LN1104 LN3001") { bench in
      try bench.put(bench.snapshots[0].encoded(), at: page3)
      try bench.damage(page1) { $0[200] ^= 1 }
      try bench.edit { $0.pages.remove(at: 2) }
    },
    DamageCase("a header of another page over sound strokes", "LN3001") { bench in
      try bench.damage(page1) { bytes in
        bytes[20] ^= 1
        bytes = Bench.sealed(header: bytes)
      }
    },
    DamageCase("a header of another version over sound strokes", "LN3001") { bench in
      try bench.damage(page1) { bytes in
        bytes[48] = 9
        bytes = Bench.sealed(header: bytes)
      }
    },
    DamageCase("another page's strokes without a header", "LN3001", left: "LN9001", exit: 5) { bench in
      let other = bench.snapshots[1].encoded()
      try bench.put([UInt8](repeating: 0xEE, count: 84) + other[84...], at: page1)
    },
    DamageCase("another page's strokes without a header over a page without any", "LN3001") { bench in
      let other = bench.snapshots[1].encoded()
      try bench.put([UInt8](repeating: 0xEE, count: 84) + other[84...], at: page3)
    },
    DamageCase("another page's content, cut in its first stroke", "LN3002", left: "LN9001", exit: 5) { bench in
      try bench.put(Array(bench.snapshots[1].encoded().prefix(84 + 9 + 32 + 5 * 16)), at: page1)
    },
    DamageCase("one stroke without a header", "LN3001") { try oneStroke($0) },
    DamageCase("one stroke without a header, and two entries", "LN2004 LN3001 LN5003") { bench in
      try oneStroke(bench)
      try bench.edit { record in
        record.pages.append(record.pages[0])
        record.pages[3].generation = 500
      }
    },
    DamageCase("another page's content with a changed byte", "LN3001", left: "LN9001", exit: 5) { bench in
      var other = bench.snapshots[1].encoded()
      other[200] ^= 1
      try bench.put(other, at: page1)
    },
    DamageCase("another page's stroke in the middle", "LN3001", left: "LN9001", exit: 5) { bench in
      let other = bench.snapshots[1].encoded()
      let frame = 9 + 32 + 160
      try bench.damage(page1) { $0.replaceSubrange((84 + frame)..<(84 + 2 * frame), with: other[84..<445]) }
    },
    DamageCase("a damaged header that names another version of the format", "LN3001") { bench in
      try bench.damage(page1) { bytes in
        bytes[8] = 9
        bytes[36] ^= 1
      }
    },
    DamageCase("a copied document with its old identity", "LN2003") { bench in
      try bench.edit { $0.id = stranger }
    },
    DamageCase("another document's document.json", "LN2003") { bench in
      try bench.put(foreign(bench).encoded(), at: document)
    },
    DamageCase("another document's document.json and manifest", "LN2003", left: "LN9001", exit: 5) { bench in
      let other = foreign(bench)
      try bench.edit { $0 = other }
    },
  ]

  private static let stranger = NoteID(high: 0xF0F0_0000_0000_4000, low: 0x8000_0000_0000_0007)

  /// Page 1 with a single stroke, which nothing but the document's entry tells the generation of.
  private static func oneStroke(_ bench: Bench) throws {
    try bench.write(page: 0) { $0.elements = [$0.elements[0]] }
    try bench.edit { $0.pages[0].elementCount = 1 }
    try bench.damage(page1) { $0.replaceSubrange(0..<84, with: [UInt8](repeating: 0xEE, count: 84)) }
  }

  private static func foreign(_ bench: Bench) -> DocumentRecord {
    var record = bench.document
    record.id = stranger
    record.title = "Chemistry"
    for place in record.pages.indices {
      record.pages[place].id = NoteID(high: 0xF0F0_0000_0000_4000, low: 0x8000 << 48 | UInt64(place))
    }
    return record
  }
}
