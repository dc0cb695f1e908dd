import Files
import LNoteFormat
import Rendering

@testable import LNoteFsck

extension Bench {
  /// Gives a page a small picture of ours that says it shows this.
  func putThumbnail(of place: Int, as page: NoteID? = nil, generation: UInt64 = 5) throws {
    let bytes = Bench.thumbnail(page ?? Bench.pages[place], generation: generation)
    try put(bytes, at: PackagePaths.thumbnail(Bench.pages[place]))
  }

  /// A small picture with this mark; what it shows does not matter.
  static func thumbnail(_ page: NoteID, generation: UInt64) -> [UInt8] {
    let scene = PageScene(canvas: CanvasSize(width: 834, height: 1194), elements: [])
    return Thumbnail(page: page, generation: generation).file(showing: scene) { _ in nil }
  }
}

extension DamageCase {
  static let small1 = PackagePaths.thumbnail(Bench.pages[0])
  static let small2 = PackagePaths.thumbnail(Bench.pages[1])

  /// The small pictures of pages, which can be drawn again at any time.
  static let thumbnails = [
    DamageCase("a page without a small picture", "LN5101") { try $0.remove(small2) },
    DamageCase("no page has a small picture: one finding", "LN5101") { bench in
      for page in Bench.pages { try bench.remove(PackagePaths.thumbnail(page)) }
    },
    DamageCase("a small picture of an older version", "LN5102") { try $0.putThumbnail(of: 0, generation: 4) },
    DamageCase("a small picture of another page", "LN5102") { try $0.putThumbnail(of: 0, as: Bench.pages[1]) },
    DamageCase("a small picture of a later version", "LN5102") { try $0.putThumbnail(of: 0, generation: 6) },
    DamageCase("a small picture of 0 bytes", "LN5103") { try $0.put([], at: small1) },
    DamageCase("two small pictures, one of zeros and one of words: one finding", "LN5103") { bench in
      try bench.put([0, 0, 0], at: small1)
      try bench.put(Array("picture".utf8), at: small2)
    },
    DamageCase("a small picture cut short", "LN5103") { bench in
      try bench.putThumbnail(of: 0)
      try bench.damage(small1) { $0 = Array($0.dropLast(40)) }
    },
    DamageCase("a small picture of a page that is gone", "LN5104") { bench in
      try bench.put(Bench.picture, at: PackagePaths.thumbnail(Bench.free))
    },
    DamageCase("two of pages that are gone, one of them deleted just now: one finding", "LN2017 LN5104") { bench in
      try bench.put(Bench.picture, at: PackagePaths.thumbnail(Bench.free))
      try bench.edit { document in
        let page = document.pages.remove(at: 2)
        document.deleted = [DeletedPage(id: page.id, generation: page.generation)]
      }
    },
    DamageCase("a damaged page without a small picture", "LN3002", left: "LN9001", exit: 5) { bench in
      try bench.remove(small1)
      try bench.damage(page1) { $0 = Array($0.dropLast(33)) }
    },
  ]
}
