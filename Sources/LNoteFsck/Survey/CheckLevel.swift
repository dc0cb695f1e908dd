/// How closely a check looks.
package enum CheckLevel: String, CaseIterable, Hashable, Sendable {
  /// Names, document.json, manifest.json, the headers of pages, sizes: no page and no image is read.
  case quick
  /// Every page and every image is read and compared with its checksum.
  case `default`
  /// The same, and every image is decoded.
  case deep
}
