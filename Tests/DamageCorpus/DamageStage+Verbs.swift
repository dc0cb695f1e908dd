import Files
import LNoteFormat

extension DamageStage {
  /// One step; false where it cannot be done.
  package typealias Verb = @Sendable (inout DamageStage, [String]) -> Bool

  /// Every verb of recipes.
  package static let verbs: [String: Verb] = [
    fileVerbs, byteVerbs, pageVerbs, journalVerbs, recordVerbs, surroundingVerbs,
  ]
  .reduce(into: [:]) { $0.merge($1) { first, _ in first } }

  // MARK: Names and kinds

  private static let kinds: [String: FileKind] = [
    "fifo": .fifo, "socket": .socket, "device": .characterDevice, "link": .symbolicLink, "folder": .directory,
  ]

  /// remove F · empty F · write F TEXT · copy F G · rename F G · exchange F G · link F G · make KIND F · lower F ·
  /// evict F · mark F · twin NAME
  private static let fileVerbs: [String: Verb] = [
    "remove": { stage, words in
      guard let path = words.first.flatMap({ stage.path(of: $0) }), stage.tree[path] != nil else { return false }
      stage.tree.remove(path)
      return true
    },
    "write": { stage, words in
      guard let path = words.first.flatMap({ stage.path(of: $0) }) else { return false }
      stage.tree.put(.file(Array(words.dropFirst().joined(separator: " ").utf8)), at: path)
      return true
    },
    "copy": { stage, words in
      stage.between(words) { stage, from, to in
        stage.tree.copy(from, to: to)
        return true
      }
    },
    "rename": { stage, words in
      stage.between(words) { stage, from, to in
        stage.tree.rename(from, to: to)
        return true
      }
    },
    "exchange": { stage, words in
      stage.between(words) { stage, from, to in
        guard let first = stage.tree.bytes(at: from), let second = stage.tree.bytes(at: to) else { return false }
        stage.tree.put(.file(second), at: from)
        stage.tree.put(.file(first), at: to)
        return true
      }
    },
    "link": { stage, words in
      stage.between(words) { stage, from, to in
        guard stage.tree[from] != .directory else { return false }
        stage.tree.put(.secondName(of: from), at: to)
        return true
      }
    },
    "make": { stage, words in
      guard words.count == 2, let kind = kinds[words[0]], let path = stage.path(of: words[1]) else { return false }
      stage.tree.remove(path)
      stage.tree.put(kind == .directory ? .directory : .special(kind), at: path)
      return true
    },
    "lower": { stage, words in
      guard let path = words.first.flatMap({ stage.path(of: $0) }), stage.tree[path] != nil else { return false }
      stage.tree.rename(path, to: path.parent.appending(path.name.description.lowercased()))
      return true
    },
    "evict": { stage, words in
      guard let path = words.first.flatMap({ stage.path(of: $0) }), stage.tree[path] != nil else { return false }
      stage.tree.remove(path)
      stage.putMark(of: path)
      return true
    },
    "mark": { stage, words in
      guard let path = words.first.flatMap({ stage.path(of: $0) }) else { return false }
      stage.putMark(of: path)
      return true
    },
  ]

  private mutating func putMark(of path: BytePath) {
    tree.put(.file(Array("bplist00".utf8)), at: path.parent.appending(".\(path.name).icloud"))
  }

  private mutating func between(
    _ words: [String], _ change: (inout DamageStage, BytePath, BytePath) -> Bool
  ) -> Bool {
    guard words.count == 2, let from = path(of: words[0]), let to = path(of: words[1]), from != to,
      tree[from] != nil
    else { return false }
    return change(&self, from, to)
  }

  // MARK: Bytes

