import Bytes

// The payload of a stroke:                        The payload of an image:
//
//     offset  bytes  meaning                          offset  bytes  meaning
//          0     16  element UUID                          0     16  element UUID
//         16      1  pen                                  16     16  asset UUID
//         17      3  zero                                 32      4  x, 0.1 pt, signed
//         20      4  red, green, blue, alpha              36      4  y
//         24      2  base radius, 0.1 pt                  40      4  width
//         26      2  zero                                 44      4  height
//         28      4  sample count                         48      4  rotation, 1/1000 degree, signed
//         32     16  a sample: x i32, y i32,              52      4  zero
//                    radius u16, pressure u16,            56      8  asset's length in bytes
//                    time u32                             64     16  asset's XXH3-128, big-endian

extension PageElement {
  /// The frame's type byte.
  package var type: UInt8 {
    switch self {
    case .stroke: FrameType.stroke
    case .image: FrameType.image
    case .unknown(let element): element.type
    }
  }

  /// The length of the frame's payload in bytes.
  package var payloadLength: Int {
    switch self {
    case .stroke(let stroke): PageLimits.strokeBytes + PageLimits.sampleBytes * stroke.samples.count
    case .image: PageLimits.imageBytes
    case .unknown(let element): element.payload.count
    }
  }

  /// Appends the frame's payload.
  func writePayload(to writer: inout ByteWriter) {
    switch self {
    case .stroke(let stroke): stroke.writePayload(to: &writer)
    case .image(let image): image.writePayload(to: &writer)
    case .unknown(let element): writer.write(bytes: element.payload)
    }
  }

  /// What is wrong with a payload; nil for a good one and for every payload of an unknown type.
  static func fault(ofType type: UInt8, payload: UnsafeRawBufferPointer) -> PayloadFault? {
    switch type {
    case FrameType.stroke:
      guard payload.count >= PageLimits.strokeBytes else { return .length }
      let count = Int(payload.number(at: 28, as: UInt32.self))
      if payload.count != PageLimits.strokeBytes + PageLimits.sampleBytes * count { return .sampleCount }
      let isZero = payload[17] | payload[18] | payload[19] | payload[26] | payload[27] == 0
      return isZero ? nil : .reserved
    case FrameType.image:
      if payload.count != PageLimits.imageBytes { return .length }
      return payload.number(at: 52, as: UInt32.self) == 0 ? nil : .reserved
    default: return nil
    }
  }

  /// The element of a payload in which `fault` finds nothing.
  init(type: UInt8, payload: UnsafeRawBufferPointer) {
    switch type {
    case FrameType.stroke: self = .stroke(Stroke(payload: payload))
    case FrameType.image: self = .image(PlacedImage(payload: payload))
    default: self = .unknown(UnknownElement(type: type, payload: Array(payload)))
    }
  }
}

extension Stroke {
  /// The stroke of a payload of at least 32 bytes: as many samples as its bytes hold whole.
  init(payload: UnsafeRawBufferPointer) {
    let count = (payload.count - PageLimits.strokeBytes) / PageLimits.sampleBytes
    self.init(
      id: payload.identity(at: 0), pen: payload[16], colour: payload.number(at: 20, as: UInt32.self).byteSwapped,
      baseRadius: payload.number(at: 24),
      samples: StrokeSample.array(payload.part(PageLimits.strokeBytes..<payload.count), count: count))
  }

  fileprivate func writePayload(to writer: inout ByteWriter) {
    writer.write(bytes: id.bytes)
    writer.write(pen)
    writer.writeZeros(count: 3)
    writer.write(colour.byteSwapped)
    writer.write(baseRadius)
    writer.writeZeros(count: 2)
    writer.write(UInt32(samples.count))
    // In memory a sample is laid out as in the file: on little-endian machines, which are all that Swift runs on.
    samples.withUnsafeBytes { writer.write(bytes: $0) }
  }
}

extension StrokeSample {
  /// The first `count` samples of bytes that hold at least so many.
  fileprivate static func array(_ bytes: UnsafeRawBufferPointer, count: Int) -> [StrokeSample] {
    [StrokeSample](unsafeUninitializedCapacity: count) { samples, filled in
      let size = count * PageLimits.sampleBytes
      UnsafeMutableRawBufferPointer(samples).copyMemory(from: bytes.part(0..<size))
      filled = count
    }
  }
}

extension PlacedImage {
  /// The image of a payload of 80 bytes.
  init(payload: UnsafeRawBufferPointer) {
    let digest = payload.identity(at: 64)
    self.init(
      id: payload.identity(at: 0), asset: payload.identity(at: 16), x: payload.number(at: 32),
      y: payload.number(at: 36), width: payload.number(at: 40), height: payload.number(at: 44),
      rotation: payload.number(at: 48), assetLength: payload.number(at: 56),
      assetDigest: AssetDigest(high: digest.high, low: digest.low))
  }

  fileprivate func writePayload(to writer: inout ByteWriter) {
    writer.write(bytes: id.bytes)
    writer.write(bytes: asset.bytes)
    for number in [x, y, width, height, rotation, 0] { writer.write(number) }
    writer.write(assetLength)
    writer.write(assetDigest.high.byteSwapped)
    writer.write(assetDigest.low.byteSwapped)
  }
}
