import JSON

/// What earlier runs know of a failure.
package struct KnownBucket: Sendable, Equatable {
  /// Its signature.
  package let signature: String
  /// What is wrong, for people.
  package var sentence: String
  /// The build that first failed.
  package var since: String
  /// The last build that passed before it; nil where none is known.
  package var passedAt: String?
  /// The build in which its file passed; nil while it fails.
  package var fixedAt: String?

  /// A failure of these values.
  package init(signature: String, sentence: String, since: String, passedAt: String? = nil, fixedAt: String? = nil) {
    self.signature = signature
    self.sentence = sentence
    self.since = since
    self.passedAt = passedAt
    self.fixedAt = fixedAt
  }

  /// The failure as an object.
  package var json: JSONValue {
    .object([
      "signature": .string(signature), "sentence": .string(sentence), "since": .string(since),
      "passedAt": JSONValue(passedAt), "fixedAt": JSONValue(fixedAt),
    ])
  }

  /// The failure of an object.
  package init(json: JSONValue) throws(CampaignError) {
    let fields = try Fields(json, of: "a known failure")
    self.init(
      signature: try fields.string("signature"), sentence: try fields.string("sentence"),
      since: try fields.string("since"), passedAt: try fields.optionalString("passedAt"),
      fixedAt: try fields.optionalString("fixedAt"))
  }
}

/// What earlier runs know: every failure that ever was, and the last build.
package struct KnownBuckets: Sendable, Equatable {
  /// The build of the run before; nil where there was none.
  package var build: String?
  /// The failures by their signature.
  package var buckets: [String: KnownBucket] = [:]

  /// Nothing is known yet.
  package init() {}

  /// All of it as an object.
  package var json: JSONValue {
    let sorted = buckets.values.sorted { $0.signature.utf8.lexicographicallyPrecedes($1.signature.utf8) }
    return .object(["version": 1, "build": JSONValue(build), "buckets": .array(sorted.map(\.json))])
  }

  /// What an object says.
  package init(json: JSONValue) throws(CampaignError) {
    let fields = try Fields(json, of: "the known failures")
    _ = try fields.integer("version", in: 1...1)
    build = try fields.optionalString("build")
    guard let array = try fields.value("buckets").array else { throw fields.wrong("buckets", "is no list") }
    for element in array {
      let bucket = try KnownBucket(json: element)
      guard buckets.updateValue(bucket, forKey: bucket.signature) == nil else {
        throw fields.wrong("buckets", "'\(bucket.signature)' stands there twice")
      }
    }
  }
}
