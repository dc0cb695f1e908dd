import Bytes
import LNoteFormat
import TestSupport

extension DamageStage {
  /// journal P WORD… (a journal on the page as it is, with a change for each word)
  ///
  /// - add, free, picture1: a new stroke; the image free1.jpg or asset1 put on the page
  /// - again: the first element of the page once more
  /// - remove, replace: the first element of the page goes; another takes the place of the last
  /// - gone: an element that is not there goes
  /// - new: a change of a newer app
  /// - base+1, base-1: of the next version of the page, or the one before; other: of another one of the same number
  static let journalVerbs: [String: Verb] = [
    "journal": { stage, words in
      guard let word = words.first, let number = stage.number(of: word), let page = stage.bytes(word),
        page.count >= 84, let path = stage.path(of: "journal\(number + 1)")
      else { return false }
      var journal = stage.emptyJournal(onPage: page, Array(words.dropFirst()))
      for word in words.dropFirst() where !DamageStage.bases.contains(word) {
        guard let (type, payload) = stage.change(word, of: stage.package.pages[number]) else { return false }
        journal.append(type: type, payload)
      }
      stage.tree.put(.file(journal.bytes), at: path)
      return true
    }
  ]

  private static let bases = ["base+1", "base-1", "other"]

  private func emptyJournal(onPage file: [UInt8], _ words: [String]) -> JournalBytes {
    guard words.contains(where: { DamageStage.bases.contains($0) }) else { return JournalBytes(onPage: file) }
    var reader = ByteReader(file)
    _ = reader.seek(to: 16)
    let id = reader.readBytes(count: 16).map { Array($0) } ?? []
    _ = reader.seek(to: 44)
    let (checksum, generation) = (reader.readUInt32() ?? 0, reader.readUInt64() ?? 0)
    let base = words.contains("base+1") ? generation &+ 1 : words.contains("base-1") ? generation &- 1 : generation
    return JournalBytes(page: id, base: base, baseChecksum: checksum ^ 1)
  }

  /// Type and payload of a change, without its number; nil where it cannot be made.
  private mutating func change(_ word: String, of page: PageSnapshot) -> (type: UInt8, payload: [UInt8])? {
    let first = page.elements.first { $0.id != nil }
    switch word {
    case "add": return (1, DamageStage.payload(drawn()))
    case "again": return first.map { ($0.type, DamageStage.payload($0)) }
    case "remove": return first?.id.map { (16, $0.bytes) }
    case "gone": return (16, identity().bytes)
    case "replace":
      guard let id = page.elements.last(where: { $0.id != nil })?.id else { return nil }
      return (17, id.bytes + [1] + DamageStage.payload(drawn()))
    case "new": return (77, [1, 2, 3])
    case "free": return image("free1.jpg")
    default: return word.hasPrefix("picture") ? image("asset" + word.dropFirst(7)) : nil
    }
  }

  private mutating func image(_ word: String) -> (type: UInt8, payload: [UInt8])? {
    guard let asset = self.identity(of: word), let bytes = bytes(word) else { return nil }
    let digest = XXH3.digest128(of: bytes)
    let image = PlacedImage(
      id: identity(), asset: asset, x: 10, y: 20, width: 300, height: 200, rotation: 0,
      assetLength: UInt64(bytes.count), assetDigest: AssetDigest(high: digest.high, low: digest.low))
    return (2, DamageStage.payload(.image(image)))
  }

  private mutating func drawn() -> PageElement {
    let samples = (0..<4).map { StrokeSample(x: $0 * 9, y: 5, radius: 12, pressure: 500, time: UInt32($0) * 8) }
    return .stroke(Stroke(id: identity(), pen: 0, colour: 0xFF, baseRadius: 12, samples: samples))
  }

  private mutating func identity() -> NoteID { NoteID(high: random.next(), low: random.next()) }

  /// An element's payload as a page has it: behind the header and the frame's first 9 bytes.
  private static func payload(_ element: PageElement) -> [UInt8] {
    let moment = Timestamp(milliseconds: 0)
    let page = PageSnapshot(
      id: NoteID(high: 0, low: 0), generation: 1, canvas: CanvasSize(width: 1, height: 1), created: moment,
      modified: moment, elements: [element])
    return Array(page.encoded()[93...])
  }
}
