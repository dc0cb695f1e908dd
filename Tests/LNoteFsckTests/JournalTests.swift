import Files
import LNoteFormat
import TestSupport
import Testing

@testable import LNoteFsck

/// What a journal keeps from being done, and what it does not.
@Suite struct JournalTests {
  static let silent: [(why: String, put: @Sendable (Bench) throws -> Void)] = [
    ("a journal without changes", { try $0.putJournal(page: 0, strokes: []) }),
    (
      "as many elements as with the first of two changes",
      { bench in
        try bench.putJournal(page: 0)
        try bench.edit { $0.pages[0].elementCount = 4 }
      }
    ),
    (
      "a change of each kind",
      { bench in
        try bench.putJournal(page: 0) { journal in
          journal.append(type: 16, bench.snapshots[0].elements[0].id?.bytes ?? [])
          journal.append(type: 1, Bench.payload(bench.snapshots[0].elements[0]))
          journal.append(
            type: 17, (bench.snapshots[0].elements[1].id?.bytes ?? []) + [1] + Bench.payload(Bench.drawn(50)))
        }
      }
    ),
  ]

  @Test(arguments: silent) func nothingButThatChangesAreInIt(
    row: (why: String, put: @Sendable (Bench) throws -> Void)
  )
    throws
  {
    let bench = try Bench()
    try row.put(bench)
    let report = bench.check()
    #expect(Set(report.found.map(\.kind.code)).subtracting(["LN6008"]) == [], "\(row.why)")
    #expect(report.isClean && report.exit == [])
    #expect(bench.repair().actions.isEmpty)
  }

  /// Outside of what the changes explain, a count is wrong as ever.
  @Test func aCountThatNoChangeExplains() throws {
    let bench = try Bench()
    try bench.putJournal(page: 0)
    try bench.edit { $0.pages[0].elementCount = 6 }
    #expect(codes(bench.check().found) == "LN2019 LN6008")
  }

  /// Who raises a page's generation makes its journal count as merged.
  static let raising: [(name: String, damage: @Sendable (Bench) throws -> Void)] = [
    ("damaged", { try $0.damage(DamageCase.page1) { $0[200] ^= 1 } }),
    ("cut", { try $0.damage(DamageCase.page1) { $0 = Array($0.dropLast(33)) } }),
    ("of zeros", { try $0.damage(DamageCase.page1) { $0 = $0.map { _ in 0 } } }),
    ("empty", { try $0.put([], at: DamageCase.page1) }),
    ("missing", { try $0.remove(DamageCase.page1) }),
    (
      "a folder",
      { bench in
        try bench.remove(DamageCase.page1)
        try bench.volume.makeDirectory(Bench.package.appending(DamageCase.page1), permissions: 0o755)
      }
    ),
    ("older", { try $0.write(page: 0) { $0.generation = 4 } }),
    ("of another page", { try $0.put($0.snapshots[2].encoded(), at: DamageCase.page1) }),
    ("with a lost header", { try $0.damage(DamageCase.page1) { for place in 0..<84 { $0[place] = 0x55 } } }),
    (
      "back with what was lost",
      { bench in
        try bench.edit { document in
          document.pages[0].losses = [DamageCase.loss(generation: 6)]
          document.pages[0].generation = 6
        }
      }
    ),
    (
      "with a pressure that is none",
      { bench in
        try bench.write(page: 0) { page in
          var stroke = Bench.stroke(1, samples: 3)
          stroke.samples[0].pressure = 5000
          page.elements[0] = .stroke(stroke)
        }
      }
    ),
    ("beside a newer one", { try $0.writeTemporary(page: 0) { $0.generation = 9 } }),
  ]

  @Test(arguments: raising) func noPageGetsANewVersionOverItsJournal(
    row: (name: String, damage: @Sendable (Bench) throws -> Void)
  ) throws {
    let bench = try Bench()
    try bench.putJournal(page: 0)
    let journal = try bench.bytes(DamageCase.journal1)
    try row.damage(bench)
    let before = try? bench.bytes(DamageCase.page1)
    let without = try Bench()
    try row.damage(without)
    #expect(without.repair().didChange, "\(row.name): the damage alone is repaired")
    let report = bench.repair()
    #expect(report.actions.allSatisfy { $0.step.path != DamageCase.page1 && $0.step.path != DamageCase.journal1 })
    #expect(try bench.bytes(DamageCase.journal1) == journal, "\(row.name)")
    #expect((try? bench.bytes(DamageCase.page1)) == before, "\(row.name)")
    let refused = report.left.filter { $0.details.contains(Sentences.pageWaitsForJournal) }
    #expect(!refused.isEmpty && refused.allSatisfy { $0.repairClass == .report && $0.action == nil }, "\(row.name)")
    #expect(try bench.readDocument().pages[0].losses == bench.document.pages[0].losses)
  }

