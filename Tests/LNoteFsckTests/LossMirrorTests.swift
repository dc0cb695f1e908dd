import FaultDisk
import Files
import LNoteFormat
import TestSupport
import Testing

@testable import LNoteFsck

/// A loss that is known stays known when `document.json` is lost after it, by the manifest and by what was set aside.
@Suite struct LossMirrorTests {
  typealias Damage = @Sendable (Bench) throws -> Void

  static let kills: [(name: String, kill: Damage)] = [
    ("removed", { try $0.remove(DamageCase.document) }), ("emptied", { try $0.put([], at: DamageCase.document) }),
    ("zeroed", { try $0.damage(DamageCase.document) { $0 = Array(repeating: 0, count: $0.count) } }),
    ("cut near its beginning", { try $0.damage(DamageCase.document) { $0 = Array($0.prefix(40)) } }),
    ("cut in its pages", { try $0.damage(DamageCase.document) { $0 = Array($0.prefix($0.count * 3 / 4)) } }),
    ("a byte is wrong", { try $0.damage(DamageCase.document) { $0[$0.count / 2] = 0x01 } }),
    ("a bit is wrong in its title", { try $0.damage(DamageCase.document) { $0.flip("Physics") } }),
  ]

  /// Page 1 has lost a stroke, and the image on page 2 is gone.
  static func losing() throws -> Bench {
    let bench = try Bench()
    try bench.damage(DamageCase.page1) { $0[200] ^= 1 }
    try bench.remove(DamageCase.picture)
    #expect(bench.repair().exit.rawValue == 5)
    return bench
  }

  static func told(_ problems: [Problem]) -> [Severity] {
    problems.filter { $0.kind == .knownLoss }.map(\.severity).sorted()
  }

  static func losses(_ bench: Bench) throws -> [MirroredLoss] {
    try bench.readDocument().mirroredLosses.sorted { "\($0)" < "\($1)" }
  }

  @Test(arguments: kills.indices) func aLossOutlivesItsDocument(_ place: Int) throws {
    let (name, kill) = Self.kills[place]
    let bench = try Self.losing()
    let before = try Self.losses(bench)
    #expect(before.count == 2)
    let count = try bench.readDocument().pages[0].elementCount
    try kill(bench)
    #expect(Self.told(bench.check().found) == [.error, .error], "\(name)")
    #expect(bench.repair().exit.rawValue == 5, "\(name)")
    #expect(try Self.losses(bench) == before, "\(name)")
    let after = try bench.readDocument()
    #expect(after.pages[0].id == Bench.pages[0] && after.pages[0].elementCount == count, "\(name)")
    #expect(codes(bench.check().found) == "LN9001 LN9001", "\(name)")
    #expect(bench.repair().actions.isEmpty, "\(name)")
  }

  @Test(arguments: kills.indices) func anAcceptedLossStaysAccepted(_ place: Int) throws {
    let (name, kill) = Self.kills[place]
    let bench = try Self.losing()
    _ = AcceptanceTests.accept(.all, bench)
    let before = try Self.losses(bench)
    try kill(bench)
    #expect(Self.told(bench.check().found) == [.info, .info], "\(name)")
    #expect(bench.repair().exit.rawValue == 1, "\(name)")
    #expect(try Self.losses(bench) == before, "\(name)")
    #expect(try bench.readDocument().pages[0].elementCount == 2, "\(name)")
    #expect(bench.check().exit == [], "\(name)")
  }

  @Test func anAcceptanceThatReachedTheDocumentOnlyIsNotTakenBack() throws {
    let bench = try Self.losing()
    let manifest = try bench.bytes(DamageCase.manifest)
    _ = AcceptanceTests.accept(.all, bench)
    try bench.put(manifest, at: DamageCase.manifest)
    #expect(codes(bench.check().found) == "LN5003 LN9001 LN9001")
    try bench.damage(DamageCase.document) { $0.flip("Physics") }
    #expect(bench.repair().exit.rawValue == 1)
    #expect(try Self.losses(bench).allSatisfy { $0.loss.isAccepted })
  }

  @Test func whatWasDrawnSinceKeepsTheLoss() throws {
    let bench = try Self.losing()
    var page = try bench.page(0)
    page.generation += 1
    page.elements += (50..<60).map { .stroke(Bench.stroke($0, samples: 2)) }
    try bench.put(page.encoded(), at: PackagePaths.page(page.id))
    _ = bench.repair()
    let before = try Self.losses(bench)
    try bench.remove(DamageCase.document)
    #expect(bench.repair().exit.rawValue == 5)
    #expect(try Self.losses(bench) == before)
    #expect(try bench.readDocument().pages[0].elementCount == UInt64(page.elements.count))
    #expect(codes(bench.check().found) == "LN9001 LN9001")
  }

  @Test func aLossThatIsHealedStaysHealed() throws {
    let bench = try Bench()
    let whole = try bench.bytes(DamageCase.page1)
    try bench.damage(DamageCase.page1) { $0 = Array($0.prefix(200)) }
    _ = bench.repair()
    try bench.put(whole, at: DamageCase.page1)
    _ = bench.repair()
    #expect(ManifestRecord.read(try bench.bytes(DamageCase.manifest)).record?.losses == [])
    // What was set aside last still has the loss; the manifest knows better.
    try bench.remove(DamageCase.document)
    #expect(codes(bench.check().found) == "LN2001")
    #expect(bench.repair().exit.rawValue == 1)
    #expect(codes(bench.check().found) == "")
  }

