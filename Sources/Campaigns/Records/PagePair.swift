import Bytes
import JSON

/// A page as it should be and as it is, with small pictures that go with the record wherever it goes.
package struct PagePair: Sendable, Equatable {
  /// One of the two.
  package struct Side: Sendable, Equatable {
    /// What is on it, or why there is no picture.
    package var words: String
    /// A JPEG; nil where nothing can be shown.
    package var jpeg: [UInt8]?

    /// A side of these values.
    package init(words: String, jpeg: [UInt8]?) {
      self.words = words
      self.jpeg = jpeg
    }
  }

  /// How the scenario calls the page.
  package var name: String
  /// As it should be.
  package var expected: Side
  /// As it is.
  package var found: Side

  /// A pair of these values.
  package init(name: String, expected: Side, found: Side) {
    self.name = name
    self.expected = expected
    self.found = found
  }
}

extension PagePair {
  /// The largest picture that is read, in bytes.
  static let jpegBytesMax = 256 << 10

  /// The pair as an object, the pictures inside of it.
  var json: JSONValue {
    .object(["name": .string(name), "expected": expected.json, "found": found.json])
  }

  /// The pair as an object that names its pictures' files, in the place of the pictures.
  func named(by file: String) -> JSONValue {
    func side(_ side: Side, _ suffix: String) -> JSONValue {
      .object(["words": .string(side.words), "picture": JSONValue(side.jpeg.map { _ in file + suffix })])
    }
    return .object([
      "name": .string(name), "expected": side(expected, "-expected.jpg"), "found": side(found, "-found.jpg"),
    ])
  }

  /// The pair of an object.
  init(json: JSONValue) throws(CampaignError) {
    let fields = try Fields(json, of: "a page")
    self.init(
      name: try fields.string("name"), expected: try Side(json: try fields.value("expected")),
      found: try Side(json: try fields.value("found")))
  }
}

extension PagePair.Side {
  fileprivate var json: JSONValue {
    .object(["words": .string(words), "jpeg": JSONValue(jpeg.map { Base64.text(of: $0) })])
  }

  fileprivate init(json: JSONValue) throws(CampaignError) {
    let fields = try Fields(json, of: "a side of a page")
    self.init(words: try fields.string("words"), jpeg: nil)
    guard let text = try fields.optionalString("jpeg") else { return }
    guard text.utf8.count / 4 * 3 <= PagePair.jpegBytesMax, let bytes = Base64.bytes(of: text) else {
      throw fields.wrong("jpeg", "is no picture of this version")
    }
    jpeg = bytes
  }
}
