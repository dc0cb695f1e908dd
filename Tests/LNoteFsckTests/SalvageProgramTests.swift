import Bytes
import Files
import JSON
import LNoteFormat
import Processes
import TestSupport
import Testing

@testable import LNoteFsck

/// The built program repairs damaged pages; a reader that shares no code with it says what there was to be saved.
@Suite struct SalvageProgramTests {
  private static let reader = repositoryRoot.appending("Tests/Fixtures/reader/lnote_reader.py").description

  private static func read(_ arguments: [String], in directory: TemporaryDirectory) throws -> [JSONValue] {
    var launch = Launch("/usr/bin/python3", [reader] + arguments)
    launch.workingDirectory = directory.path.bytes
    let result = try launch.run(limitMilliseconds: 60_000)
    #expect(result.ending.isSuccess, "\(result.errorText)")
    return try result.output.split(separator: UInt8(ascii: "\n")).map { try JSONValue.parse(Array($0)) }
  }

  private static func id(_ number: Int) -> NoteID {
    NoteID(high: 0x5A00_0000_0000_4000, low: 0x8000 << 48 | UInt64(number))
  }

  @Test func whatTheIndependentReaderFindsIsWhatTheProgramKeeps() throws {
    let directory = try TemporaryDirectory("salvage")
    let volume = try directory.volume()
    var random = SeededGenerator(seed: 99)
    let count = 8
    for number in 0..<count {
      var page = Bench.sound()[0]
      page.elements = (0..<80).map { .stroke(Bench.stroke(UInt64($0), samples: 1 + ($0 * 7) % 12)) }
      var record = Bench.record(of: [page])
      record.id = SalvageProgramTests.id(number)
      let package = BytePath("Notes/\(PackageNames.package(record.id))")
      for folder in PackagePaths.directories { try volume.makeDirectories(package.appending(folder)) }
      try volume.make(package.appending(PackagePaths.document), record.encoded())
      try volume.make(package.appending(PackagePaths.manifest), ManifestRecord(mirroring: record).encoded())
      var bytes = page.encoded()
      for _ in 0...(number % 3) {
        let place = Int.random(in: bytes.indices, using: &random)
        switch number % 4 {
        case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 1: for at in place..<min(bytes.count, place + 700) { bytes[at] = UInt8(truncatingIfNeeded: at) }
        case 2: bytes.removeSubrange(place..<min(bytes.count, place + 33))
        default: for at in 0..<(84 + place % 300) { bytes[at] = 0xEE }
        }
      }
      try volume.make(package.appending(PackagePaths.page(page.id)), bytes)
      try volume.make(BytePath("\(number)"), bytes)
    }
    let run = try ProgramTests.run(["-y", "--to", "Copy", "Notes"], in: directory)
    #expect(run.status & ~4 == 1, "\(run.text)")
    let page = Bench.pages[0]
    let left = try SalvageProgramTests.read(
      ["--salvage", "\(page)", "5"] + (0..<count).map { "\($0)" }, in: directory)
    let packages = (0..<count).map { "Copy/\(PackageNames.package(SalvageProgramTests.id($0)))" }
    let kept = try SalvageProgramTests.read(packages, in: directory)
    try #require(left.count == count && kept.count == count)
    for number in 0..<count {
      let saved = kept[number]["pages"]?["\(page).content"]?["elements"]?.array ?? []
      #expect(saved == left[number].array, "package \(number)")
      #expect(!saved.isEmpty && saved.count < 80)
      let entry = kept[number]["document"]?["pages"]?.array?.first
      let lost = entry?["losses"]?.array?.first?["elements"]?.integer
      #expect(lost == Int64(80 - saved.count), "package \(number)")
    }
  }
}
