import Bytes
import LNoteFormat

/// The small picture of a page, with a comment that tells what it shows and whether it is whole.
///
///     segment   FF FE, length, "lnote <page UUID> <generation> <16 hex digits>"
///
/// It stands behind the JPEG's first segment; the digits are the XXH3-64 of the file without it.
package struct Thumbnail: Hashable, Sendable {
  /// The page.
  package let page: NoteID
  /// The generation of the page that it shows.
  package let generation: UInt64

  /// The longest side, in pixels.
  package static let sideMax = 320
  /// More bytes than a file ever has.
  package static let bytesMax = 256 << 10
  private static let quality = 80
  private static let word = "lnote"

  /// A thumbnail of this page in this generation.
  package init(page: NoteID, generation: UInt64) {
    self.page = page
    self.generation = generation
  }

  /// The file that shows the page as it is given; the same bytes for the same page.
  package func file(showing scene: PageScene, assets: @escaping AssetSource) -> [UInt8] {
    let pixels = PagePicture.pixels(of: scene, fitting: Thumbnail.sideMax, Thumbnail.sideMax, assets: assets)
    let jpeg = pixels.jpeg(quality: Thumbnail.quality)
    let text = "\(Thumbnail.word) \(page) \(generation) \(Thumbnail.digits(XXH3.digest64(of: jpeg)))"
    let place = Thumbnail.place(in: jpeg)
    let length = text.utf8.count + 2
    return jpeg[..<place] + [0xFF, 0xFE, UInt8(length >> 8), UInt8(length & 0xFF)] + Array(text.utf8) + jpeg[place...]
  }

  /// What the file shows; nil for one without our comment, or of which a byte was changed.
  package static func read(_ file: [UInt8]) -> Thumbnail? {
    guard file.count > 6, file.starts(with: [0xFF, 0xD8, 0xFF]) else { return nil }
    let place = place(in: file)
    guard place + 4 <= file.count, file[place] == 0xFF, file[place + 1] == 0xFE else { return nil }
    let end = place + 2 + (Int(file[place + 2]) << 8 | Int(file[place + 3]))
    guard end <= file.count, end >= place + 4 else { return nil }
    let words = String(decoding: file[(place + 4)..<end], as: UTF8.self).split(separator: " ")
    guard words.count == 4, words[0] == word, let page = NoteID(String(words[1])), let generation = UInt64(words[2])
    else { return nil }
    let rest = Array(file[..<place] + file[end...])
    let thumbnail = Thumbnail(page: page, generation: generation)
    // Only the spelling that is written counts, so that a change of any byte shows.
    let text = "\(word) \(page) \(generation) \(digits(XXH3.digest64(of: rest)))"
    return file[(place + 4)..<end].elementsEqual(text.utf8) ? thumbnail : nil
  }

  /// Behind the first segment.
  private static func place(in jpeg: [UInt8]) -> Int { 4 + (Int(jpeg[4]) << 8 | Int(jpeg[5])) }

  private static func digits(_ digest: UInt64) -> String {
    let digits = String(digest, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
