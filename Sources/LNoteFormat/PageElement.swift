import Bytes

/// One element of a page, in z-order among its neighbours.
package enum PageElement: Hashable, Sendable {
  case stroke(Stroke)
  case image(PlacedImage)
  /// A type that this version does not know, kept byte for byte.
  case unknown(UnknownElement)

  /// The element's identity; nil for an unknown type, whose payload may hold anything.
  package var id: NoteID? {
    switch self {
    case .stroke(let stroke): stroke.id
    case .image(let image): image.id
    case .unknown: nil
    }
  }
}

/// A line drawn with a pen.
package struct Stroke: Hashable, Sendable {
  /// Its identity.
  package var id: NoteID
  /// The number of the pen; 0 is the ball pen.
  package var pen: UInt8
  /// Red, green, blue, alpha: red in the highest byte.
  package var colour: UInt32
  /// Radius before pressure, in 0.1 pt.
  package var baseRadius: UInt16
  /// The points, in the order of drawing.
  package var samples: [StrokeSample]

  /// A stroke of these values.
  package init(id: NoteID, pen: UInt8, colour: UInt32, baseRadius: UInt16, samples: [StrokeSample]) {
    self.id = id
    self.pen = pen
    self.colour = colour
    self.baseRadius = baseRadius
    self.samples = samples
  }
}

/// One point of a stroke, 16 bytes in a file.
package struct StrokeSample: Hashable, Sendable {
  /// Place from the left, in 0.1 pt.
  package var x: Int32
  /// Place from the top, in 0.1 pt.
  package var y: Int32
  /// Radius here, in 0.1 pt.
  package var radius: UInt16
  /// Pressure, 0 to 1000.
  package var pressure: UInt16
  /// Milliseconds since the stroke began.
  package var time: UInt32

  /// A sample of these values.
  package init(x: Int32, y: Int32, radius: UInt16, pressure: UInt16, time: UInt32) {
    self.x = x
    self.y = y
    self.radius = radius
    self.pressure = pressure
    self.time = time
  }
}

/// A picture placed on a page; its bytes are an asset of the document.
package struct PlacedImage: Hashable, Sendable {
  /// Its identity as an element.
  package var id: NoteID
  /// The asset that it shows.
  package var asset: NoteID
  /// Place from the left, in 0.1 pt.
  package var x: Int32
  /// Place from the top, in 0.1 pt.
  package var y: Int32
  /// Width, in 0.1 pt.
  package var width: Int32
  /// Height, in 0.1 pt.
  package var height: Int32
  /// Rotation, in 1/1000 degree.
  package var rotation: Int32
  /// Size of the asset's file in bytes.
  package var assetLength: UInt64
  /// XXH3-128 of the asset's bytes, canonical (big-endian): 16 bytes.
  package var assetDigest: AssetDigest

  /// An image of these values.
  package init(
    id: NoteID, asset: NoteID, x: Int32, y: Int32, width: Int32, height: Int32, rotation: Int32, assetLength: UInt64,
    assetDigest: AssetDigest
  ) {
    self.id = id
    self.asset = asset
    self.x = x
    self.y = y
    self.width = width
    self.height = height
    self.rotation = rotation
    self.assetLength = assetLength
    self.assetDigest = assetDigest
  }

  /// True where these bytes are those that were inserted.
  package func shows(_ bytes: [UInt8]) -> Bool {
    let digest = XXH3.digest128(of: bytes)
    return UInt64(bytes.count) == assetLength && AssetDigest(high: digest.high, low: digest.low) == assetDigest
  }
}

/// XXH3-128 of an asset's bytes, in two halves of the canonical form.
package struct AssetDigest: Hashable, Sendable {
  /// The higher 64 bits, which come first in a file.
  package let high: UInt64
  /// The lower 64 bits.
  package let low: UInt64

  /// The digest of these halves.
  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }
}

/// An element whose type this version does not know.
package struct UnknownElement: Hashable, Sendable {
  /// The frame's type byte.
  package let type: UInt8
  /// The frame's payload.
  package let payload: [UInt8]

  /// An element of this type and payload.
  package init(type: UInt8, payload: [UInt8]) {
    self.type = type
    self.payload = payload
  }
}
