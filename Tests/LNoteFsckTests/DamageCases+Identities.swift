import Files
import LNoteFormat
import Rendering

@testable import LNoteFsck

extension DamageCase {
  // MARK: What a file says it is, under whatever name

  static let identities = foreignHeaders + undocumented + beside + exchangedImages + astray

  private static let stranger = NoteID(high: 0xF0F0_0000_0000_4000, low: 0x8000_0000_0000_0008)
  private static let lost: BytePath = "lost.content"

  /// A page of nobody with nine strokes, of another size and a later generation.
  static var foreignPage: PageSnapshot {
    PageSnapshot(
      id: stranger, generation: 40, canvas: CanvasSize(width: 100, height: 200),
      created: Timestamp(milliseconds: 1), modified: Timestamp(milliseconds: 2),
      elements: (0..<9).map { .stroke(Bench.stroke(60 + $0, samples: 4)) })
  }

  private static let foreignHeaders = [
    DamageCase("another page's header and nothing else", "LN3002", left: "LN9001", exit: 5) { bench in
      try bench.put(Array(foreignPage.encoded().prefix(84)), at: page1)
    },
    DamageCase("another page's header and nothing else over a page without strokes", "LN3002") { bench in
      try bench.put(Array(foreignPage.encoded().prefix(84)), at: page3)
    },
    DamageCase("a whole header of another page over sound strokes", "LN3001") { bench in
      try bench.damage(page1) { $0 = Array(foreignPage.encoded().prefix(84) + $0[84...]) }
    },
    DamageCase("a whole header of another page over strokes, one of them damaged", "LN3001", left: "LN9001", exit: 5) {
      bench in
      try bench.damage(page1) { bytes in
        bytes = Array(foreignPage.encoded().prefix(84) + bytes[84...])
        bytes[200] ^= 1
      }
    },
    DamageCase("a damaged page under a name that nobody knows", "LN1104", left: "LN9001", exit: 5) { bench in
      try bench.damage(page1) { $0[200] ^= 1 }
      try bench.put(try bench.bytes(page1), at: PackagePaths.page(stranger))
      try bench.remove(page1)
    },
    DamageCase("a damaged page under another's name", "LN1104", left: "LN9001 LN9001", exit: 5) { bench in
      try bench.damage(page1) { $0[200] ^= 1 }
      try bench.put(try bench.bytes(page1), at: page2)
      try bench.remove(page1)
      try bench.remove(picture)
    },
  ]

  private static let undocumented = [
    DamageCase("no document, and a page under a name that nobody knows", "LN1104 LN2001") { bench in
      try bench.remove(document)
      try bench.put(bench.snapshots[0].encoded(), at: PackagePaths.page(stranger))
      try bench.remove(page1)
    },
    DamageCase("no document, and a copy of a page under a name that nobody knows", "LN1104 LN2001") { bench in
      try bench.remove(document)
      try bench.put(bench.snapshots[0].encoded(), at: PackagePaths.page(stranger))
    },
    DamageCase("no document, and two pages changed places", "LN1104 LN1104 LN2001") { bench in
      try bench.remove(document)
      try bench.put(bench.snapshots[1].encoded(), at: page1)
      try bench.put(bench.snapshots[0].encoded(), at: page2)
    },
    DamageCase("no document, and a page over another", "LN1104 LN2001", left: "LN9001", exit: 5) { bench in
      try bench.remove(document)
      try bench.put(bench.snapshots[1].encoded(), at: page1)
    },
    DamageCase(
      "no document, no manifest, and a page under a name that nobody knows", "LN1104 LN2001", left: "LN9001",
      exit: 5
    ) { bench in
      try bench.remove(document)
      try bench.remove(manifest)
      try bench.put(bench.snapshots[0].encoded(), at: PackagePaths.page(stranger))
      try bench.remove(page1)
    },
    DamageCase("no document, and a page in lower case", "LN1102 LN2001") { bench in
      try bench.remove(document)
      try bench.move(page1, to: bench.lower(page1))
    },
    DamageCase("no document, and a page is there as a temporary file only", "LN2001") { bench in
      try bench.remove(document)
      try bench.writeTemporary(page: 0) { _ in }
      try bench.remove(page1)
    },
    DamageCase(
      "no document, and a damaged page under a name that nobody knows", "LN2001 LN3001", left: "LN9001", exit: 5
    ) { bench in
      try bench.remove(document)
      try bench.damage(page1) { $0[200] ^= 1 }
      try bench.put(try bench.bytes(page1), at: PackagePaths.page(stranger))
      try bench.remove(page1)
    },
  ]

  private static let copy = BytePath("pages/\(Bench.pages[0]) 2.content")

  private static let beside = [
    DamageCase("a newer version of a page in lower case beside it", "LN1502 LN2018") { bench in
      try bench.putVersion(6, at: bench.lower(page1))
      try bench.edit { $0.pages[0].generation = 6 }
    },
    DamageCase("a newer version in lower case with less on it", "LN1502") { bench in
      try bench.putVersion(6, strokes: 1, at: bench.lower(page1))
    },
    DamageCase("a newer version of a page under another name beside it", "LN1402") { bench in
      try bench.putVersion(6, at: copy)
    },
    DamageCase("a newer version under another name with less on it", "LN1402") { bench in
      try bench.putVersion(6, strokes: 1, at: copy)
    },
    DamageCase("an older version of a page under another name beside it", "LN1402") { bench in
      try bench.putVersion(4, at: copy)
    },
    DamageCase("a newer version as temporary file, and one with less on it under another name", "LN1402 LN1502") {
      bench in
      try bench.writeTemporary(page: 0) { $0.generation = 6 }
      try bench.putVersion(7, strokes: 1, at: copy)
    },
  ]

