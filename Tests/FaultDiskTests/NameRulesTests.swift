import FileTracing
import Files
import TestSupport
import Testing

@testable import FaultDisk

/// Names that are compared by more than their bytes.
@Suite struct NameRulesTests {
  private static let both: NameRules = [.caseInsensitive, .normalising]

  /// Two names, and the rules under which they are one.
  static let pairs: [(one: BytePath, other: BytePath, rules: [NameRules])] = [
    ("Page", "page", [.caseInsensitive, both]),
    ("PAGE.tmp", "page.TMP", [.caseInsensitive, both]),
    ("pagé", "pag\u{65}\u{301}", [.normalising, both]),
    ("PAGÉ", "page\u{301}", [both]),
    ("É", "é", [.caseInsensitive, both]),
    ("\u{1E69}", "s\u{307}\u{323}", [.normalising, both]),
    ("STRASSE", "straße", [.caseInsensitive, both]),
    ("straẞe", "straße", [.caseInsensitive, both]),
    ("ΣΊΣΥΦΟΣ", "σίσυφος", [.caseInsensitive, both]),
    ("ﬁle", "FILE", [.caseInsensitive, both]),
    ("\u{212A}", "K", [.caseInsensitive, .normalising, both]),
    ("\u{212A}", "k", [.caseInsensitive, both]),
    ("ı", "I", []),
    ("ı", "i", []),
    ("page", "pages", []),
    ("file", "fil\u{65}\u{301}", []),
    // Compatible, but not canonically equivalent.
    ("①", "1", []),
    // Not UTF-8: by bytes, whatever their letters.
    (BytePath(bytes: [0x41, 0xFF]), BytePath(bytes: [0x61, 0xFF]), []),
    (BytePath(bytes: [0x41, 0xFF]), BytePath(bytes: [0x41, 0xFF]), [[], .caseInsensitive, .normalising, both]),
  ]

  @Test(arguments: pairs.indices) func oneNameOrTwo(row: Int) throws {
    let (one, other, rules) = NameRulesTests.pairs[row]
    for tried in [[], .caseInsensitive, .normalising, NameRulesTests.both] as [NameRules] {
      let volume = FaultDisk(DiskConfiguration(names: tried)).volume()
      try volume.make(one, text: "one")
      let isOne = errno { _ = try volume.open(other, for: .creating(permissions: 0o600)) } == .eexist
      #expect(isOne == rules.contains(tried), "\(one) and \(other) under '\(tried.text)'")
      #expect(try volume.bytes(of: other) == (isOne ? Array("one".utf8) : []))
      // The spelling is that of who made it.
      #expect(try volume.entries(of: .root, countMax: 2).map(\.name) == (isOne ? [one] : [one, other].sorted()))
    }
  }

