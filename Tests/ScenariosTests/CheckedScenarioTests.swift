import FileTracing
import Files
import Testing

@testable import Scenarios

/// What the harness gets to run.
@Suite struct CheckedScenarioTests {
  static let trip = FixedID(derivedFrom: "document/trip")
  static let page1 = FixedID(derivedFrom: "page/trip/p1")
  static let page3 = FixedID(derivedFrom: "page/trip/p3")
  static let photo = FixedID(derivedFrom: "asset/photo")

  @Test func identitiesNeverChange() {
    // Counterexamples of old runs name files by these.
    #expect("\(Self.trip)" == "B0867AFE-D597-8063-8D0A-46028B0B117B")
    #expect("\(Self.page1)" == "DED823D8-BC98-851C-94E2-0EDEC4C24D3A")
    #expect("\(FixedID(derivedFrom: ""))" == "EFD01F60-BA99-8926-83B9-706CDA130DD2")
  }

  @Test func settingsHaveDefaults() throws {
    let scenario = try #require(ScenarioTexts.reading(ScenarioTexts.withSteps("")).scenario)
    #expect(scenario.title == "test")
    #expect(scenario.settings == ScenarioSettings())
    let given = ScenarioTexts.withSteps(
      "autosave 2s; seed 18_446; durability none, full; tags a, b; issue \"#1\"; mutant retry-fsync; model posix-weakest; "
        + "thumbnails on"
    )
    var settings = ScenarioSettings()
    settings.autosaveMilliseconds = 2000
    settings.seed = 18446
    settings.durabilities = [.none, .full]
    settings.tags = ["a", "b"]
    settings.issue = "#1"
    settings.mutant = "retry-fsync"
    settings.models = ["posix-weakest"]
    settings.drawsThumbnails = true
    #expect(ScenarioTexts.reading(given).scenario?.settings == settings)
    let off = ScenarioTexts.withSteps("thumbnails on; thumbnails off")
    #expect(ScenarioTexts.reading(off).scenario?.settings == ScenarioSettings())
  }

