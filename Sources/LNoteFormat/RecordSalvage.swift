import JSON

/// The members of a record's outermost object that can still be read, whether or not the file is JSON.
package struct RecordSalvage: Sendable {
  /// The members, by their keys.
  private(set) var members: [String: JSONValue] = [:]
  /// True where the file is JSON from its beginning to its end, so that what is not here was not in it.
  private(set) var isComplete = false

  /// The members of these bytes. Never traps.
  init(_ bytes: [UInt8]) {
    if let value = try? JSONValue.parse(bytes, depthMax: RecordLimits.depthMax), let all = value.object {
      (members, isComplete) = (all, true)
      return
    }
    let parts = RecordSalvage.parts(of: bytes)
    for (place, part) in parts.enumerated() {
      let isCut = place == parts.count - 1 && bytes.last != UInt8(ascii: "\n")
      if !take(part, isCut: isCut) && part.count > 1 { _ = take(Array(part.prefix(1)), isCut: false) }
    }
  }

  /// The members with keys that this version does not know: a newer app's, and none that damage made of a known key.
  func unknown(besides known: Set<String>) -> [String: JSONValue] {
    let missing = known.filter { members[$0] == nil }
    return members.filter { key, _ in
      !known.contains(key) && !missing.contains { RecordSalvage.isNearly(key, $0) }
    }
  }

  /// The members of a `manifest.json` that this version does not know, where they can still be read. Never traps.
  package static func unknownOfManifest(_ bytes: [UInt8]) -> [String: JSONValue] {
    guard bytes.count <= RecordLimits.bytesMax else { return [:] }
    return RecordSalvage(bytes).unknown(besides: ManifestRecord.keys)
  }

  /// Takes the member that stands on these lines; false where they are none.
  private mutating func take(_ lines: [ArraySlice<UInt8>], isCut: Bool) -> Bool {
    var text = Array(lines.joined(separator: [UInt8(ascii: "\n")]))
    var isCut = isCut
    if text.last == UInt8(ascii: ",") {
      text.removeLast()
      isCut = false
    } else if lines.count > 1, lines.last?.elementsEqual("}".utf8) == true {
      text.removeLast(2)
      isCut = false
    }
    let parsed = try? JSONValue.parse([UInt8(ascii: "{")] + text + [UInt8(ascii: "}")], depthMax: RecordLimits.depthMax)
    guard let (key, value) = parsed?.object?.first else { return false }
    switch value {
    // A number that is cut is another number; every other value says itself where it ends.
    case .integer, .real: if !isCut { members[key] = value }
    default: members[key] = value
    }
    return true
  }

  /// The lines of each member of the outermost object, which begin with two spaces and a quotation mark.
  private static func parts(of bytes: [UInt8]) -> [[ArraySlice<UInt8>]] {
    var parts: [[ArraySlice<UInt8>]] = []
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      if line.starts(with: "  \"".utf8) {
        parts.append([line])
      } else if !parts.isEmpty {
        parts[parts.count - 1].append(line)
      }
    }
    return parts
  }

  /// True where one byte was changed, put in or taken away between the two.
  static func isNearly(_ first: String, _ second: String) -> Bool {
    let (first, second) = (Array(first.utf8), Array(second.utf8))
    guard abs(first.count - second.count) <= 1 else { return false }
    let same = zip(first, second).prefix { $0 == $1 }.count
    let rest = min(first.count, second.count) - same
    let sameAtEnd = zip(first.reversed(), second.reversed()).prefix { $0 == $1 }.count
    return sameAtEnd >= rest - (first.count == second.count ? 1 : 0)
  }
}

extension DocumentRecord {
  /// The keys that this version knows.
  static let keys: Set = [
    "checksum", "createdAt", "deleted", "formatVersion", "generation", "id", "losses", "modifiedAt", "pages", "title",
  ]
}

extension PageEntry {
  /// The keys that this version knows.
  static let keys: Set = ["canvas", "createdAt", "elementCount", "generation", "id", "losses", "modifiedAt"]
}

extension ManifestRecord {
  /// The keys that this version knows.
  static let keys: Set = [
    "checksum", "coverPage", "documentGeneration", "formatVersion", "id", "losses", "modifiedAt", "pageCount", "title",
  ]
}
