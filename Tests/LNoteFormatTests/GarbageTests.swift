import TestSupport
import Testing

@testable import LNoteFormat

/// Readers meet whatever a disk can hold; a trap would end the test run.
@Suite struct GarbageTests {
  private func readAll(_ bytes: [UInt8]) {
    let reading = PageReader.read(bytes, expecting: Samples.pageID)
    let saved = PageSalvage.salvage(bytes, expecting: Samples.pageID, generationHint: 9)
    #expect(saved.elements.count >= reading.verdict.elements.count || saved.header == nil || saved.doubledFrames > 0)
    _ = DocumentRecord.read(bytes)
    _ = ManifestRecord.read(bytes)
    _ = DocumentSalvage.salvage(bytes)
  }

  @Test func randomBytes() {
    var random = SeededGenerator(seed: 11)
    for round in 0..<400 {
      readAll((0..<(round % 300)).map { _ in UInt8.random(in: 0...255, using: &random) })
    }
  }

  @Test func changedPages() {
    var random = SeededGenerator(seed: 12)
    for _ in 0..<600 {
      var bytes = Samples.page.encoded()
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        bytes[Int.random(in: bytes.indices, using: &random)] =
          [0, 1, 2, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0
      }
      readAll(bytes)
    }
  }

  @Test func changedPagesWithRightHeaders() {
    var random = SeededGenerator(seed: 13)
    for _ in 0..<400 {
      let offset = Int.random(in: 8..<84, using: &random)
      let value = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0 as UInt8
      readAll(PageReaderTests.withHeader(Samples.page.encoded(), at: offset, [value]))
    }
  }

  @Test func everyBeginning() {
    let files = [Samples.page.encoded(), Samples.document.encoded(), Samples.manifest.encoded()]
    for file in files {
      for count in 0...file.count { readAll(Array(file[..<count])) }
      for count in 0...file.count { readAll(Array(file[count...])) }
    }
  }

  @Test func deepAndLongJSON() {
    readAll([UInt8](repeating: UInt8(ascii: "["), count: 200_000))
    readAll(Array(String(repeating: "{\"a\":", count: 40_000).utf8))
    readAll([UInt8](repeating: UInt8(ascii: "{"), count: 100_000))
    readAll([UInt8](repeating: UInt8(ascii: "\""), count: 100_001))
  }
}
