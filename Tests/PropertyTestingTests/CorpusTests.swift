import Files
import TestSupport
import Testing

@testable import PropertyTesting

/// The corpus in a real folder.
private struct VolumeFolder: CorpusFolder {
  let volume: any Volume

  func names() throws(FileCallError) -> [String] {
    try volume.entries(of: .root, countMax: 1000).map { $0.name.description }
  }

  func read(_ name: String, bytesMax: Int) throws(FileCallError) -> [UInt8] {
    try volume.readWhole(BytePath(name), sizeMax: bytesMax)
  }

  func write(_ name: String, _ bytes: [UInt8]) throws(FileCallError) {
    let file = try volume.open(BytePath(name), for: .creating(permissions: 0o644))
    try volume.writeWhole(file, bytes)
    try volume.synchronize(file)
    try volume.close(file)
  }

  func rename(_ name: String, to other: String) throws(FileCallError) {
    try volume.rename(BytePath(name), to: BytePath(other))
  }
}

@Suite struct CorpusTests {
  private let directory: TemporaryDirectory
  private let volume: any Volume
  private let corpus: Corpus<VolumeFolder>

  init() throws {
    directory = try TemporaryDirectory("corpus")
    volume = try directory.volume()
    corpus = Corpus(VolumeFolder(volume: volume))
  }

  private static let entry = CorpusEntry(
    test: "a test", bucket: "LN1001 é", text: "step 1\nstep 2",
    values: [.bool(false), .bool(true), .int(.min), .int(7), .float(-1.5), .bytes([]), .bytes([1, 0, 255])])

  @Test func whatIsKeptReadsBack() throws {
    #expect(try CorpusEntry(CorpusTests.entry.bytes) == CorpusTests.entry)
    try corpus.keep(CorpusTests.entry)
    try corpus.keep(CorpusTests.entry)
    let small = CorpusEntry(test: "a test", bucket: "other", text: "", values: [.int(1)])
    try corpus.keep(small)
    try corpus.keep(CorpusEntry(test: "another test", bucket: "other", text: "", values: [.int(1)]))
    let contents = try corpus.contents(of: "a test")
    #expect(contents.entries == [small, CorpusTests.entry])
    #expect(contents.damaged.isEmpty)
    // No temporary file stays.
    #expect(try VolumeFolder(volume: volume).names().allSatisfy { $0.hasSuffix(".case") })
  }

  /// Each byte of an entry altered, and each end of it: nothing else is ever read.
  @Test func damageIsNoticed() throws {
    let bytes = CorpusTests.entry.bytes
    for index in bytes.indices {
      var altered = bytes
      altered[index] ^= 0x41
      #expect(throws: CorpusEntry.Damage.self) { try CorpusEntry(altered) }
      #expect(throws: CorpusEntry.Damage.self) { try CorpusEntry(Array(bytes[..<index])) }
    }
  }

  @Test func whatIsDamagedIsNamedAndTheRestIsRead() throws {
    try corpus.keep(CorpusTests.entry)
    let folder = VolumeFolder(volume: volume)
    try folder.write("a.case", [])
    try folder.write("b.case", Array(CorpusTests.entry.bytes.dropLast()))
    try folder.write("c.case", [UInt8](repeating: 0, count: CorpusEntry.bytesMax + 1))
    try folder.write("notes.txt", [1])
    try volume.makeDirectory("d.case", permissions: 0o755)
    let contents = try corpus.contents(of: "a test")
    #expect(contents.entries == [CorpusTests.entry])
    #expect(contents.damaged.map(\.name) == ["a.case", "b.case", "c.case", "d.case"])
    #expect(contents.damaged[0].description == "a.case: is not a failing case that was kept")
    #expect(contents.damaged[1].reason == "does not have the checksum that it was written with")
  }

  /// The name of a file says test and bucket, and nothing of how the test is written: this name must never change.
  @Test func namesOfFilesStay() {
    let entry = CorpusEntry(test: "t", bucket: "b", text: "", values: [.int(1)])
    #expect(entry.fileName == "6168b2adf91377223d8dc6eb7e60f811-4f0d5d17.case")
  }

  /// A failure that was kept is found again by one execution, also where the rules are written otherwise by now.
  @Test func aStoredFailureSurvivesAnEditedRule() throws {
    func machine(_ isEdited: Bool) -> StateMachine<Int> {
      var machine = StateMachine(
        "counter", initial: 0,
        rules: [
          .init("add") { model, source in
            if isEdited { source.tell("adds now") }
            model += source.int(in: 0...100)
            return .holds
          }
        ])
      machine.invariants = [.init("too much") { $0 < 250 }]
      return machine
    }
    var first = Search(machine(false).property)
    let failure = try #require(first.run().failures.first)
    try corpus.keep(
      CorpusEntry(
        test: "counter", bucket: failure.bucket, text: failure.record.told.joined(separator: "\n"),
        values: failure.record.values))

    let stored = try corpus.contents(of: "counter").entries.map(\.values)
    var settings = SearchSettings()
    settings.shrinkExecutionsMax = 0
    var second = Search(machine(true).property, settings)
    let result = second.run(stored: stored)
    #expect(result.ending == .stored && result.counts.executions == 1)
    #expect(result.stored == [.interesting(bucket: "too much")])
    #expect(result.failures.map(\.record.choices) == [failure.record.choices])
  }
}