  private static let second = PackagePaths.asset(Bench.free)
  private static let third = PackagePaths.asset(NoteID(high: Bench.free.high, low: Bench.free.low + 1))
  private static let secondPicture = JPEGMaker.picture(sizeBytes: 900, seed: 2)
  private static let thirdPicture = JPEGMaker.picture(sizeBytes: 700, seed: 3)

  /// Two more images, on page 1.
  private static func addImages(_ bench: Bench) throws {
    try bench.write(page: 0) { page in
      page.elements.append(.image(Bench.image(of: Bench.free, secondPicture, element: 22)))
      page.elements.append(
        .image(Bench.image(of: NoteID(high: Bench.free.high, low: Bench.free.low + 1), thirdPicture, element: 23)))
    }
    try bench.edit { $0.pages[0].elementCount = 5 }
    try bench.put(secondPicture, at: second)
    try bench.put(thirdPicture, at: third)
  }

  private static let exchangedImages = [
    DamageCase("two images changed places", "LN1104 LN1104") { bench in
      try addImages(bench)
      try bench.put(secondPicture, at: picture)
      try bench.put(Bench.picture, at: second)
    },
    DamageCase("three images changed places", "LN1104 LN1104 LN1104") { bench in
      try addImages(bench)
      try bench.put(secondPicture, at: picture)
      try bench.put(thirdPicture, at: second)
      try bench.put(Bench.picture, at: third)
    },
    DamageCase(
      "three images in each other's places, one of which is gone", "LN1104 LN1104", left: "LN9001", exit: 5
    ) { bench in
      try addImages(bench)
      try bench.put(Bench.picture, at: second)
      try bench.put(secondPicture, at: third)
      try bench.remove(picture)
    },
    DamageCase("an image over another, whose own place is empty", "LN1104", left: "LN9001", exit: 5) { bench in
      try addImages(bench)
      try bench.put(Bench.picture, at: second)
      try bench.remove(picture)
    },
    DamageCase("an image over another, and damaged in its own place", "LN1104 LN4006", left: "LN9001", exit: 5) {
      bench in
      try addImages(bench)
      try bench.put(Bench.picture, at: second)
      try bench.damage(picture) { $0[700] ^= 1 }
    },
    DamageCase("an image over another, and in its own place too", "LN4006", left: "LN9001", exit: 5) { bench in
      try addImages(bench)
      try bench.put(Bench.picture, at: second)
    },
    DamageCase("two images changed places, one of which is a temporary file", "LN1104 LN1503") { bench in
      try addImages(bench)
      try bench.put(Bench.picture, at: second)
      try bench.remove(picture)
      try bench.put(secondPicture, at: Bench.temporary(second))
    },
    DamageCase(
      "two images changed places, and a page is damaged", "LN1104 LN1104 LN3001", left: "LN9001", exit: 5
    ) { bench in
      try addImages(bench)
      try bench.put(secondPicture, at: picture)
      try bench.put(Bench.picture, at: second)
      try bench.write(page: 2) { $0.elements = [.stroke(Bench.stroke(70, samples: 9))] }
      try bench.edit { $0.pages[2].elementCount = 1 }
      try bench.damage(page3) { $0[200] ^= 1 }
    },
  ]

  private static let astray = [
    DamageCase("a page in the folder of the document", "LN1101") { try $0.move(page1, to: lost) },
    DamageCase("a page among the images", "LN1101") { try $0.move(page1, to: "assets/lost.content") },
    DamageCase("all pages in the folder of the document", "LN1101 LN1101 LN1101") { bench in
      for page in Bench.pages {
        try bench.move(PackagePaths.page(page), to: PackagePaths.page(page).name)
      }
      try bench.volume.removeDirectory(Bench.package.appending(PackagePaths.pages))
    },
    DamageCase("an image in the folder of the document", "LN1101") { try $0.move(picture, to: "photo.jpg") },
    DamageCase("an image among the pages", "LN1101") { try $0.move(picture, to: "pages/photo.jpg") },
    DamageCase("a picture of nobody in the folder of the document", "LN1603", left: "LN1603", exit: 0) { bench in
      try bench.put(secondPicture, at: "photo.jpg")
    },
  ]
}

extension Bench {
  fileprivate func lower(_ path: BytePath) -> BytePath {
    path.parent.appending(BytePath(path.name.description.lowercased()))
  }

  fileprivate func move(_ path: BytePath, to other: BytePath) throws {
    try volume.rename(Bench.package.appending(path), to: Bench.package.appending(other))
  }

  /// A version of page 1 under some name.
  fileprivate func putVersion(_ generation: UInt64, strokes: Int = 4, at path: BytePath) throws {
    var page = snapshots[0]
    page.generation = generation
    page.elements = (0..<strokes).map { .stroke(Bench.stroke(UInt64($0) + 1, samples: 10)) }
    try put(page.encoded(), at: path)
  }
}
