import Rendering

/// What came of decoding an image, which `--deep` does.
package struct AssetDecoding: Hashable, Sendable {
  /// What its markers tell.
  let walk: JPEGWalk
  /// What the decoder tells; nil for what is no JPEG.
  let decoding: JPEGDecoding?

  /// How much of it can be shown, in percent; nil where nobody can say.
  var shownPercent: Int? {
    guard let decoding, decoding.end != .tooLarge, decoding.rows > 0 else { return nil }
    return decoding.goodPercent
  }
}
