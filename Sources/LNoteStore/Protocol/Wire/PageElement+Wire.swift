import Bytes
import JSON
import LNoteFormat

extension PageElement {
  var wireValue: JSONValue {
    switch self {
    case .stroke(let stroke):
      return .object(stroke.wireFields.merging(["type": "stroke"]) { $1 })
    case .image(let image):
      return .object(image.wireFields.merging(["type": "image"]) { $1 })
    case .unknown(let unknown):
      return [
        "type": "unknown", "frame": JSONValue(unknown.type), "payload": .string(Base64.text(of: unknown.payload)),
      ]
    }
  }

  static func reading(wire value: JSONValue) throws(WireError) -> PageElement {
    let fields = try WireFields(value, name: "an element")
    switch try fields.text("type") {
    case "stroke": return .stroke(try Stroke.reading(wire: value))
    case "image": return .image(try PlacedImage.reading(wire: value))
    case "unknown":
      return .unknown(UnknownElement(type: try fields.integer("frame"), payload: try fields.bytes("payload")))
    case let type: throw WireError("an element's type cannot be '\(type)'")
    }
  }
}

extension Stroke {
  // The samples lie flat, five integers each: x, y, radius, pressure, time.
  private static let integersPerSample = 5

  var wireFields: [String: JSONValue] {
    var flat: [JSONValue] = []
    flat.reserveCapacity(samples.count * Stroke.integersPerSample)
    for sample in samples {
      flat.append(JSONValue(sample.x))
      flat.append(JSONValue(sample.y))
      flat.append(JSONValue(sample.radius))
      flat.append(JSONValue(sample.pressure))
      flat.append(JSONValue(sample.time))
    }
    return [
      "id": JSONValue(id), "pen": JSONValue(pen), "colour": JSONValue(colour), "baseRadius": JSONValue(baseRadius),
      "samples": .array(flat),
    ]
  }

  static func reading(wire value: JSONValue) throws(WireError) -> Stroke {
    let fields = try WireFields(value, name: "a stroke")
    let flat = try fields.list("samples") { number throws(WireError) -> Int64 in
      guard let integer = number.integer else { throw WireError("'samples' of a stroke must hold integers") }
      return integer
    }
    guard flat.count % integersPerSample == 0 else {
      throw WireError("'samples' of a stroke must hold five integers a sample: x, y, radius, pressure, time")
    }
    var samples: [StrokeSample] = []
    samples.reserveCapacity(flat.count / integersPerSample)
    for start in stride(from: 0, to: flat.count, by: integersPerSample) {
      guard let x = Int32(exactly: flat[start]), let y = Int32(exactly: flat[start + 1]),
        let radius = UInt16(exactly: flat[start + 2]), let pressure = UInt16(exactly: flat[start + 3]),
        let time = UInt32(exactly: flat[start + 4])
      else { throw WireError("sample \(start / integersPerSample) of a stroke is out of range") }
      samples.append(StrokeSample(x: x, y: y, radius: radius, pressure: pressure, time: time))
    }
    return Stroke(
      id: try fields.id("id"), pen: try fields.integer("pen"), colour: try fields.integer("colour"),
      baseRadius: try fields.integer("baseRadius"), samples: samples)
  }
}

extension PlacedImage {
  var wireFields: [String: JSONValue] {
    [
      "id": JSONValue(id), "asset": JSONValue(asset), "x": JSONValue(x), "y": JSONValue(y), "width": JSONValue(width),
      "height": JSONValue(height), "rotation": JSONValue(rotation), "assetLength": JSONValue(assetLength),
      "assetDigest": .string(Digest128(high: assetDigest.high, low: assetDigest.low).description),
    ]
  }

  static func reading(wire value: JSONValue) throws(WireError) -> PlacedImage {
    let fields = try WireFields(value, name: "an image")
    guard let digest = Hex.bytes(of: try fields.text("assetDigest")), digest.count == 16,
      let halves = NoteID(bytes: digest)
    else { throw WireError("'assetDigest' of an image must be 32 hex digits") }
    return PlacedImage(
      id: try fields.id("id"), asset: try fields.id("asset"), x: try fields.integer("x"), y: try fields.integer("y"),
      width: try fields.integer("width"), height: try fields.integer("height"),
      rotation: try fields.integer("rotation"), assetLength: try fields.integer("assetLength"),
      assetDigest: AssetDigest(high: halves.high, low: halves.low))
  }
}
