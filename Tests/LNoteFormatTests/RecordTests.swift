import Bytes
import JSON
import TestSupport
import Testing

@testable import LNoteFormat

@Suite struct RecordTests {
  @Test func goldenBytes() {
    #expect(String(decoding: Samples.document.encoded(), as: UTF8.self) == Golden.document)
    #expect(String(decoding: Samples.manifest.encoded(), as: UTF8.self) == Golden.manifest)
    #expect(DocumentRecord.read(Array(Golden.document.utf8)).record == Samples.document)
    #expect(ManifestRecord.read(Array(Golden.manifest.utf8)).record == Samples.manifest)
  }

  @Test func roundTripWithEverything() {
    let bytes = Samples.fullDocument.encoded()
    let reading = DocumentRecord.read(bytes)
    #expect(reading.condition == .whole)
    #expect(reading.record == Samples.fullDocument)
    #expect(reading.record?.encoded() == bytes)
    var manifest = Samples.manifest
    manifest.coverPage = nil
    manifest.unknown = ["aaa": .null, "zzz": [1]]
    #expect(ManifestRecord.read(manifest.encoded()) == RecordReading(condition: .whole, record: manifest))
    let full = Samples.fullManifest
    #expect(
      full.losses?.map(\.page) == [nil, Samples.element(11), Samples.fullDocument.pages[0].id, Samples.element(10)])
    #expect(ManifestRecord.read(full.encoded()) == RecordReading(condition: .whole, record: full))
    manifest.losses = []
    #expect(ManifestRecord.read(manifest.encoded()) == RecordReading(condition: .whole, record: manifest))
  }

  @Test func aManifestTellsOfLossesWhereThereAreSomeOrWere() {
    #expect(Samples.manifest.losses == nil)
    #expect(ManifestRecord(mirroring: Samples.document, after: Samples.manifest).losses == nil)
    #expect(ManifestRecord(mirroring: Samples.document, after: Samples.fullManifest).losses == [])
    #expect(!Golden.manifest.contains("losses"))
  }

  @Test func aManifestOfVeryManyLossesIsNotTooLarge() throws {
    var document = Samples.document
    var loss = Samples.fullDocument.losses[0]
    for number: UInt64 in 0..<60 {
      loss.elements = number
      document.pages[0].losses.append(loss)
    }
    let bytesMax = document.encoded().count - 500
    let bytes = ManifestRecord(mirroring: document, bytesMax: bytesMax).encoded()
    #expect(bytes.count <= bytesMax && ManifestRecord(mirroring: document).losses?.count == 60)
    let told = try #require(ManifestRecord.read(bytes).record?.losses)
    #expect(told.count > document.pages[0].losses.count / 3)
    #expect(told == Array(document.mirroredLosses.prefix(told.count)))
  }

  @Test func checksumStandsFirstWhateverTheKeys() {
    let text = String(decoding: Samples.fullDocument.encoded(), as: UTF8.self)
    #expect(text.hasPrefix("{\n  \"checksum\": \""))
    #expect(text.contains("\n  \"a\": ["))
    #expect(text.hasSuffix("}\n"))
  }

  static let files: [(name: String, bytes: [UInt8], read: @Sendable ([UInt8]) -> RecordCondition)] = [
    ("document", Samples.document.encoded(), { DocumentRecord.read($0).condition }),
    ("manifest", Samples.manifest.encoded(), { ManifestRecord.read($0).condition }),
  ]

  @Test(arguments: ["document", "manifest"]) func everyChangeIsFound(name: String) throws {
    let file = try #require(RecordTests.files.first { $0.name == name })
    #expect(file.read(file.bytes) == .whole)
    var exceptions: [String] = []
    func expectDamage(_ bytes: [UInt8], _ what: String) {
      let condition = file.read(bytes)
      if condition.isReadable { exceptions.append("\(what): \(condition)") }
      if case .versionUnknown = condition { exceptions.append("\(what): \(condition)") }
    }
    for offset in file.bytes.indices {
      for bit in 0..<8 { expectDamage(file.bytes.changed(offset, 1 << bit), "bit \(bit) of \(offset)") }
      for value in [0, 0x30] as [UInt8] where file.bytes[offset] != value {
        expectDamage(file.bytes.changed(offset, file.bytes[offset] ^ value), "\(value) at \(offset)")
      }
      var bytes = file.bytes
      bytes.remove(at: offset)
      expectDamage(bytes, "without \(offset)")
      for extra in [0x20, 0x30] as [UInt8] {
        bytes = file.bytes
        bytes.insert(extra, at: offset)
        expectDamage(bytes, "\(extra) before \(offset)")
      }
      expectDamage(Array(file.bytes[..<offset]), "cut at \(offset)")
    }
    expectDamage(file.bytes + [0x20], "a space behind")
    expectDamage(file.bytes + [0], "a zero behind")
    #expect(exceptions == [])
  }

  /// `Samples.document` with a piece replaced, its checksum set right, or taken away.
  private static func edited(_ old: String, _ new: String, sealed: Bool = true) -> [UInt8] {
    let value = Golden.document.replacing(old, with: new, maxReplacements: 1)
    let members = value.replacing("\n  \"checksum\": \"8d24deb2\",", with: "").dropLast()
    return sealed ? RecordChecksum.sealed(Array(members.utf8)) : Array(members.utf8)
  }

  @Test func editedFilesAreReadAndCalledUnverified() {
    let pretty = RecordTests.edited("Analysis I", "Analysis II", sealed: false)
    #expect(DocumentRecord.read(pretty).condition == .unverified)
    #expect(DocumentRecord.read(pretty).record?.title == "Analysis II")
    // Reformatted by a tool that keeps the old checksum as a key.
    let flat = Array(Golden.document.replacing("\n", with: "").utf8)
    let spaced = Array(
      Golden.document.replacing("\"checksum\": \"8d24deb2\",", with: "\"checksum\": \"11111111\", ").utf8)
    #expect(DocumentRecord.read(Array("\n".utf8) + spaced).condition == .unverified)
    #expect(DocumentRecord.read(flat).record?.unknown == [:])
  }

  /// As many members as are known, one of them unknown and one missing.
  @Test func withoutAChecksumOneMemberOfANewerAppIsKept() {
    let bytes = RecordTests.edited("{\n", "{\n  \"zzz\": 7,\n", sealed: false)
    let reading = DocumentRecord.read(bytes)
    #expect(reading.condition == .unverified)
    #expect(reading.record?.unknown == ["zzz": 7])
  }

  @Test func changedContentIsReadWhereItCanBe() {
    let changed = Array(Golden.document.replacing("Analysis I", with: "Analysis J").utf8)
    let reading = DocumentRecord.read(changed)
    guard case .checksumDiffers(let written, _) = reading.condition else {
      Issue.record("\(reading.condition)")
      return
    }
    #expect(written == 0x8d24_deb2)
    #expect(reading.record?.title == "Analysis J")
  }

  static let faults: [(old: String, new: String, keyPath: String)] = [
    ("\"title\": \"Analysis I\"", "\"titel\": \"Analysis I\"", "title"), ("\"Analysis I\"", "7", "title"),
    ("\"generation\": 17", "\"generation\": -1", "generation"),
    ("\"width\": 8340", "\"width\": \"x\"", "pages[0].canvas.width"),
    ("\"width\": 8340", "\"width\": 4294967296", "pages[0].canvas.width"),
    ("\"elementCount\": 3", "\"elementCount\": 3.0", "pages[0].elementCount"),
    ("00112233-4455-4677-8899-AABBCCDDEEFF", "0011", "pages[0].id"), ("\"losses\": []", "\"losses\": {}", "losses"),
    ("\"losses\": []", "\"losses\": [7]", "losses[0]"),
    ("\"deleted\": []", "\"deleted\": [{\"id\": 1}]", "deleted[0].id"),
    ("2026-07-01T09:30:00.000Z", "2026-07-01 09:30:00.000Z", "createdAt"),
    ("\"formatVersion\": 1,", "", "formatVersion"),
    ("\"formatVersion\": 1,", "\"formatVersion\": \"1\",", "formatVersion"),
  ]
  @Test(arguments: faults) func fieldFaultsNameTheirPlace(old: String, new: String, keyPath: String) {
    let reading = DocumentRecord.read(RecordTests.edited(old, new))
    guard case .fieldFault(let fault) = reading.condition else {
      Issue.record("\(reading.condition)")
      return
    }
    #expect(fault.keyPath == keyPath)
    #expect(reading.record == nil)
  }

  @Test func otherConditions() {
    #expect(DocumentRecord.read([]).condition == .zeroLength)
    #expect(DocumentRecord.read([0, 0, 0]).condition == .nulFilled)
    #expect(DocumentRecord.read([UInt8](repeating: 0x20, count: RecordLimits.bytesMax + 1)).condition == .tooLarge)
    #expect(
      DocumentRecord.read(RecordTests.edited("\"formatVersion\": 1", "\"formatVersion\": 2")).condition
        == .versionUnknown(2))
    #expect(
      ManifestRecord.read(Array("[]".utf8)).condition
        == .fieldFault(RecordFault(keyPath: "the file", reason: "must be an object")))
    for text in ["", "{", "{\"a\":1,\"a\":2}", "\u{FEFF}{}", "{}x", "{\"a\":1e999}"] where !text.isEmpty {
      guard case .notJSON = DocumentRecord.read(Array(text.utf8)).condition else {
        Issue.record("\(text)")
        continue
      }
    }
  }

  @Test func whatJSONCannotHoldIsWrittenAsTheNearest() {
    var document = Samples.document
    document.title = "a\u{0}b"
    document.generation = .max
    document.created = Timestamp(milliseconds: .max)
    let record = DocumentRecord.read(document.encoded()).record
    #expect(record?.title == "a\u{FFFD}b")
    #expect(record?.generation == UInt64(Int64.max))
    #expect(record?.created.text == "9999-12-31T23:59:59.999Z")
  }
}

