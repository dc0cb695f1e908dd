/// A UUID derived from a name, so that a scenario's pages and images have the same names in every run.
package struct FixedID: Hashable, Sendable {
  /// The first 8 bytes in the order of RFC 9562, big-endian.
  package let high: UInt64
  /// The last 8 bytes.
  package let low: UInt64

  /// The identity of this text: two FNV-1a hashes, mixed; version 8 ("custom"), variant 2.
  package init(derivedFrom text: String) {
    let first = FixedID.mixed(FixedID.hash(text, basis: 0xcbf2_9ce4_8422_2325))
    let second = FixedID.mixed(FixedID.hash(text, basis: 0x9ae1_6a3b_2f90_404f))
    high = first & 0xFFFF_FFFF_FFFF_0FFF | 0x8000
    low = second & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
  }

  private static func hash(_ text: String, basis: UInt64) -> UInt64 {
    text.utf8.reduce(basis) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }

  private static func mixed(_ value: UInt64) -> UInt64 {
    var mixed = value
    mixed = (mixed ^ mixed >> 33) &* 0xff51_afd7_ed55_8ccd
    mixed = (mixed ^ mixed >> 33) &* 0xc4ce_b9fe_1a85_ec53
    return mixed ^ mixed >> 33
  }
}

extension FixedID: CustomStringConvertible {
  /// Upper case, as the names in a package are spelt.
  package var description: String {
    let digits = FixedID.hexadecimal(high) + FixedID.hexadecimal(low)
    var text = ""
    for (place, digit) in digits.enumerated() {
      if [8, 12, 16, 20].contains(place) { text.append("-") }
      text.append(digit)
    }
    return text
  }

  private static func hexadecimal(_ value: UInt64) -> String {
    let digits = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
