/// Failures that people have parked: a text file, kept with the source, so that undoing is a revert.
///
///     # signature                      issue      until       who   why
///     park zero-length/image/snapshot  LNOTE-231  2026-12-31  anna  waits for the new writer
package struct Triage: Sendable, Equatable {
  /// One failure that is parked.
  package struct Parked: Sendable, Equatable {
    /// The failure's signature.
    package let signature: String
    /// Where it is talked about.
    package let issue: String
    /// The last day, "2026-12-31".
    package let until: String
    /// Who parked it.
    package let who: String
    /// Why.
    package let why: String
  }

  /// By signature.
  package let parked: [String: Parked]

  /// Nothing is parked.
  package init() { parked = [:] }

  /// Reads the file; `file` is how messages call it.
  package init(text: String, file: String) throws(CampaignError) {
    var parked: [String: Parked] = [:]
    for (place, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" || $0 == "\r" }).map(String.init)
      guard let first = words.first, !first.hasPrefix("#") else { continue }
      let start = "\(file):\(place + 1): "
      guard first == "park" else { throw CampaignError(start + "'\(first)' is no word here; there is: park") }
      guard words.count >= 6 else {
        throw CampaignError(
          start + "write: park SIGNATURE ISSUE UNTIL WHO WHY, as in 'park a/b LNOTE-1 2026-12-31 anna …'")
      }
      guard Self.isDay(words[3]) else { throw CampaignError(start + "'\(words[3])' is no day; write 2026-12-31") }
      let one = Parked(
        signature: words[1], issue: words[2], until: words[3], who: words[4],
        why: words[5...].joined(separator: " "))
      guard parked.updateValue(one, forKey: one.signature) == nil else {
        throw CampaignError(start + "'\(one.signature)' is parked twice")
      }
    }
    self.parked = parked
  }

  private static func isDay(_ text: String) -> Bool {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.map(\.count) == [4, 2, 2], parts.allSatisfy({ $0.allSatisfy { ("0"..."9").contains($0) } }) else {
      return false
    }
    guard let month = Int(parts[1]), let day = Int(parts[2]) else { return false }
    return 1...12 ~= month && 1...31 ~= day
  }
}
