import Archives
import Bytes
import DamageCorpus
import FileTracing
import Files
import JSON
import LNoteFormat
import Rendering
import Scenarios
import TestSupport

/// What is fed with any bytes: everything that reads what others wrote.
///
/// A trap, a hang, too much memory, or a promise that is not kept ends the program; libFuzzer keeps the bytes.
enum FuzzedReader: String, CaseIterable {
  case page, journal, document, manifest, jpeg, thumbnail, json, log, scenario, archive, repair

  /// Feeds the reader once.
  func read(_ bytes: [UInt8]) {
    switch self {
    case .page: FuzzedReader.readPage(bytes)
    case .journal: FuzzedReader.readJournal(bytes)
    case .document:
      let reading = DocumentRecord.read(bytes)
      if let record = reading.record, reading.condition.isReadable {
        precondition(DocumentRecord.read(record.encoded()).record == record, "a document is another when written again")
      }
      _ = DocumentSalvage.salvage(bytes)
    case .manifest:
      let reading = ManifestRecord.read(bytes)
      guard let record = reading.record, reading.condition.isReadable else { return }
      precondition(ManifestRecord.read(record.encoded()).record == record, "a manifest is another when written again")
    case .jpeg: FuzzedReader.readPicture(bytes)
    case .thumbnail: _ = Thumbnail.read(bytes)
    case .json:
      guard let value = try? JSONValue.parse(bytes) else { return }
      let again = try? JSONValue.parse(value.serialized())
      precondition(again == value, "JSON is another when written again")
    case .log: FuzzedReader.readLog(bytes)
    case .scenario:
      let vocabulary = ScenarioVocabulary(
        mutants: ["overwrite-in-place"], problems: [("LN3002", "page-truncated")], models: ["strict", "xfs"])
      _ = ScenarioReading.read(bytes, file: "fuzzed.scn", vocabulary: vocabulary)
    case .archive: FuzzedReader.readArchive(bytes)
    case .repair: FuzzedReader.repair(seed: XXH3.digest64(of: bytes))
    }
  }

  private static func readPage(_ bytes: [UInt8]) {
    let reading = PageReader.read(bytes)
    let saved = PageSalvage.salvage(bytes, expecting: nil, generationHint: 5)
    if reading.verdict.condition == .whole, let page = reading.snapshot {
      precondition(page.encoded() == bytes, "a whole page is another when written again")
      precondition(saved.elements.count + saved.doubledFrames == page.elements.count, "salvage loses what is whole")
    }
  }

  private static func readJournal(_ bytes: [UInt8]) {
    let reading = JournalReader.read(bytes, expecting: nil, generationHint: 5)
    let verdict = reading.verdict
    guard let header = verdict.header else { return }
    precondition(verdict.goodEnd <= bytes.count, "the changes end at \(verdict.goodEnd) of \(bytes.count) bytes")
    precondition(
      verdict.changes.map(\.sequence) == verdict.changes.indices.map { UInt64($0 + 1) }, "the numbers have a gap")
    // What is kept of a journal is that journal without its tail.
    let kept = JournalReader.verify(Array(bytes[..<verdict.goodEnd]))
    precondition(kept.condition == .whole && kept.header == header, "what is kept of a journal is not whole")
    precondition(kept.changes == verdict.changes, "what is kept of a journal has other changes")
  }

  private static func readPicture(_ bytes: [UInt8]) {
    let walk = JPEGCheck.walk(bytes)
    let decoding = JPEGCheck.decode(bytes)
    if decoding.isClean, case .notJPEG = walk.condition {
      preconditionFailure("what the walk calls no JPEG is decoded without a complaint")
    }
    precondition((0...100).contains(decoding.goodPercent), "\(decoding.goodPercent) percent of a picture are good")
  }

  private static func readLog(_ bytes: [UInt8]) {
    var whole = OperationLogReader()
    whole.append(bytes)
    var count = 0
    while (try? whole.next()) != nil { count += 1 }
    var pieces = OperationLogReader()
    var again = 0
    for byte in bytes {
      pieces.append([byte])
      while (try? pieces.next()) != nil { again += 1 }
    }
    precondition(count == again, "byte by byte there are \(again) records, at once \(count)")
  }

  private static let folder = try? TemporaryDirectory("fuzz")

  private static func readArchive(_ bytes: [UInt8]) {
    guard let folder, let host = try? folder.volume() else { return }
    let name: BytePath = "archive"
    try? host.unlink(name)
    var limits = ArchiveLimits()
    limits.unpackedBytesMax = 1 << 20
    guard (try? host.make(name, bytes)) != nil, let archive = try? Archive.read(name, in: host, limits: limits) else {
      return
    }
    for path in (try? archive.volume.tree()) ?? [] { _ = try? archive.volume.readWhole(path, sizeMax: 1 << 20) }
  }

  // So many damages an input: what libFuzzer does between two inputs takes longer than one of them.
  private static let repairsEach: UInt64 = 64

  /// Any bytes are a seed: what is found is a number that the tests named CampaignTests take.
  private static func repair(seed first: UInt64) {
    for seed in (0..<repairsEach).map({ first &+ $0 }) {
      let (recipe, stage) = RandomRecipe.damage(seed: seed)
      guard let judge = try? DamageJudge(stage, takesBack: seed.isMultiple(of: 8)) else {
        fatalError("LNOTE_DAMAGE_SEED=\(seed): the disk in memory failed: \(recipe)")
      }
      // What a precondition says is left out where the optimizer is at work.
      if !judge.violations.isEmpty { fatalError("LNOTE_DAMAGE_SEED=\(seed): \(recipe): \(judge.violations)") }
    }
  }
}