@Suite struct DocumentSalvageTests {
  private let bytes = Samples.fullDocument.encoded()

  @Test func entriesBeforeACutAreKept() throws {
    let second = try #require(find(Samples.element(10).description, in: bytes))
    let saved = DocumentSalvage.salvage(Array(bytes[..<second]))
    #expect(saved.pages == [Samples.fullDocument.pages[0]])
    #expect(saved.id == Samples.documentID)
    #expect(saved.generation == 17)
    #expect(saved.created == Samples.document.created)
    #expect(saved.deleted == Samples.fullDocument.deleted)
    #expect(saved.losses == Samples.fullDocument.losses)
    #expect(saved.title == nil)
  }

  @Test func entriesBehindDamageAreKept() throws {
    let first = try #require(find(Samples.pageID.description, in: bytes))
    let saved = DocumentSalvage.salvage(bytes.changed(first - 1, 0x80))
    #expect(saved.pages == [Samples.fullDocument.pages[1]])
    #expect(saved.title == Samples.fullDocument.title)
  }

  @Test func everyCutKeepsWhatIsComplete() {
    let bytes = Samples.document.encoded()
    for count in 0..<(bytes.count - 1) {
      let saved = DocumentSalvage.salvage(Array(bytes[..<count]))
      #expect(saved.pages.isEmpty || saved.pages == Samples.document.pages)
      #expect(saved.generation == nil || saved.generation == 17)
      #expect(saved.id == nil || saved.id == Samples.documentID)
    }
  }

  @Test func aReadableFileIsTakenWhole() {
    #expect(DocumentSalvage.salvage(bytes) == SalvagedDocument(Samples.fullDocument))
    let changed = Array(Golden.document.replacing("Analysis I", with: "Analysis J").utf8)
    #expect(DocumentSalvage.salvage(changed).title == "Analysis J")
  }

  private func find(_ text: String, in bytes: [UInt8]) -> Int? {
    let wanted = Array(text.utf8)
    return bytes.indices.first { bytes[$0...].starts(with: wanted) }
  }
}
