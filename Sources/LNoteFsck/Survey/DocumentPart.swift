import Bytes
import Files

/// A part of the documents, chosen by their names alone: `--subset`.
///
/// The parts 1/t to t/t hold every document exactly once, whatever other documents there are, and on any machine.
package struct DocumentPart: Hashable, Sendable, CustomStringConvertible {
  /// The greatest number of parts.
  package static let partsMax: UInt64 = 1_000_000
  /// A share is counted in hundredths of a percent.
  private static let wholeShare: UInt64 = 10_000

  private let modulus: UInt64
  private let remainders: Range<UInt64>
  /// As it was written: "1/3", "25%".
  package let description: String

  /// The part of this text; nil where it is none.
  package init?(_ text: String) {
    description = text
    if text.hasSuffix("%") {
      guard let share = DocumentPart.hundredths(text.dropLast()), (1...DocumentPart.wholeShare).contains(share) else {
        return nil
      }
      (modulus, remainders) = (DocumentPart.wholeShare, 0..<share)
      return
    }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(DocumentPart.number)
    guard parts.count == 2, let number = parts[0], let count = parts[1], (1...DocumentPart.partsMax).contains(count),
      (1...count).contains(number)
    else { return nil }
    (modulus, remainders) = (count, (number - 1)..<number)
  }

  /// True where the document of this path is in the part; only its own name counts.
  package func contains(_ document: BytePath) -> Bool {
    remainders.contains(XXH3.digest64(of: Array(document.name.bytes)) % modulus)
  }

  private static func number(_ text: Substring) -> UInt64? {
    text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? UInt64(text) : nil
  }

  /// "2.5" is 250.
  private static func hundredths(_ text: Substring) -> UInt64? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard let whole = parts.first.flatMap(number), whole <= 100, parts.count <= 2 else { return nil }
    guard parts.count == 2 else { return whole * 100 }
    guard (1...2).contains(parts[1].utf8.count), let rest = number(parts[1]) else { return nil }
    return whole * 100 + (parts[1].utf8.count == 1 ? rest * 10 : rest)
  }
}
