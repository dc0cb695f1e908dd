import JSON
import LNoteFormat

/// What a repair writes into the entry of a page whose lost content was back.
///
///     healed.from  the generation of the file that had it
///     healed.to    the generation of entry and file after the repair; in an entry of another generation it says nothing
///
/// The document is written before the page. So where only the first of both has happened, the older page is no old one.
extension PageEntry {
  static let healedKey = "healed"

  /// True where the page of this generation has all that the entry expects, and only its own generation is behind.
  func isHealed(by generation: UInt64) -> Bool {
    guard let healed = unknown[PageEntry.healedKey]?.object else { return false }
    return healed["to"]?.integer == Int64(clamping: self.generation)
      && healed["from"]?.integer == Int64(clamping: generation)
  }

  /// Notes that the page of this generation is to have the entry's.
  mutating func noteHealed(from generation: UInt64) {
    unknown[PageEntry.healedKey] = .object([
      "from": .integer(Int64(clamping: generation)), "to": .integer(Int64(clamping: self.generation)),
    ])
  }
}
