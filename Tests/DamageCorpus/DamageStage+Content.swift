import JSON
import LNoteFormat
import TestSupport

extension DamageStage {
  // MARK: Pages

  /// field P NAME VERB [raw|header|sealed] · drop-frame P N [raw|sealed] · double-frame P N [raw|sealed] ·
  /// exchange-frames P N M [raw|sealed] · splice P Q N (a frame of Q behind those of P) · seal P · fit P ·
  /// version P GENERATION [STROKES] (a version of the page with so many of its elements) · as P Q (P's content as Q's)
  static let pageVerbs: [String: Verb] = [
    "field": { stage, words in
      guard words.count >= 3, let verb = DamageVerb(rawValue: words[2]) else { return false }
      return stage.edit(words[0]) { bytes, random in
        guard let place = PageLayout.place(of: words[1], in: bytes) else { return false }
        let before = bytes
        var field = Array(bytes[place])
        verb.apply(to: &field, using: &random)
        bytes.replaceSubrange(place, with: field)
        DamageStage.seal(&bytes, words.dropFirst(3).first)
        return bytes != before
      }
    },
    "drop-frame": { stage, words in
      stage.frames(words, 1) { bytes, frames in bytes.removeSubrange(frames[0]) }
    },
    "double-frame": { stage, words in
      stage.frames(words, 1) { bytes, frames in bytes.insert(contentsOf: bytes[frames[0]], at: frames[0].upperBound) }
    },
    "exchange-frames": { stage, words in
      stage.frames(words, 2) { bytes, frames in
        guard frames[0].upperBound <= frames[1].lowerBound else { return }
        let (first, second) = (Array(bytes[frames[0]]), Array(bytes[frames[1]]))
        bytes.replaceSubrange(frames[1], with: first)
        bytes.replaceSubrange(frames[0], with: second)
      }
    },
    "splice": { stage, words in
      guard words.count == 3, let number = Int(words[2]), let other = stage.bytes(words[1]) else { return false }
      let frames = PageLayout.frames(in: other)
      guard frames.indices.contains(number - 1) else { return false }
      return stage.edit(words[0]) { bytes, _ in
        bytes += other[frames[number - 1]]
        return true
      }
    },
    "seal": { stage, words in
      words.count == 1
        && stage.edit(words[0]) { bytes, _ in
          PageLayout.seal(&bytes)
          return true
        }
    },
    "fit": { stage, words in
      words.count == 1
        && stage.edit(words[0]) { bytes, _ in
          PageLayout.fit(&bytes)
          return true
        }
    },
    "version": { stage, words in
      guard words.count >= 2, let path = stage.path(of: words[0]), let generation = UInt64(words[1]) else {
        return false
      }
      let of = words[0].hasSuffix("~") ? String(words[0].dropLast()) : words[0]
      guard let number = stage.number(of: of) else { return false }
      var page = stage.package.pages[number]
      page.generation = generation
      if words.count > 2, let count = Int(words[2]) { page.elements = Array(page.elements.prefix(count)) }
      stage.tree.put(.file(page.encoded()), at: path)
      return true
    },
    "as": { stage, words in
      guard words.count == 2, let number = stage.number(of: words[0]), let id = stage.identity(of: words[1]),
        let path = stage.path(of: words[1])
      else { return false }
      var page = stage.package.pages[number]
      page.id = id
      stage.tree.put(.file(page.encoded()), at: path)
      return true
    },
  ]

  private static func seal(_ bytes: inout [UInt8], _ word: String?) {
    if word == "sealed" { PageLayout.seal(&bytes) }
    if word == "header" { PageLayout.sealHeader(of: &bytes) }
  }

  private mutating func frames(
    _ words: [String], _ count: Int, _ change: (inout [UInt8], [Range<Int>]) -> Void
  ) -> Bool {
    guard words.count > count else { return false }
    let numbers = words[1...count].compactMap { Int($0) }
    return edit(words[0]) { bytes, _ in
      let frames = PageLayout.frames(in: bytes)
      guard numbers.count == count, numbers.allSatisfy({ frames.indices.contains($0 - 1) }) else { return false }
      let before = bytes
      change(&bytes, numbers.map { frames[$0 - 1] })
      if words.count > count + 1, words[count + 1] == "sealed" { PageLayout.fit(&bytes) }
      return bytes != before
    }
  }