  @Test func anOlderDocumentHidesNoLaterLoss() throws {
    let bench = try Bench()
    let older = try bench.bytes(DamageCase.document)
    try bench.damage(DamageCase.page1) { $0[200] ^= 1 }
    _ = bench.repair()
    let loss = try Self.losses(bench)
    try bench.put(older, at: DamageCase.document)
    #expect(codes(bench.check().found).contains("LN9001"))
    #expect(bench.repair().exit.rawValue == 5)
    let after = try Self.losses(bench)
    #expect(after.count == 2 && after.contains(loss[0]))
    #expect(codes(bench.check().found) == "LN9001 LN9001")
    #expect(bench.repair().actions.isEmpty)
  }

  // MARK: What was set aside

  /// Two repairs: the second one set aside the document that tells of the loss of page 1, and an order of pages that
  /// nothing else tells.
  static func settingAside() throws -> Bench {
    let bench = try Bench()
    try bench.edit { $0.pages.reverse() }
    try bench.damage(DamageCase.page1) { $0[200] ^= 1 }
    _ = bench.repair()
    try bench.remove(DamageCase.page2)
    _ = bench.repair()
    return bench
  }

  @Test func whatWasSetAsideTellsWhereTheManifestIsLostToo() throws {
    let bench = try Self.settingAside()
    let before = try bench.readDocument()
    try bench.remove(DamageCase.document)
    try bench.remove(DamageCase.manifest)
    #expect(Self.told(bench.check().found).contains(.error))
    #expect(bench.repair().exit.rawValue == 5)
    let after = try bench.readDocument()
    #expect(after.pages.map(\.id) == before.pages.map(\.id))
    #expect(after.pages[2].losses == before.pages[2].losses && !after.pages[2].losses.isEmpty)
    #expect(after.generation > before.generation && after.created == before.created)
    #expect(bench.repair().actions.isEmpty)
  }

  @Test func theOrderOfPagesComesFromWhatWasSetAside() throws {
    let bench = try Self.settingAside()
    let before = try bench.readDocument()
    try bench.remove(DamageCase.document)
    _ = bench.repair()
    let after = try bench.readDocument()
    #expect(after.pages.map(\.id) == before.pages.map(\.id))
    #expect(after.mirroredLosses == before.mirroredLosses)
    #expect(bench.repair().actions.isEmpty)
  }

  @Test func aPageThatWasDeletedSinceIsNotCalledMissing() throws {
    let bench = try Self.settingAside()
    var document = try bench.readDocument()
    let gone = document.pages.remove(at: 0)
    document.generation += 1
    let manifest = try #require(ManifestRecord.read(try bench.bytes(DamageCase.manifest)).record)
    try bench.put(ManifestRecord(mirroring: document, after: manifest).encoded(), at: DamageCase.manifest)
    try bench.remove(PackagePaths.page(gone.id))
    try bench.remove(DamageCase.document)
    _ = bench.repair()
    let after = try bench.readDocument()
    #expect(after.pages.map(\.id) == document.pages.map(\.id))
    #expect(after.mirroredLosses == document.mirroredLosses)
  }

  @Test func onlyTheDocumentsOwnFolderIsAsked() throws {
    let bench = try Self.settingAside()
    let parent = SetAsidePlace(beside: Bench.package, in: bench.volume).parent
    try bench.remove(DamageCase.document)
    try bench.remove(DamageCase.manifest)
    // A document of another identity, one that is damaged, and a link are none.
    let latest = parent.appending("20271130T140212Z")
    try bench.volume.makeDirectories(latest)
    var other = bench.document
    other.id = Bench.free
    other.generation = 99
    try bench.volume.make(latest.appending(PackagePaths.document), other.encoded())
    try bench.volume.make(latest.appending("document.json.2"), Array(bench.document.encoded().dropLast(9)))
    try bench.makeNode(besides: parent.appending("20281130T140212Z"), kind: .symbolicLink)
    _ = bench.repair()
    let after = try bench.readDocument()
    #expect(after.pages.map(\.id) == Bench.pages.reversed() && after.generation < 99)
  }

  @Test func aManifestThatTellsOtherLossesIsNotUpToDate() throws {
    let bench = try Self.losing()
    #expect(codes(bench.check().found) == "LN9001 LN9001")
    for change: (inout [MirroredLoss]) -> Void in [
      { $0 = [] }, { $0.removeLast() }, { $0[0].loss.isAccepted = true }, { $0[1].page = Bench.pages[2] },
    ] {
      var manifest = try #require(ManifestRecord.read(try bench.bytes(DamageCase.manifest)).record)
      var losses = try #require(manifest.losses)
      change(&losses)
      manifest.losses = losses
      try bench.put(manifest.encoded(), at: DamageCase.manifest)
      let stale = try #require(bench.check().found.first { $0.kind == .manifestStale })
      #expect(stale.message.contains("it tells of other losses"))
      #expect(bench.repair(.automatic).exit.rawValue == 5)
      #expect(codes(bench.check().found) == "LN9001 LN9001")
    }
  }
}

extension [UInt8] {
  /// Changes a bit of the first byte of this text.
  fileprivate mutating func flip(_ text: String) {
    if let place = indices.first(where: { self[$0...].starts(with: text.utf8) }) { self[place] ^= 1 }
  }
}