  /// Nothing is known of a journal that iCloud keeps, or that lies behind a link: it may hold changes.
  @Test func aJournalThatIsNotHereKeepsThePageToo() throws {
    let bench = try Bench()
    try bench.damage(DamageCase.page1) { $0[200] ^= 1 }
    try bench.makeNode(DamageCase.journal1, kind: .symbolicLink)
    #expect(codes(bench.repair().left) == "LN1003 LN3001")
    try bench.remove(DamageCase.journal1)
    let mark = DamageCase.journal1.parent.appending(BytePath(".\(DamageCase.journal1.name).icloud"))
    try bench.put([1], at: mark)
    let absent = Fsck(volume: bench.volume, now: Bench.now, isAsIs: true).repair(Bench.package, mode: .all)
    #expect(absent.actions.allSatisfy { $0.step.path != DamageCase.page1 })
    #expect(absent.left.contains { $0.details.contains(Sentences.pageWaitsForJournal) })
    try bench.remove(mark)
    #expect(codes(bench.repair().left) == "LN9001")
  }

  @Test func whileItsJournalIsNotHereNoPageIsPutInItsPlace() throws {
    let bench = try Bench()
    try bench.writeTemporary(page: 0) { _ in }
    try bench.remove(DamageCase.page1)
    let mark = DamageCase.journal1.parent.appending(BytePath(".\(DamageCase.journal1.name).icloud"))
    try bench.put([1], at: mark)
    let absent = Fsck(volume: bench.volume, now: Bench.now, isAsIs: true).repair(Bench.package, mode: .all)
    #expect(absent.actions.allSatisfy { $0.step.path != DamageCase.page1 })
    #expect(absent.left.contains { $0.details.contains(Sentences.pageWaitsForJournal) })
  }

  @Test func aPageThatIsNotHereIsNotMissed() throws {
    let bench = try Bench()
    try bench.putJournal(page: 0)
    try bench.evict(DamageCase.page1)
    #expect(!bench.check().found.contains { $0.kind == .journalWithoutPage })
  }

  /// A FIFO holds no changes: a page does not wait for it.
  @Test func noPageWaitsForWhatIsNoFile() throws {
    let bench = try Bench()
    try bench.makeNode(DamageCase.journal1, kind: .fifo)
    try bench.damage(DamageCase.page1) { $0[200] ^= 1 }
    #expect(bench.check().found.contains { $0.kind == .pageDamaged && $0.action != nil })
  }

  /// The page tells the number that a journal's damaged beginning does not, though it is damaged itself.
  @Test func ofADamagedPageTheJournalsChangesAreCounted() throws {
    let bench = try Bench()
    try bench.putJournal(page: 0)
    try bench.damage(DamageCase.journal1) { $0[33] ^= 1 }
    try bench.damage(DamageCase.page1) { $0[200] ^= 1 }
    let found = try #require(bench.check().found.first { $0.kind == .journalHeaderDamaged })
    #expect(found.slots["kept"] == Sentences.changesReadable(2))
  }

  /// What was planned is done only where the journal still is what it was.
  @Test func onlyATailIsCut() throws {
    let bench = try Bench()
    try bench.putJournal(page: 0, strokes: [31, 32, 33])
    let whole = try bench.bytes(DamageCase.journal1)
    let end = 48 + Bench.journalStrokeBytes
    var hurt = whole
    hurt[end + 60] ^= 1
    #expect(RepairExecutor.cut(hurt, at: end) == nil)
    #expect(RepairExecutor.cut(Array(whole.prefix(end + 60)), at: end) == Array(whole.prefix(end)))
    #expect(RepairExecutor.cut(whole, at: whole.count) == whole)
  }

  /// Two pages have each other's names, and one has a journal: to move the other alone would leave no room for this one.
  @Test func noneOfTwoSwappedPagesIsMovedWhereOneMustNotBe() throws {
    let bench = try Bench()
    try bench.putJournal(page: 0, base: 6)
    try bench.put(bench.snapshots[1].encoded(), at: DamageCase.page1)
    try bench.put(bench.snapshots[0].encoded(), at: PackagePaths.page(Bench.pages[1]))
    let report = bench.repair()
    #expect(report.actions.isEmpty)
    let names = report.left.filter { $0.kind == .nameIdentityDiffers }
    #expect(names.count == 2 && names.allSatisfy { $0.details.contains(Sentences.pageWaitsForJournal) })
  }

