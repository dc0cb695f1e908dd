import Files
import LNoteFormat

@testable import LNoteFsck

extension DamageCase {
  // MARK: Names that tell what a file was meant to be

  static let otherNames = [
    DamageCase("a page that nobody lists under a name that is none", "LN1101") { bench in
      try bench.edit { $0.pages.remove(at: 0) }
      try bench.give(page1, "notes.content")
    },
    DamageCase("a damaged page under a name that is none", "LN1101", left: "LN9001", exit: 5) { bench in
      try bench.damage(page1) { $0[200] ^= 1 }
      try bench.give(page1, "notes.content")
    },
    DamageCase("a damaged page that nobody misses stays where it is", "LN1603", left: "LN1603", exit: 0) { bench in
      var bytes = bench.snapshots[0].encoded()
      bytes[200] ^= 1
      try bench.put(bytes, at: "pages/notes.content")
    },
    DamageCase("a damaged page in lower case", "LN1102", left: "LN9001", exit: 5) { bench in
      try bench.damage(page1) { $0[200] ^= 1 }
      try bench.give(page1, page1.name.description.lowercased())
    },
    DamageCase("a page of zeros in lower case", "LN1102", left: "LN9001", exit: 5) { bench in
      try bench.damage(page1) { $0 = [UInt8](repeating: 0, count: $0.count) }
      try bench.give(page1, page1.name.description.lowercased())
    },
    DamageCase("the same page in lower case too", "LN1102") { bench in
      try bench.put(bench.snapshots[0].encoded(), at: BytePath("pages/\(page1.name.description.lowercased())"))
    },
    DamageCase("the folder of images in upper case: nothing is made up", "LN1102", left: "LN1102", exit: 4) { bench in
      try bench.volume.rename(Bench.package.appending(PackagePaths.assets), to: Bench.package.appending("ASSETS"))
    },
    DamageCase("the folder of pages in upper case: nothing is made up", "LN1102 LN4003", left: "LN1102 LN4003", exit: 4)
    { bench in
      try bench.volume.rename(Bench.package.appending(PackagePaths.pages), to: Bench.package.appending("Pages"))
    },
    DamageCase("a page with wide digits and an image with other hyphens", "LN1103 LN1103") { bench in
      let wide = page1.name.description.replacing("0", with: "\u{FF10}")
      try bench.give(page1, wide)
      try bench.give(picture, picture.name.description.replacing("-", with: "\u{2011}"))
    },
    DamageCase("a second copy of a page, an image and a record, all the same", "LN1401 LN1401 LN1401") { bench in
      try bench.put(bench.snapshots[0].encoded(), at: BytePath("pages/\(Bench.pages[0]) 2.content"))
      try bench.put(Bench.picture, at: BytePath("assets/\(Bench.asset) (1).jpg"))
      try bench.put(bench.document.encoded(), at: "document (conflicted copy 2026-11-02).json")
    },
    DamageCase("second copies that are not the same", "LN1402 LN1402", left: "LN1402", exit: 1) { bench in
      var newer = bench.snapshots[0]
      newer.generation = 6
      newer.elements.append(.stroke(Bench.stroke(50, samples: 3)))
      try bench.put(newer.encoded(), at: BytePath("pages/\(Bench.pages[0]).sync-conflict-20261102-1.content"))
      try bench.put([1, 2, 3], at: BytePath("assets/\(Bench.asset) copy.jpg"))
    },
    DamageCase("a second copy that is whole beside a damaged page", "LN1402 LN3001") { bench in
      try bench.put(bench.snapshots[0].encoded(), at: BytePath("pages/\(Bench.pages[0]) 2.content"))
      try bench.damage(page1) { $0[200] ^= 1 }
    },
    DamageCase("names that only begin like a copy's", "LN1603 LN1603", left: "LN1603 LN1603", exit: 0) { bench in
      try bench.put(bench.snapshots[0].encoded(), at: BytePath("pages/\(Bench.pages[0])x.content"))
      try bench.put([1], at: "documents.json")
    },
    DamageCase("the size of a page differs", "LN3107") { bench in
      try bench.edit { $0.pages[0].canvas.width += 1 }
    },
    DamageCase("the size of a page differs, and a loss is on record", "LN3107 LN9001", left: "LN9001", exit: 5) {
      bench in
      try bench.edit { document in
        document.pages[0].canvas.height = 1
        document.pages[0].losses = [loss(generation: Int64(document.pages[0].generation))]
        document.pages[0].elementCount += 1
      }
    },
    DamageCase("a newer page of another size", "LN2007") { bench in
      try bench.write(page: 0) { page in
        page.generation = 6
        page.canvas.width = 1000
      }
    },
  ]
}

extension Bench {
  /// Gives a file of the package another name in its folder.
  func give(_ path: BytePath, _ name: String) throws {
    try volume.rename(Bench.package.appending(path), to: Bench.package.appending(path.parent.appending(BytePath(name))))
  }
}