  // MARK: document.json and manifest.json

  /// member F PATH VERB [sealed|stale|bare] · list PAGE GENERATION COUNT · unlist PAGE · deleted PAGE GENERATION ·
  /// loss PAGE|ASSET ELEMENTS GENERATION [accepted] · raise N · mirror (the manifest of the document as it is now)
  static let recordVerbs: [String: Verb] = [
    "member": { stage, words in
      guard words.count >= 3 else { return false }
      let seal = words.count > 3 ? RecordDamage.Seal(rawValue: words[3]) : .sealed
      guard let seal else { return false }
      return stage.edit(words[0]) { bytes, random in
        guard let changed = RecordDamage.changed(bytes, at: words[1], words[2], seal, using: &random) else {
          return false
        }
        defer { bytes = changed }
        return changed != bytes
      }
    },
    "list": { stage, words in
      guard words.count == 3, let id = stage.identity(of: words[0]), let generation = UInt64(words[1]),
        let count = UInt64(words[2])
      else { return false }
      let first = stage.package.pages.first
      return stage.editDocument { document in
        guard let page = first else { return false }
        var entry = PageEntry(
          id: id, canvas: page.canvas, created: page.created, modified: page.modified, elementCount: 0, generation: 0)
        (entry.id, entry.generation, entry.elementCount) = (id, generation, count)
        document.pages.append(entry)
        return true
      }
    },
    "unlist": { stage, words in
      guard let id = words.first.flatMap({ stage.identity(of: $0) }) else { return false }
      return stage.editDocument { document in
        document.pages.removeAll { $0.id == id }
        return true
      }
    },
    "deleted": { stage, words in
      guard words.count == 2, let id = stage.identity(of: words[0]), let generation = UInt64(words[1]) else {
        return false
      }
      return stage.editDocument { document in
        document.pages.removeAll { $0.id == id }
        document.deleted.append(DeletedPage(id: id, generation: generation))
        return true
      }
    },
    "loss": { stage, words in
      guard words.count >= 3, let id = stage.identity(of: words[0]), let elements = UInt64(words[1]),
        let generation = Int64(words[2])
      else { return false }
      let isAccepted = words.contains("accepted")
      let made = stage.package.document.created
      return stage.editDocument { document in
        var loss = RecordedLoss(
          at: made, code: "LN3001", elements: elements, stamp: "20260701T093000Z", isAccepted: isAccepted)
        guard words[0].hasPrefix("page") else {
          loss.code = "LN4001"
          loss.unknown = ["asset": .string("\(id)")]
          document.losses.append(loss)
          return true
        }
        loss.unknown = ["generation": .integer(generation), "lostGeneration": .integer(generation - 1)]
        guard let place = document.pages.firstIndex(where: { $0.id == id }) else { return false }
        document.pages[place].generation = UInt64(generation)
        document.pages[place].losses.append(loss)
        return true
      }
    },
    "raise": { stage, words in
      guard let step = words.first.flatMap({ UInt64($0) }) else { return false }
      return stage.editDocument { document in
        document.generation += step
        return true
      }
    },
    "mirror": { stage, _ in
      guard let bytes = stage.bytes("document"), let document = DocumentRecord.read(bytes).record,
        let path = stage.path(of: "manifest")
      else { return false }
      stage.tree.put(.file(ManifestRecord(mirroring: document).encoded()), at: path)
      return true
    },
  ]

  private mutating func editDocument(_ change: (inout DocumentRecord) -> Bool) -> Bool {
    edit("document") { bytes, _ in
      guard var document = DocumentRecord.read(bytes).record, change(&document) else { return false }
      bytes = document.encoded()
      return true
    }
  }
}
