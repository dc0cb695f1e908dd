import Bytes
import JSON
import TestSupport

/// Changes members of `document.json` and `manifest.json`, and writes them again.
package enum RecordDamage {
  /// How the file is written again.
  package enum Seal: String, CaseIterable, Sendable {
    /// With the checksum that fits: what another writer may have written.
    case sealed
    /// With the checksum of the file before: what a disk does.
    case stale
    /// Without a checksum: what somebody edited.
    case bare
  }

  /// What can be done to a member, besides what every field knows.
  package static let verbs = DamageVerb.allCases.map(\.rawValue) + ["swap-type", "drop", "duplicate", "null"]

  /// The paths of all members of a file, "pages.0.generation" among them; none for what is no JSON.
  package static func members(of bytes: [UInt8]) -> [String] {
    guard let value = try? JSONValue.parse(bytes) else { return [] }
    return paths(of: value, below: "").filter { $0 != "checksum" }
  }

  private static func paths(of value: JSONValue, below prefix: String) -> [String] {
    let children: [(String, JSONValue)] =
      switch value {
      case .object(let members):
        members.sorted { $0.key < $1.key }.filter { !$0.key.contains(where: { ". ;".contains($0) }) }
          .map { ($0.key, $0.value) }
      case .array(let elements): elements.enumerated().map { ("\($0)", $1) }
      default: []
      }
    return children.flatMap { key, child in
      let path = prefix.isEmpty ? key : "\(prefix).\(key)"
      return [path] + paths(of: child, below: path)
    }
  }

  /// The file with one member changed; nil where it has no such member.
  package static func changed(
    _ bytes: [UInt8], at path: String, _ verb: String, _ seal: Seal, using random: inout SeededGenerator
  ) -> [UInt8]? {
    guard case .object(var members)? = try? JSONValue.parse(bytes) else { return nil }
    let checksum = members.removeValue(forKey: "checksum")?.string
    var change = Change(verb: verb, random: random)
    var value = JSONValue.object(members)
    guard change.apply(to: &value, at: path.split(separator: ".").map(String.init)) else { return nil }
    random = change.random
    var text = value.serialized(indent: 2)
    if verb == "duplicate", let key = path.split(separator: ".").last {
      let marked = Array("\"\(key)\(twin)\"".utf8)
      if let place = text.firstRange(of: marked) { text.replaceSubrange(place, with: "\"\(key)\"".utf8) }
    }
    return written(text, checksum, seal)
  }

  static let twin = " again"

  /// Text of members, which begins with a brace and a newline, as a file.
  private static func written(_ text: [UInt8], _ checksum: String?, _ seal: Seal) -> [UInt8] {
    guard seal != .bare, text.count > 2 else { return text + [UInt8(ascii: "\n")] }
    var file = Array("{\n  \"checksum\": \"00000000\",".utf8) + text.dropFirst() + [UInt8(ascii: "\n")]
    let digits = seal == .stale ? checksum ?? "00000000" : Hex.text(of: CRC32C.checksum(of: file))
    file.replaceSubrange(17..<25, with: digits.utf8)
    return file
  }
}

/// One verb on its way to its member.
private struct Change {
  let verb: String
  var random: SeededGenerator

  mutating func apply(to value: inout JSONValue, at path: [String]) -> Bool {
    guard let key = path.first else { return alter(&value) }
    switch value {
    case .object(var members):
      guard var child = members[key] else { return false }
      if path.count == 1, verb == "drop" {
        members[key] = nil
      } else if path.count == 1, verb == "duplicate" {
        members[key + RecordDamage.twin] = child
      } else {
        guard apply(to: &child, at: Array(path.dropFirst())) else { return false }
        members[key] = child
      }
      value = .object(members)
    case .array(var elements):
      guard let place = Int(key), elements.indices.contains(place) else { return false }
      if path.count == 1, verb == "drop" {
        elements.remove(at: place)
      } else if path.count == 1, verb == "duplicate" {
        elements.insert(elements[place], at: place)
      } else {
        guard apply(to: &elements[place], at: Array(path.dropFirst())) else { return false }
      }
      value = .array(elements)
    default: return false
    }
    return true
  }

  private mutating func alter(_ value: inout JSONValue) -> Bool {
    if verb == "null" {
      value = .null
    } else if verb == "swap-type" {
      value = swapped(value)
    } else if verb.hasPrefix("=") {
      guard let wanted = try? JSONValue.parse(Array(verb.dropFirst().utf8)) else { return false }
      value = wanted
    } else if let verb = DamageVerb(rawValue: verb) {
      value = altered(value, verb)
    } else {
      return false
    }
    return true
  }

  private func swapped(_ value: JSONValue) -> JSONValue {
    switch value {
    case .integer(let number): .string("\(number)")
    case .string: 7
    case .array: .object([:])
    case .object: .array([])
    case .bool(let truth): .integer(truth ? 1 : 0)
    case .real(let number): .string("\(number)")
    case .null: .bool(false)
    }
  }

  private mutating func altered(_ value: JSONValue, _ verb: DamageVerb) -> JSONValue {
    switch value {
    case .integer(let number):
      var bytes = withUnsafeBytes(of: number.littleEndian) { Array($0) }
      verb.apply(to: &bytes, using: &random)
      return .integer(bytes.reversed().reduce(0) { $0 << 8 | Int64($1) })
    case .string(let text):
      if verb == .add { return .string(text + "x") }
      if verb == .subtract { return .string(String(text.dropLast())) }
      var bytes = Array(text.utf8)
      // Only what is still text: the lowest bit in the place of the highest.
      switch verb {
      case .firstBit: if !bytes.isEmpty { bytes[0] ^= 1 }
      case .middleBit: if !bytes.isEmpty { bytes[bytes.count / 2] ^= 1 }
      case .lastBit: if !bytes.isEmpty { bytes[bytes.count - 1] ^= 1 }
      case .zero: bytes = []
      default: verb.apply(to: &bytes, using: &random)
      }
      return .string(String(decoding: bytes.filter { $0 != 0 }, as: UTF8.self))
    case .bool(let truth): return .bool(!truth)
    case .array(let elements):
      if verb == .zero { return .array([]) }
      if verb == .add, let first = elements.first { return .array(elements + [first]) }
      if verb == .subtract { return .array(Array(elements.dropLast())) }
      return .array(elements.reversed())
    case .object: return .object([:])
    case .real(let number): return .real(-number - 1)
    case .null: return 1
    }
  }
}
