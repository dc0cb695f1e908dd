/// What kind of picture a file is, by its first bytes.
package enum ImageKind: String, Hashable, Sendable {
  case jpeg, heic, avif, png, gif, webp, tiff, pdf
  /// None that is known here.
  case unknown

  /// The kind that these bytes begin like.
  package static func of(_ bytes: UnsafeRawBufferPointer) -> ImageKind {
    func has(_ text: String, at offset: Int = 0) -> Bool {
      bytes.count >= offset + text.utf8.count && bytes[offset...].prefix(text.utf8.count).elementsEqual(text.utf8)
    }
    func begins(_ magic: [UInt8]) -> Bool { bytes.prefix(magic.count).elementsEqual(magic) }
    if begins([0xFF, 0xD8, 0xFF]) { return .jpeg }
    if begins([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return .png }
    if has("GIF87a") || has("GIF89a") { return .gif }
    if has("RIFF"), has("WEBP", at: 8) { return .webp }
    if has("%PDF-") { return .pdf }
    if begins([0x49, 0x49, 0x2A, 0x00]) || begins([0x4D, 0x4D, 0x00, 0x2A]) { return .tiff }
    if has("ftypavif", at: 4) || has("ftypavis", at: 4) { return .avif }
    let brands = ["heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1"]
    if brands.contains(where: { has("ftyp\($0)", at: 4) }) { return .heic }
    return .unknown
  }
}
