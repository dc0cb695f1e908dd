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