  /// empty F · nul F · cut F N · grow F N zeros|noise · flip F AT BIT · set F AT HEX · zero F AT N · noise F AT N ·
  /// insert F AT HEX · delete F AT N · seven-bit F · text-mode F
  private static let byteVerbs: [String: Verb] = [
    "empty": { stage, words in stage.bytesVerb(words, 1) { bytes, _, _ in bytes = [] } },
    "nul": { stage, words in
      stage.bytesVerb(words, 1) { bytes, _, _ in bytes = [UInt8](repeating: 0, count: bytes.count) }
    },
    "cut": { stage, words in
      stage.bytesVerb(words, 2) { bytes, words, stage in
        if let place = stage.offset(words[1], in: bytes) { bytes = Array(bytes.prefix(place)) }
      }
    },
    "grow": { stage, words in
      stage.bytesVerb(words, 3) { bytes, words, stage in
        guard let count = Int(words[1]) else { return }
        let block = (0..<64).map { _ in words[2] == "zeros" ? 0 : UInt8.random(in: 1...255, using: &stage.random) }
        let end = bytes.count + count
        while bytes.count < end { bytes += block.prefix(end - bytes.count) }
      }
    },
    "flip": { stage, words in
      stage.bytesVerb(words, 3) { bytes, words, stage in
        if let place = stage.offset(words[1], in: bytes), place < bytes.count, let bit = UInt8(words[2]) {
          bytes[place] ^= 1 << (bit & 7)
        }
      }
    },
    "set": { stage, words in
      stage.bytesVerb(words, 3) { bytes, words, stage in
        guard let place = stage.offset(words[1], in: bytes), let new = hex(words[2]) else { return }
        bytes.replaceSubrange(place..<min(bytes.count, place + new.count), with: new)
      }
    },
    "zero": { stage, words in
      stage.bytesVerb(words, 3) { bytes, words, stage in
        guard let place = stage.offset(words[1], in: bytes), let count = Int(words[2]) else { return }
        for at in place..<min(bytes.count, place + count) { bytes[at] = 0 }
      }
    },
    "noise": { stage, words in
      stage.bytesVerb(words, 3) { bytes, words, stage in
        guard let place = stage.offset(words[1], in: bytes), let count = Int(words[2]) else { return }
        for at in place..<min(bytes.count, place + count) {
          bytes[at] = UInt8.random(in: 0...255, using: &stage.random)
        }
      }
    },
    "insert": { stage, words in
      stage.bytesVerb(words, 3) { bytes, words, stage in
        guard let place = stage.offset(words[1], in: bytes), let new = hex(words[2]) else { return }
        bytes.insert(contentsOf: new, at: place)
      }
    },
    "delete": { stage, words in
      stage.bytesVerb(words, 3) { bytes, words, stage in
        guard let place = stage.offset(words[1], in: bytes), let count = Int(words[2]) else { return }
        bytes.removeSubrange(place..<min(bytes.count, place + count))
      }
    },
    "seven-bit": { stage, words in stage.bytesVerb(words, 1) { bytes, _, _ in bytes = bytes.map { $0 & 0x7F } } },
    "text-mode": { stage, words in
      stage.bytesVerb(words, 1) { bytes, _, _ in bytes = bytes.flatMap { $0 == 10 ? [13, 10] : [$0] } }
    },
  ]

  /// A change of one file's bytes; one that changes nothing was not done.
  private mutating func bytesVerb(
    _ words: [String], _ count: Int, _ change: (inout [UInt8], [String], inout DamageStage) -> Void
  ) -> Bool {
    guard words.count == count, let path = path(of: words[0]), let before = tree.bytes(at: path) else { return false }
    var bytes = before
    change(&bytes, words, &self)
    tree.put(.file(bytes), at: path)
    return bytes != before
  }

  private static func hex(_ text: String) -> [UInt8]? {
    let digits = Array(text)
    guard digits.count.isMultiple(of: 2) else { return nil }
    let bytes = stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(String(digits[$0...($0 + 1)]), radix: 16) }
    return bytes.count * 2 == digits.count ? bytes : nil
  }

  // MARK: What is around

  /// fail CALL NAME ERRNO · open · space N · restless · pack NAME PERCENT
  private static let surroundingVerbs: [String: Verb] = [
    "fail": { stage, words in
      guard words.count == 3, let path = stage.path(of: words[1]) else { return false }
      stage.surroundings.append(.failing(call: words[0], name: path.name.description, errno: words[2]))
      return true
    },
    "open": { stage, _ in
      stage.surroundings.append(.isOpen)
      return true
    },
    "space": { stage, words in
      guard let bytes = words.first.flatMap({ UInt64($0) }) else { return false }
      stage.surroundings.append(.space(bytes))
      return true
    },
    "restless": { stage, _ in
      stage.surroundings.append(.restless)
      return true
    },
    "pack": { stage, words in
      guard words.count == 2, let percent = Int(words[1]) else { return false }
      stage.surroundings.append(.packed(name: words[0], percent: percent))
      return true
    },
  ]
}
