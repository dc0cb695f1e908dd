import FaultDisk
import Files
import LNoteFormat
import Scenarios
import TestSupport
import Testing

@testable import Harness
@testable import LNoteFsck
@testable import LNoteStore

/// What is remembered from state to state changes no verdict, and never stands for bytes that were changed.
@Suite struct SweepMemoryTests {
  private static let document =
    "document \"Trip\" { page p1 strokes 2 points 9; page p2 strokes 12 points 60; page p3 }"

  /// Stores that keep their word, and stores that do not; checks that write, and checks that only look.
  static let sweeps: [(settings: String, steps: String, check: String)] = [
    ("model ext4-ordered, btrfs", "stroke p1 points 30; background", "reopen; expect fsck no-loss; repair"),
    ("durability none\nmodel ext4-ordered", "stroke p2 points 30; background", "reopen; expect document loads"),
    (
      "durability file\nmodel posix-weakest", "stroke p1 points 9; stroke p2 points 9; background",
      "expect fsck clean; repair; reopen; expect p1 at-least last-durable; expect fsck clean"
    ),
    (
      "durability none\nmodel xfs", "insert-image p1 size 12KiB as photo; background; delete photo; background",
      "reopen; expect fsck never asset-missing; expect fsck no-loss; repair; expect fsck clean"
    ),
    (
      "durability none\nmodel btrfs", "stroke p3 points 9; background; title \"Other\"; background",
      "reopen; stroke p1 points 9; background; expect fsck clean; expect p1 equals latest; stroke p1; background; fsck"
    ),
    ("model ext4-ordered", "add page p4; stroke p4 points 9; background; delete page p2; background; close", "reopen"),
    (
      "mutant load-failure-is-empty\ndurability none\nmodel ext4-ordered", "stroke p1; background",
      "reopen; stroke p1; background"
    ),
  ]

  private static func report(
    _ sweep: (settings: String, steps: String, check: String), bound: String = "at-most 16", remembers: Bool
  ) throws -> CaseReport {
    let text = "\(document)\nfor each crash \(bound) in { \(sweep.steps) }\ncheck { \(sweep.check) }"
    let report = try CrashSweepTests.run(text, settings: sweep.settings, remembers: remembers)
    return try #require(report.cases.first)
  }

  @Test(arguments: sweeps)
  func theVerdictsAreTheSameWithAndWithoutMemory(settings: String, steps: String, check: String) throws {
    let with = try Self.report((settings, steps, check), remembers: true)
    let without = try Self.report((settings, steps, check), remembers: false)
    #expect(with.trouble == [] && without.trouble == [])
    #expect(with.verdict == without.verdict)
    #expect(with.lines == without.lines)
    #expect(with.promised == without.promised && with.kept == without.kept)
    let (sweep, other) = (try #require(with.sweep), try #require(without.sweep))
    #expect(sweep.judgements > 3)
    #expect(sweep.json.serialized(indent: 2) == other.json.serialized(indent: 2))
  }

  /// What a recovery wrote is shown in its turn, in places that get other bytes then.
  @Test(arguments: sweeps.prefix(3))
  func theSameGoesForCrashesOfRecoveries(settings: String, steps: String, check: String) throws {
    let reports = try [true, false].map {
      try Self.report((settings, steps, check), bound: "depth 2 at-most 4", remembers: $0)
    }
    let sweeps = try reports.map { try #require($0.sweep) }
    #expect(reports[0].lines == reports[1].lines && reports[0].trouble == reports[1].trouble)
    #expect(sweeps[0].json.serialized(indent: 2) == sweeps[1].json.serialized(indent: 2))
    #expect(sweeps[0].recovery?.judged == sweeps[1].recovery?.judged)
  }

  /// The rows above are worth something only where some convict and some do not.
  @Test func someOfThemConvict() throws {
    let verdicts = try Self.sweeps.map { try Self.report($0, remembers: true).verdict }
    #expect(verdicts.contains(.failed) && verdicts.contains(.passed), "\(verdicts)")
  }

  /// A shown package whose first page is remembered by all three, then damaged, then shown whole again.
  @Test func whatWasChangedIsReadAnew() throws {
    let disk = FaultDisk()
    let id = NoteID(high: 1, low: 1)
    let page = PageName(document: id, page: NoteID(high: 2, low: 2))
    let builder = StoreSession(
      volume: disk.volume(), configuration: StoreConfiguration(now: Timestamp(milliseconds: 1_782_898_200_000), seed: 1)
    )
    let commands: [StoreCommand] = [
      .createDocument(id, title: "Trip"), .addPage(page, canvas: CanvasSize(width: 10, height: 10), at: nil),
      .addStroke(
        page,
        StrokeMaker.stroke(
          id: NoteID(high: 3, low: 3), points: 90, pen: 0, baseRadius: 10, origin: (x: 0, y: 0), seed: 1)),
      .background, .letGo(id),
    ]
    for (number, command) in commands.enumerated() {
      #expect(builder.perform(NumberedCommand(UInt64(number + 1), command)).failures.isEmpty)
    }
    disk.beginRecording()
    let tree = try #require(disk.recording).tree
    disk.keepForShowing()
    let memory = SweepMemory(ledger: Ledger())
    let package = BytePath(PackageNames.package(id))
    let path = package.appending(PackageNames.page(page.page))

    func isWhole(_ volume: any Volume) -> [Bool] {
      let session = StoreSession(
        volume: volume, configuration: StoreConfiguration(now: Timestamp(milliseconds: 1_782_898_200_000), seed: 2),
        memory: memory.store)
      _ = session.perform(NumberedCommand(1, .open(id)))
      let shown = session.perform(NumberedCommand(2, .readPage(page)))
      _ = session.perform(NumberedCommand(3, .letGo(id)))
      let fsck = Fsck(volume: volume, now: Timestamp(milliseconds: 1_782_898_200_000), memory: memory.survey)
      let elements = DocumentReading(volume: volume, memory: memory.documents).elements(of: page)
      return [shown.failures.isEmpty, fsck.check(package).isClean, elements != nil]
    }
    for byte: UInt8 in 1...3 {
      disk.show(tree)
      let volume = disk.volume()
      for _ in 0..<2 { #expect(isWhole(volume) == [true, true, true]) }
      let file = try volume.open(path, for: .writing)
      try volume.writeWhole(file, at: 700, [byte, byte &+ 91])
      try volume.close(file)
      #expect(isWhole(volume) == [false, false, false])
    }
    #expect(memory.survey.pages.bytesKept > 0 && memory.store.pages.bytesKept > 0)
    #expect(memory.documents.pages.bytesKept > 0)
  }
}
