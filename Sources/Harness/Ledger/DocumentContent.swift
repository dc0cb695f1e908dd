import Bytes
import Files
import LNoteFormat
import LNoteStore

/// What a document holds on a disk, read by the judge itself and not by the store.
package struct DocumentContent: Sendable {
  /// One listed page.
  package struct Page: Sendable {
    /// The page's identity.
    package let id: NoteID
    /// Its elements; nil where its file is missing or not whole.
    package let elements: [PageElement]?
  }

  /// The document's identity.
  package let id: NoteID
  /// Title and order.
  package let state: DocumentState
  /// The pages in order.
  package let pages: [Page]
  /// How many elements the document itself says that a repair could not bring back.
  package let recordedLoss: Int
  /// True where the document says that something is lost, if only that a page is an older one.
  package let recordsLoss: Bool
}

extension PageElement {
  /// The same element elsewhere, by 0.1 pt; an unknown one stays.
  package func moved(dx: Int32, dy: Int32) -> PageElement {
    switch self {
    case .stroke(var stroke):
      for place in stroke.samples.indices {
        stroke.samples[place].x &+= dx
        stroke.samples[place].y &+= dy
      }
      return .stroke(stroke)
    case .image(var image):
      image.x &+= dx
      image.y &+= dy
      return .image(image)
    case .unknown: return self
    }
  }
}

extension ImagePlacement {
  /// The element that a page holds when this placement shows these bytes.
  package func element(showing jpeg: [UInt8]) -> PlacedImage {
    let digest = XXH3.digest128(of: jpeg)
    return PlacedImage(
      id: element, asset: asset, x: x, y: y, width: width, height: height, rotation: 0,
      assetLength: UInt64(jpeg.count), assetDigest: AssetDigest(high: digest.high, low: digest.low))
  }
}