  /// The picture of a page that is there, or comes later; the steps name it as it was written.
  @Test func aThumbnailIsThatOfItsPage() throws {
    let steps = try ScenarioTexts.steps("thumbnails on\nfault EIO on write of thumbnail p3\nadd page p3\nclose")
    guard case .arm(let rule) = steps[0].action else { return #expect(Bool(false)) }
    let files = ["\(Self.page3).jpg", ".\(Self.page3).jpg.*.tmp"].map { "\(Self.trip).lnote/thumbnails/\($0)" }
    #expect(rule.target?.patterns == files.map { NamePattern(BytePath($0)) })
    #expect(steps[0].description == "fault EIO on write of thumbnail p3")
  }

  @Test func documentsAreResolved() throws {
    let text = "scenario v1 \"t\"\ndocument \"Field notes\" { page p1 768x1024 strokes 40 points 80 images 2; page p2 }"
    let document = try #require(ScenarioTexts.reading(text).scenario?.documents.first)
    #expect(document.name == "field-notes")
    #expect(document.title == "Field notes")
    #expect(document.pages.map(\.reference.spelling) == ["p1", "p2"])
    #expect(document.pages[0].widthDeciPoints == 7680)
    #expect(document.pages[0].heightDeciPoints == 10240)
    #expect(document.pages.map(\.strokes) == [40, 0])
    #expect(document.pages.map(\.pointsPerStroke) == [80, 50])
    #expect(document.pages.map(\.images) == [2, 0])
  }

  @Test func severalDocumentsSpellTheirPages() throws {
    let text = "scenario v1 \"t\"\ndocument \"A\" { page p1 }\ndocument \"B\" as other { page p1 }\nstroke other.p1\n"
    let scenario = try #require(ScenarioTexts.reading(text).scenario)
    #expect(scenario.documents.flatMap(\.pages).map(\.reference.spelling) == ["a.p1", "other.p1"])
    guard case .stroke(let stroke) = scenario.steps[0].action else { return #expect(Bool(false)) }
    #expect(stroke.stroke.page == scenario.documents[1].pages[0].reference)
  }

  // MARK: Faults

  /// A fault and the rule it becomes.
  static let rules: [(fault: String, rule: FaultRule)] = [
    (
      "a = EIO on write of page p1 nth 2",
      FaultRule(
        name: "a", effect: .errno(Errno(name: "EIO")!), operations: [.write],
        target: files("pages/\(page1).content", "pages/.\(page1).content.*.tmp", spelling: "page p1"),
        occurrence: FaultOccurrence(nth: 2), phase: .before)
    ),
    (
      "a = torn-rename target-prefix 4KiB on rename to document",
      FaultRule(
        name: "a", effect: .tornRename(.targetPrefix(bytes: 4096)), operations: [.rename],
        target: files("document.json", ".document.json.*.tmp", side: .to, spelling: "document"), phase: .during)
    ),
    (
      "a = short-write 512B on write of image photo every 3 times 2",
      FaultRule(
        name: "a", effect: .shortWrite(bytesMax: 512), operations: [.write],
        target: files("assets/\(photo).jpg", "assets/.\(photo).jpg.*.tmp", spelling: "image photo"),
        occurrence: FaultOccurrence(every: 3, times: 2), phase: .during)
    ),
    (
      "a = power-cut on fsync or rename of page p3 before",
      FaultRule(
        name: "a", effect: .powerCut(.keepNone), operations: [.fsync, .rename],
        target: files("pages/\(page3).content", "pages/.\(page3).content.*.tmp", spelling: "page p3"), phase: .before)
    ),
    (
      "a = power-cut keep-all on any after-bytes 1KiB",
      FaultRule(
        name: "a", effect: .powerCut(.keepAll), operations: [], occurrence: FaultOccurrence(afterBytes: 1024),
        phase: .after)
    ),
    (
      "a = kill on unlink of \"assets/*\"",
      FaultRule(
        name: "a", effect: .kill, operations: [.unlink], target: files("assets/*", spelling: "\"assets/*\""),
        phase: .after)
    ),
    (
      "a = ENOSPC on create of manifest after",
      FaultRule(
        name: "a", effect: .errno(Errno(name: "ENOSPC")!), operations: [.create],
        target: files("manifest.json", ".manifest.json.*.tmp", spelling: "manifest"), phase: .after)
    ),
  ]

  static func files(_ names: String..., side: FaultTarget.Side = .either, spelling: String) -> FaultTarget {
    FaultTarget(patterns: names.map { NamePattern(BytePath("\(trip).lnote/\($0)")) }, side: side, spelling: spelling)
  }

  @Test(arguments: rules) func becomesARule(fault: String, rule: FaultRule) throws {
    // The page and the image come later: a fault may name them all the same.
    let steps = try ScenarioTexts.steps("fault \(fault)\nadd page p3\ninsert-image p1 as photo")
    guard case .arm(let armed) = steps[0].action else { return #expect(Bool(false)) }
    #expect(armed == rule)
    #expect(
      steps[0].description == "fault \(fault)".replacing(" before", with: "").replacing(" after", with: "")
        || fault.contains("after-bytes"))
    let optional = try ScenarioTexts.steps("maybe fault \(fault)\nadd page p3\ninsert-image p1 as photo")
    guard case .arm(let maybe) = optional[0].action else { return #expect(Bool(false)) }
    #expect(maybe.isOptional)
  }

  @Test func aNameStandsForAllItsImages() throws {
    let steps = try ScenarioTexts.steps(
      "repeat 2 { insert-image p1 as photo }\nfault a = EIO on write of image photo\nclose")
    guard case .arm(let rule) = steps[2].action else { return #expect(Bool(false)) }
    #expect(rule.target?.patterns.count == 4)
    guard case .insertImage(let first) = steps[0].action, case .insertImage(let second) = steps[1].action else {
      return #expect(Bool(false))
    }
    #expect(first.image.asset == Self.photo)
    #expect(second.image.asset == FixedID(derivedFrom: "asset/photo/2"))
    #expect(first.image.element != second.image.element)
    #expect(first.sizeBytes == 256 << 10)
  }

  @Test func cutBlocksAreArmedConditions() throws {
    let steps = try ScenarioTexts.steps(
      "power-cut on rename of page p1 before {\n insert-image p1 size 2MiB as photo\n background\n}\nreopen")
    #expect(steps.map(\.description) == ["power-cut on rename of page p1", "reopen"])
    guard case .armed(let conditions, let inner) = steps[0].action, case .fault(let rule) = conditions[0] else {
      return #expect(Bool(false))
    }
    #expect(conditions.count == 1)
    #expect(rule.effect == .powerCut(.keepNone))
    #expect(rule.phase == .before)
    #expect(inner.map(\.description) == ["insert-image p1 size 2MiB as photo", "background"])
    #expect(inner.map(\.place.line) == [4, 5])
  }

  @Test func withArmsAllItsConditions() throws {
    let steps = try ScenarioTexts.steps(
      "with EIO on write and maybe fault kill on fsync and free-space 16KiB { background }")
    guard case .armed(let conditions, _) = steps[0].action else { return #expect(Bool(false)) }
    #expect(conditions.count == 3)
    #expect(conditions[2] == .freeSpace(16 << 10))
    guard case .fault(let first) = conditions[0], case .fault(let second) = conditions[1] else {
      return #expect(Bool(false))
    }
    #expect(first.name != second.name)
    #expect([first.isOptional, second.isOptional] == [false, true])
  }

  @Test func sweepsHaveARuleForEachWay() throws {
    let steps = try ScenarioTexts.steps(
      "for each torn-rename of document in { background }\ncheck { reopen; expect p1 equals latest }")
    guard case .tornRenames(let sweep) = steps[0].action else { return #expect(Bool(false)) }
    #expect(sweep.rules.map(\.effect) == TornRename.all.map { .tornRename($0) })
    #expect(sweep.rules.allSatisfy { $0.occurrence.nth == 1 && $0.operations == [.rename] && $0.phase == .during })
    #expect(Set(sweep.rules.map(\.name)).count == 10)
    #expect(sweep.leftOut == 0)
    #expect(steps[0].description == "for each torn-rename of document")
    let few = try ScenarioTexts.steps("for each torn-rename at-most 3 in { background } check { }")
    guard case .tornRenames(let bounded) = few[0].action else { return #expect(Bool(false)) }
    #expect(bounded.rules.count == 3)
    #expect(bounded.leftOut == 7)
  }

  @Test func crashesAndFailuresHaveTheirParts() throws {
    let steps = try ScenarioTexts.steps(
      """
      for each crash at-most 400 in { stroke p1; background } check { reopen; expect p1 at-least last-durable }
      for each failure ENOSPC on write or create of page p1 after in { background } check { expect p1 equals latest }
      for each failure EIO in { close } check { reopen }
      """)
    guard case .crashes(let crashes) = steps[0].action, case .failures(let failures) = steps[1].action,
      case .failures(let any) = steps[2].action
    else { return #expect(Bool(false)) }
    #expect(crashes.atMost == 400)
    #expect([crashes.steps.count, crashes.check.count] == [2, 2])
    #expect(failures.rule.effect == .errno(.enospc))
    #expect(failures.rule.operations == [.write, .create])
    #expect(failures.rule.phase == .after)
    #expect(failures.rule.occurrence == FaultOccurrence())
    #expect(any.rule.operations.isEmpty && any.rule.target == nil)
    #expect(steps.map(\.description).first == "for each crash at-most 400")
  }

  @Test func crashesNest() throws {
    let rows: [(text: String, depth: Int, next: [String])] = [
      ("for each crash in { background } check { reopen }", 1, []),
      ("for each crash depth 3 in { background } check { reopen }", 3, []),
      (
        "for each crash in { background } then { stroke p1; background } check { reopen }", 2,
        ["stroke p1", "background"]
      ),
    ]
    for row in rows {
      guard case .crashes(let sweep) = try ScenarioTexts.steps(row.text)[0].action else { return #expect(Bool(false)) }
      #expect(sweep.depth == row.depth)
      #expect(sweep.next.map(\.description) == row.next)
    }
    for (text, word) in [
      ("for each crash depth 1 in { background } then { close } check { reopen }", "'depth' is 2 to 3"),
      ("for each crash depth 4 in { background } check { reopen }", "'depth' is 1 to 3"),
      ("for each crash depth 2 in { background } check { power-cut; reopen }", "leave 'power-cut' out of 'check' and"),
      ("for each failure EIO in { background } then { close } check { reopen }", "a sweep ends in 'check { … }'"),
    ] {
      let reading = ScenarioTexts.reading(ScenarioTexts.withSteps(text))
      #expect(reading.text.contains(word), "\(reading.text)")
    }
  }

  static let explored: [(steps: String, recorded: [String]?)] = [
    ("stroke p1\nbackground", ["stroke p1", "background"]),
    ("stroke p1\nexpect ok\npower-cut\nstroke p2", ["stroke p1"]),
    ("power-cut on rename of page p1 { stroke p1; background }\nreopen", ["stroke p1", "background"]),
    (
      "with EIO on write { stroke p1 }\nclose\nreopen\nrepair\ntitle \"x\"",
      ["stroke p1", "close", "reopen", "title \"x\""]
    ),
    ("stroke p1\nfor each crash in { background } check { }\nclose", ["stroke p1", "background"]),
    ("expect fsck clean", nil),
  ]

  @Test(arguments: explored) func explorationsTakeWhatChanges(steps: String, recorded: [String]?) throws {
    let scenario = try #require(ScenarioTexts.reading(ScenarioTexts.withSteps(steps)).scenario)
    let explored = scenario.exploringCrashes(never: [ExpectedProblem(code: "LN4001", name: "asset-missing")])
    #expect((explored == nil) == (recorded == nil))
    guard let step = explored?.steps.first, case .crashes(let sweep) = step.action else { return }
    #expect(sweep.steps.map(\.description) == recorded)
    #expect(
      sweep.check.map(\.description) == [
        "reopen", "expect document loads", "expect fsck never asset-missing", "expect fsck no-loss", "repair",
        "expect fsck clean",
      ])
  }

  // MARK: Unrolling

  @Test func loopsAndCallsAreUnrolled() throws {
    let steps = try ScenarioTexts.steps(
      """
      param n = 2
      define draw(page, points) { stroke $page points $points }
      repeat $n { do draw(p1, 7) }
      for size = 5..6 { stroke p2 points $size; when store journal { close }; when store snapshot { background } }
      """)
    #expect(
      steps.map(\.description) == [
        "stroke p1 points 7", "stroke p1 points 7", "stroke p2 points 5", "background", "stroke p2 points 6",
        "background",
      ])
    #expect(steps.map { $0.rounds.map(\.number) } == [[1], [2], [1], [1], [2], [2]])
    #expect(steps.allSatisfy { $0.rounds.map(\.count) == [2] })
  }

  @Test func overridesReplaceParameters() throws {
    let text = "scenario v1 \"t\"\nparam room = 16KiB\ndocument \"A\" { page p1 }\nfree-space $room\n"
    let described = { (value: String) in
      ScenarioTexts.reading(text, overrides: [("room", value)]).scenario?.steps.first?.description
    }
    #expect(ScenarioTexts.reading(text).scenario?.steps.first?.description == "free-space 16KiB")
    #expect(described("1MiB") == "free-space 1MiB")
    #expect(
      ScenarioTexts.reading(text, overrides: [("rom", "5B"), ("room", "5s"), ("room", "+")]).text == """
        bg.scn: error: -D rom: there is no such parameter; parameters: room
        bg.scn: error: -D room: '5s' is a duration; the file has a size there
        bg.scn: error: -D room: '+' is not a number, size, duration, name or "text"

        """)
  }

  @Test func reopenKnowsTheExpectedError() throws {
    let steps = try ScenarioTexts.steps("reopen\nreopen\nexpect error EIO\nreopen\nexpect ok")
    let expected = steps.compactMap { if case .reopen(let errno) = $0.action { errno?.name ?? "none" } else { nil } }
    #expect(expected == ["none", "EIO", "none"])
  }

  @Test func editsAreResolved() throws {
    let steps = try ScenarioTexts.steps(
      "stroke p1 points 9 pen marker width 2.5 at 10, -20.5 as line\nmove line by 1, 2\nmove p1 by 0.1, 0\nerase p1 last 2\nerase line\ndelete line\nwait 0.6s\nwait until saved\nmove page p2 to 0\nadd page p3 100x200 at 1\ntitle \"x\"\nfree-space unlimited\npower-cut keep-all"
    )
    let page = PageReference(
      documentName: "trip", document: Self.trip, pageName: "p1", page: Self.page1, spelling: "p1")
    let line = ElementReference(page: page, element: FixedID(derivedFrom: "element/line"), asset: nil, name: "line")
    guard case .stroke(let stroke) = steps[0].action else { return #expect(Bool(false)) }
    #expect(
      stroke
        == StrokeStep(
          stroke: line, points: 9, pen: .marker, widthDeciPoints: 25, origin: CanvasPoint(x: 100, y: -205)))
    let text = steps.dropFirst().map { "\($0.action)" }
    #expect(text[0] == "\(StepAction.moveElements(.element(line), dxDeciPoints: 10, dyDeciPoints: 20))")
    #expect(text[1] == "\(StepAction.moveElements(.page(page), dxDeciPoints: 1, dyDeciPoints: 0))")
    #expect(text[2] == "\(StepAction.erase(.newestStrokes(page, 2)))")
    #expect(text[3] == "\(StepAction.erase(.stroke(line)))")
    #expect(text[4] == "\(StepAction.deleteElement(line))")
    #expect(text[5] == "\(StepAction.wait(milliseconds: 600))")
    #expect(text[6] == "waitUntilSaved")
    #expect(text[10] == "\(StepAction.freeSpace(nil))")
    #expect(text[11] == "\(StepAction.powerCut(.keepAll))")
  }

  static let expectations: [(text: String, expectation: Scenarios.Expectation)] = [
    ("fsck clean", .fsckClean), ("fsck no-loss", .fsckNoLoss), ("ok", .ok), ("document loads", .documentLoads),
    (
      "fsck exactly LN4001 x2, zero-length",
      .fsckExactly([
        ExpectedProblem(code: "LN4001", name: "asset-missing", count: 2),
        ExpectedProblem(code: "LN1203", name: "zero-length", count: nil),
      ])
    ),
    ("fsck never asset-orphan", .fsckNever([ExpectedProblem(code: "LN4002", name: "asset-orphan", count: nil)])),
    ("error ENOSPC", .error(Errno(name: "ENOSPC")!)),
    (
      "count \"pages/*\" >= 2",
      .fileCount(
        .init(patterns: [NamePattern(BytePath("\(trip).lnote/pages/*"))], spelling: "pages/*"), .atLeast, 2)
    ),
    ("p1 equals here", .page(first, .equals(.remembered("here")))),
    ("p1 between here and latest", .page(first, .between(.remembered("here"), .latest))),
    ("p1 at-least last-durable", .page(first, .atLeast(.lastDurable))),
    ("p1 equals empty", .page(first, .equals(.empty))),
    ("p1 has 3 elements", .page(first, .hasElements(3))), ("p1 missing", .page(first, .missing)),
    (
      "photo missing",
      .elementMissing(
        ElementReference(
          page: first, element: FixedID(derivedFrom: "element/photo"), asset: photo, name: "photo"))
    ),
  ]

  static let first = PageReference(
    documentName: "trip", document: trip, pageName: "p1", page: page1, spelling: "p1")

  @Test(arguments: expectations) func expects(text: String, expectation: Scenarios.Expectation) throws {
    let steps = try ScenarioTexts.steps("remember here\ninsert-image p1 as photo\ndelete photo\nexpect \(text)")
    guard case .expect(let found) = steps[3].action else { return #expect(Bool(false)) }
    #expect(found == expectation)
    #expect(steps[3].description == "expect \(text)")
  }

  @Test func comparisonsHold() {
    let table: [(Scenarios.Expectation.Comparison, [Bool])] = [
      (.equal, [false, true, false]), (.atMost, [true, true, false]), (.less, [true, false, false]),
      (.atLeast, [false, true, true]), (.more, [false, false, true]),
    ]
    for (comparison, holds) in table { #expect([1, 2, 3].map { comparison.holds($0, 2) } == holds) }
  }
}
