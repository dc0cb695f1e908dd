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
  package static func read(_ file: [UInt8]) -> Thumbnail? { file.withUnsafeBytes { read($0) } }

  /// The same for a buffer.
  package static func read(_ file: UnsafeRawBufferPointer) -> Thumbnail? {
    guard file.count > 6, file.starts(with: [0xFF, 0xD8, 0xFF]) else { return nil }
    let place = 4 + (Int(file[4]) << 8 | Int(file[5]))
    guard place + 4 <= file.count, file[place] == 0xFF, file[place + 1] == 0xFE else { return nil }
    let end = place + 2 + (Int(file[place + 2]) << 8 | Int(file[place + 3]))
    guard end <= file.count, end >= place + 4 else { return nil }
    let comment = file[(place + 4)..<end]
    let words = String(decoding: comment, as: UTF8.self).split(separator: " ")
    guard words.count == 4, words[0] == word, let page = NoteID(String(words[1])), let generation = UInt64(words[2])
    else { return nil }
    let rest = XXH3Stream()
    rest.update(UnsafeRawBufferPointer(rebasing: file[..<place]))
    rest.update(UnsafeRawBufferPointer(rebasing: file[end...]))
    // Only the spelling that is written counts, so that a change of any byte shows.
    let text = "\(word) \(page) \(generation) \(digits(rest.digest64))"
    return comment.elementsEqual(text.utf8) ? Thumbnail(page: page, generation: generation) : nil
  }

  /// True where the file begins as one of ours, whole or not.
  ///
  /// Our word, or the page's identity, stands near its start.
  package static func isMarked(_ file: UnsafeRawBufferPointer, as page: NoteID) -> Bool {
    // Two marks, since the changed byte may be in one of them.
    let head = file.prefix(headBytes)
    return ["\(page)", "\(word) "].contains { mark in
      let mark = Array(mark.utf8)
      return head.indices.contains { head[$0...].starts(with: mark) }
    }
  }

  /// In so many bytes of a file the comment begins and ends.
  private static let headBytes = 192

  /// Behind the first segment.
  private static func place(in jpeg: [UInt8]) -> Int { 4 + (Int(jpeg[4]) << 8 | Int(jpeg[5])) }

  private static func digits(_ digest: UInt64) -> String {
    let digits = String(digest, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
