import JSON

/// Why a file of a campaign cannot be used, as a sentence.
package struct CampaignError: Error, Equatable, CustomStringConvertible {
  /// What is wrong.
  package let description: String

  /// An error that this sentence tells.
  package init(_ description: String) { self.description = description }
}

/// The members of an object, each asked for by name and kind.
struct Fields {
  private let members: [String: JSONValue]
  private let whole: String

  /// The members of `value`, which messages call `whole`.
  init(_ value: JSONValue, of whole: String) throws(CampaignError) {
    guard let members = value.object else { throw CampaignError("\(whole) is no JSON object") }
    self.members = members
    self.whole = whole
  }

  func wrong(_ key: String, _ what: String) -> CampaignError { CampaignError("\(whole): \"\(key)\": \(what)") }

  func value(_ key: String) throws(CampaignError) -> JSONValue {
    guard let value = members[key] else { throw wrong(key, "is missing") }
    return value
  }

  /// The value; nil where it is null or missing.
  func optionalValue(_ key: String) -> JSONValue? { members[key].flatMap { $0.isNull ? nil : $0 } }

  func string(_ key: String) throws(CampaignError) -> String {
    guard let text = try value(key).string else { throw wrong(key, "is no text") }
    return text
  }

  func optionalString(_ key: String) throws(CampaignError) -> String? {
    guard let value = members[key], !value.isNull else { return nil }
    guard let text = value.string else { throw wrong(key, "is no text") }
    return text
  }

  func integer(_ key: String, in range: ClosedRange<Int> = 0...Int.max) throws(CampaignError) -> Int {
    guard let number = try value(key).integer.flatMap({ Int(exactly: $0) }) else { throw wrong(key, "is no number") }
    guard range ~= number else { throw wrong(key, "\(number) is out of its range") }
    return number
  }

  func optionalInteger(_ key: String) throws(CampaignError) -> Int? {
    guard let value = members[key], !value.isNull else { return nil }
    return try integer(key)
  }

  func strings(_ key: String) throws(CampaignError) -> [String] {
    guard let array = try value(key).array else { throw wrong(key, "is no list") }
    var texts: [String] = []
    for element in array {
      guard let text = element.string else { throw wrong(key, "is no list of texts") }
      texts.append(text)
    }
    return texts
  }
}