  /// A journal that was begun on a version that is lost holds nothing; still no other version gets its number.
  @Test func aNewVersionIsAboveThatOfEachJournal() throws {
    let bench = try Bench()
    try bench.putJournal(page: 0, base: 6, strokes: [])
    try bench.damage(DamageCase.page1) { $0[200] ^= 1 }
    #expect(codes(bench.repair().left) == "LN9001")
    #expect(try bench.page(0).generation == 7)
  }

  /// What is no version of the page gives way to the one that the journal is of, from a folder that the user names.
  @Test func theJournalsOwnPageIsFetched() throws {
    let bench = try Bench()
    try bench.putJournal(page: 0)
    try bench.remove(DamageCase.page1)
    let (newer, sound) = (try Bench(), try Bench())
    try newer.write(page: 0) { $0.generation = 6 }
    #expect(codes(LookInTests.fsck(bench, [newer]).repair(Bench.package, mode: .all).left) == "LN2005 LN6007")
    #expect(codes(LookInTests.fsck(bench, [sound]).repair(Bench.package, mode: .all).left) == "LN6008")
    #expect(try bench.page(0) == bench.snapshots[0])
  }

  /// A journal that was merged stays while it may hold what the page has lost.
  @Test func aMergedJournalStaysBesideALoss() throws {
    let bench = try Bench()
    try bench.putJournal(page: 0, base: 4)
    try bench.damage(DamageCase.page1) { $0[200] ^= 1 }
    let report = bench.repair()
    #expect(codes(report.left) == "LN6005 LN9001")
    #expect(report.left.first { $0.kind == .staleJournal }?.details == [Sentences.staleJournalStays])
    #expect((try? bench.bytes(DamageCase.journal1)) != nil)
  }

  /// Safe fixes leave alone what may have been saved.
  @Test func aChangeThatMayHaveBeenSavedIsCutByYesOnly() throws {
    let bench = try Bench()
    try bench.putJournal(page: 0)
    let whole = try bench.bytes(DamageCase.journal1)
    try bench.put(whole.dropLast(3) + [1, 2, 3], at: DamageCase.journal1)
    #expect(codes(bench.check().found) == "LN6001")
    let damaged = try bench.bytes(DamageCase.journal1)
    #expect(bench.repair(.automatic).actions.isEmpty)
    #expect(try bench.bytes(DamageCase.journal1) == damaged)
    #expect(bench.check().found.map(\.severity) == [.warning])
    #expect(bench.repair().actions.map(\.step.description).count == 1)
    #expect(try bench.bytes(DamageCase.journal1) == Array(whole.dropLast(Bench.journalStrokeBytes)))
    _ = Bench.Again(bench).undo()
    #expect(try bench.bytes(DamageCase.journal1) == damaged)
    // A sector that is lost is what a crash leaves.
    let tail = [UInt8](repeating: 0, count: 9 + 8 + 32 + 16 * 60)
    var long = JournalBytes(onPage: try bench.bytes(DamageCase.page1))
    long.append(type: 1, Bench.payload(.stroke(Bench.stroke(60, samples: 60))))
    try bench.put(Array(long.bytes.prefix(512)) + Array(tail.prefix(long.bytes.count - 512)), at: DamageCase.journal1)
    #expect(bench.repair(.automatic).actions.count == 1)
    #expect(try bench.bytes(DamageCase.journal1).count == 48)
  }

  static let quick: [(found: String, put: @Sendable (Bench) throws -> Void)] = [
    ("", { try $0.putJournal(page: 0, strokes: []) }), ("LN6008", { try $0.putJournal(page: 0) }),
    ("LN6005", { try $0.putJournal(page: 0, base: 4) }), ("LN6006", { try $0.putJournal(page: 0, base: 6) }),
    ("LN6011", { try $0.putJournal(page: 0, base: 5) }), ("LN6001", { try $0.put([1], at: DamageCase.journal1) }),
    ("LN6004", { try $0.put(Array(repeating: 0, count: 48), at: DamageCase.journal1) }),
    ("LN6004", { try $0.put(Array(repeating: 0, count: 49), at: DamageCase.journal1) }),
    ("LN6010", { try $0.put(Array(repeating: 7, count: 49), at: DamageCase.journal1) }),
  ]

  @Test(arguments: quick) func aQuickLookReadsTheBeginningOnly(
    row: (found: String, put: @Sendable (Bench) throws -> Void)
  ) throws {
    let bench = try Bench()
    try row.put(bench)
    let report = LevelTests.check(bench, .quick)
    #expect(codes(report.found) == row.found)
    #expect(report.found.allSatisfy { $0.action == nil })
  }
}