  @Test func wordsAndBack() throws {
    for rules in [.caseInsensitive, .normalising, NameRulesTests.both] as [NameRules] {
      #expect(try NameRules(text: rules.text) == rules)
    }
    #expect(try NameRules(text: "normalising,case-insensitive") == NameRulesTests.both)
    for (text, word) in [("upper", "upper"), ("", ""), ("normalising,", "")] {
      #expect(throws: NameRules.UnknownWord(word: word)) { try NameRules(text: text) }
    }
    #expect(
      "\(NameRules.UnknownWord(word: "upper"))"
        == "'upper' is no rule for names; write case-insensitive or normalising, or both with a comma between them")
  }

  /// What each call makes of a disk with the file "Page" ("old"), the file "other" ("new") and the directory "Dir".
  static let calls: [(call: @Sendable (any Volume) throws -> Void, tree: [String: String])] = [
    ({ try $0.unlink("PAGE") }, ["Dir/": "", "other": "new"]),
    ({ try $0.removeDirectory("dIR") }, ["Page": "old", "other": "new"]),
    ({ try $0.rename("page", to: "PAGE") }, ["Dir/": "", "PAGE": "old", "other": "new"]),
    ({ try $0.renameKeeping("page", to: "PAGE") }, ["Dir/": "", "PAGE": "old", "other": "new"]),
    ({ try $0.rename("DIR", to: "dir") }, ["dir/": "", "Page": "old", "other": "new"]),
    ({ try $0.rename("PAGE", to: "Page") }, ["Dir/": "", "Page": "old", "other": "new"]),
    ({ try $0.rename("OTHER", to: "page") }, ["Dir/": "", "page": "new"]),
    ({ try $0.rename("page", to: "dir/Page") }, ["Dir/": "", "Dir/Page": "old", "other": "new"]),
    ({ try $0.link("page", to: "second") }, ["Dir/": "", "Page": "old", "other": "new", "second": "old"]),
    ({ try $0.make("DIR/x", text: "x") }, ["Dir/": "", "Dir/x": "x", "Page": "old", "other": "new"]),
    ({ try $0.replace("PAGE", with: Array("over".utf8)) }, ["Dir/": "", "Page": "over", "other": "new"]),
  ]

  private static func disk() throws -> FaultDisk {
    let disk = FaultDisk(DiskConfiguration(names: both))
    try disk.volume().make("Page", text: "old")
    try disk.volume().make("other", text: "new")
    try disk.volume().makeDirectory("Dir", permissions: 0o700)
    disk.beginRecording()
    return disk
  }

  @Test(arguments: calls.indices) func callsFindTheNameInEverySpelling(row: Int) throws {
    let disk = try NameRulesTests.disk()
    let before = try shown(disk.volume())
    let sink = CollectingSink()
    disk.withEngine { $0.beginLog(to: sink) }
    try NameRulesTests.calls[row].call(disk.volume())
    let tree = NameRulesTests.calls[row].tree
    #expect(try shown(disk.volume()) == tree)
    let (header, operations) = try ReplayTests.read(sink.bytes)
    #expect(header.text("names") == "case-insensitive,normalising")
    #expect(try shown(ReplayTests.replay(header, operations).volume()) == tree)
    // Old and new spelling are a change like any other: durable with the fsync of the directory.
    #expect(try shown(ReplayTests.replay(header, operations).restarted(.keepAll)) == tree)
    let lost = try shown(ReplayTests.replay(header, operations).restarted(.keepNone)).keys.sorted()
    #expect(lost == before.keys.sorted())
    try disk.volume().synchronize(path: .root, isDirectory: true)
    let kept = try shown(disk.restarted(.keepNone)).keys.sorted()
    #expect(kept == tree.keys.filter { !$0.hasPrefix("Dir/") || $0 == "Dir/" }.sorted())
  }

  static let refusals: [(call: @Sendable (any Volume) throws -> Void, errno: Errno)] = [
    ({ try $0.make("PAGE") }, .eexist), ({ try $0.makeDirectory("page", permissions: 0o700) }, .eexist),
    ({ try $0.link("other", to: "PAGE") }, .eexist), ({ try $0.renameKeeping("other", to: "PAGE") }, .eexist),
    ({ try $0.makeSymbolicLink("dir", to: "x") }, .eexist), ({ try $0.rename("other", to: "DIR") }, .eisdir),
    ({ try $0.rename("dir", to: "DIR/x") }, .einval), ({ try $0.unlink("pages") }, .enoent),
  ]

  @Test(arguments: refusals.indices) func whatIsTakenIsTakenInEverySpelling(row: Int) throws {
    let disk = try NameRulesTests.disk()
    let before = try shown(disk.volume())
    #expect(errno { try NameRulesTests.refusals[row].call(disk.volume()) } == NameRulesTests.refusals[row].errno)
    #expect(try shown(disk.volume()) == before)
  }

  /// A name whose removal was lost cannot come back beside another spelling of it.
  @Test func noPowerCutMakesTwoOfOneName() throws {
    for drops in [true, false] {
      let disk = try NameRulesTests.disk()
      let volume = disk.volume()
      try volume.unlink("page")
      if drops {
        try disk.arm(FaultRule(.fsyncFail(.drop), on: [.fsync], nth: 1))
        #expect(errno { try volume.synchronize(path: .root, isDirectory: true) } == .eio)
      }
      try volume.make("PAGE", text: "x")
      try volume.synchronize(path: .root, isDirectory: true)
      #expect(try shown(disk.restarted(.keepNone)).keys.sorted() == ["Dir/", "PAGE", "other"])
    }
  }

  @Test func everyTornRenameLeavesOneOfEachName() throws {
    for way in TornRename.all {
      for survivors in [SurvivingState.keepAll, .keepNone] {
        let disk = try NameRulesTests.disk()
        try disk.arm(FaultRule(.tornRename(way), on: [.rename]))
        do { try disk.volume().rename("OTHER", to: "PAGE") } catch {}
        let names = try shown(disk.restarted(survivors)).keys.map { $0.lowercased() }
        #expect(Set(names).count == names.count, "\(way), \(survivors): \(names)")
      }
    }
  }

  @Test func onlyUnknownWordsStopAReplay() throws {
    var header = OperationLogHeader()
    header.set("names", to: "normalising")
    _ = try DiskReplay(header, uses: InodeUses())
    header.set("names", to: "upper")
    #expect(throws: ReplayError.self) { try DiskReplay(header, uses: InodeUses()) }
  }

  /// Every call in a spelling drawn by chance answers as the same call on a disk that has one spelling only.
  @Test(arguments: 1...8 as ClosedRange<UInt64>) func answersAsADiskWithOneSpelling(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let exact = FaultDisk(DiskConfiguration(seed: seed))
    let folding = FaultDisk(DiskConfiguration(seed: seed, names: NameRulesTests.both))
    let sink = CollectingSink()
    folding.beginRecording()
    folding.withEngine { $0.beginLog(to: sink) }
    for _ in 0..<1500 {
      let call = Int.random(in: 0..<9, using: &generator)
      let paths = (0..<2).map { _ in Self.names[Int.random(in: 0..<Self.names.count, using: &generator)] }
      let spelled = paths.map { Self.respelled($0, &generator) }
      // To another spelling is no rename onto itself.
      if call == 6 && paths[0] == paths[1] { continue }
      let expected = Self.answer(call, paths[0], paths[1], exact.volume())
      #expect(Self.answer(call, spelled[0], spelled[1], folding.volume()) == expected, "\(call) \(spelled)")
    }
    func folded(_ disk: FaultDisk) throws -> [String: String] {
      Dictionary(uniqueKeysWithValues: try shown(disk.volume()).map { (NameRules.folded($0.key), $0.value) })
    }
    #expect(try folded(folding) == folded(exact))
    let (header, operations) = try ReplayTests.read(sink.bytes)
    let replayed = try ReplayTests.replay(header, operations)
    #expect(try shown(replayed.volume()) == shown(folding.volume()))
    for disk in [exact, folding, replayed] {
      disk.powerCut(.keepNone)
      disk.restart()
    }
    #expect(try folded(folding) == folded(exact))
    #expect(try shown(replayed.volume()) == shown(folding.volume()))
  }

  private static let names: [BytePath] = ["a", "b", "é", "a/a", "a/é", "b/a", "b/a/b"]

  private static func respelled(_ path: BytePath, _ generator: inout SeededGenerator) -> BytePath {
    var text = ""
    for character in path.description {
      let upper = Bool.random(using: &generator) ? character.uppercased() : String(character)
      let isApart = Bool.random(using: &generator)
      text += isApart ? upper.replacing("é", with: "e\u{301}").replacing("É", with: "E\u{301}") : upper
    }
    return BytePath(text)
  }

  private static func answer(_ call: Int, _ path: BytePath, _ other: BytePath, _ volume: any Volume) -> Errno? {
    errno {
      switch call {
      case 0, 1: try volume.close(volume.open(path, for: .creating(permissions: 0o600)))
      case 2: try volume.makeDirectory(path, permissions: 0o700)
      case 3: try volume.unlink(path)
      case 4: try volume.removeDirectory(path)
      case 5: try volume.rename(path, to: other)
      case 6: try volume.renameKeeping(path, to: other)
      case 7: try volume.link(path, to: other)
      default: try volume.synchronize(path: path.parent, isDirectory: true)
      }
    }
  }
}

extension FaultDisk {
  /// Its volume after a power cut and a restart.
  fileprivate func restarted(_ survivors: SurvivingState) -> FaultVolume {
    powerCut(survivors)
    restart()
    return volume()
  }
}
