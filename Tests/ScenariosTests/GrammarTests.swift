import Testing

@testable import Scenarios

/// Every production of the grammar, each alternative once.
@Suite struct GrammarTests {
  static let items = [
    "store snapshot", "store snapshot, journal, sqlite, external", "model ext4-ordered, xfs", "autosave 500ms",
    "autosave 1ms..2s", "seed 1_000", "durability none, file, full", "budget 400 cases 20min", "budget 400 cases",
    "budget 20min", "budget", "tags rename, background", "issue \"#12\"", "known-failing \"#13\"", "command \"git\"",
    "mutant asset-file-not-synced", "thumbnails on", "thumbnails off", "param room = 16KiB", "param n = 3",
    "param x = 2.5", "param t = 5s",
    "param s = \"text\"", "param page = p1", "param other = $page", "include \"common.scn\"", "define draw(page) { }",
    "define draw() { stroke p1 }", "define draw(page, n) {\n stroke $page points $n\n}", "document \"Trip\" { }",
    "document \"Trip\" as trip { page p1 }",
    "document \"Trip\" {\n page p1 768x1024 strokes 0..50 points 30 images 2\n}",
    "document \"Trip\" { page p1; page p2 }",
  ]

  static let steps = [
    "stroke p1", "stroke trip.p1", "stroke $page", "stroke p1 points 1..2000 pen fountain width 0.5..8.0 as line",
    "stroke p1 at 10, -20.5", "stroke p1 points one of (1, 2, $n)", "erase p1", "erase p1 last 1..3",
    "move photo by 10, 20", "move page p2 to 0", "insert-image p1", "insert-image p1 size 4KiB..4MiB as photo",
    "insert-image p1 size $s file \"a.jpg\" as photo", "delete photo", "delete page p1", "add page p3",
    "add page p3 768x1024 at 0", "add page trip.p3", "add page $page", "undo", "undo 3", "undo in trip", "redo",
    "redo 2",
    "redo 2 in $trip", "title \"Renamed \\\"twice\\\"\"", "title \"x\" in trip", "wait 0.6s",
    "wait 0ms..900ms", "wait $t", "wait until saved", "background", "foreground", "close", "reopen", "kill",
    "power-cut", "power-cut keep-all", "power-cut keep-none", "power-cut losing write of image a1 nth 2 bytes 4KiB",
    "power-cut keeping rename to \"a\", write page p1", "fsck", "repair", "remember saved", "note \"here\"",
    "sometimes \"reached\"", "fault EIO on any", "maybe fault slow 30ms on fsync probability 0.05",
    "fault broken = ENOSPC on write or create of page p1 nth 2", "free-space 16KiB", "free-space $room",
    "free-space unlimited", "clear faults", "clear broken", "do draw()", "do draw(p1, 3, 2.5, 4KiB, 5ms, \"t\", $v)",
    "exec \"git init\"",
  ]

  static let effects = [
    "EIO", "short-write 512B", "torn-write 1KiB", "torn-rename both-names", "torn-rename neither-name",
    "torn-rename target-empty", "torn-rename target-zeros", "torn-rename target-prefix 4KiB",
    "torn-rename target-holes", "torn-rename old-target", "torn-rename source-only", "torn-rename not-done",
    "torn-rename done-but-error", "fsync-fail drop-dirty", "fsync-fail keep-dirty", "fsync-lie", "slow 5ms",
    "flip 3 bits", "zero-block", "misplaced-block", "stale-read", "short-read 5B", "bad-sector", "async-error",
    "remount-ro", "shutdown", "locked-device", "rolled-back", "hang", "power-cut", "power-cut keep-all",
    "power-cut losing write of page p1", "kill",
  ]

  static let triggers = [
    "on any", "on create or open or read or write or truncate or fsync", "on rename or unlink or mkdir or rmdir",
    "on link or readdir or statfs or close", "on rename of document", "on rename from manifest", "on rename to page p1",
    "on rename page p1", "on write of image photo", "on write of thumbnail p1", "on write of journal $page",
    "on write of \"**/*.tmp\"", "on write nth 2", "on write every 3", "on write after-bytes 1MiB",
    "on write probability 0.5", "on write times 2", "on write before", "on write during", "on write after",
    "on write of page p1 nth 2 times 1 after",
  ]

  static let compounds = [
    "repeat 3 { }", "repeat 5..40 {\n stroke p1\n}", "repeat $n { stroke p1; wait 1s }", "any of { }",
    "any of { 12: do draw(p1) }", "any of {\n 2: { stroke p1; delete shot }\n 1: background\n}",
    "shuffle { stroke p1; stroke p2 }", "with EIO on write { }",
    "with maybe fault EIO on write of page p1 { background }",
    "with free-space 16KiB { }", "with EIO on write\n and free-space 5B and fault kill on fsync { }",
    "when store journal { close }", "power-cut on rename of page p1 before { background }",
    "power-cut keep-all on any { }",
    "power-cut losing write of image a1 on rename of page p2 after { background }",
    "kill on write nth 3 { background }",
    "for each crash in { } check { }", "for each crash at-most 1024 in { close }\ncheck {\n reopen\n}",
    "for each crash depth 2 at-most 5 in { close } then { reopen } check { }",
    "for each crash in { } then { }\ncheck { }",
    "for each failure EIO in { } check { }", "for each failure ENOSPC on write or create at-most 5 in { } check { }",
    "for each torn-rename in { } check { }", "for each torn-rename of document at-most 3 in { } check { }",
    "for each torn-rename \"a\" in { } check { }", "for n = 1..9 { }", "for n = 1.. until success { close }",
    "for n = 1..9 until success { }",
  ]

  static let expectations = [
    "fsck clean", "fsck no-loss", "fsck exactly asset-missing x2, LN4001", "fsck never LN4001 x1, asset-orphan",
    "error ENOSPC", "ok", "document loads", "exit 0", "count \"pages/*\" = 3", "count \"a\" <= 3", "count \"a\" < 3",
    "count \"a\" >= 3", "count \"a\" > 3", "p1 equals latest", "trip.p1 equals empty", "$page equals last-durable",
    "p1 between saved and latest", "p1 at-least saved", "p1 has 3 elements", "p1 missing",
  ]

  static let forms: [String] =
    items + steps + compounds + effects.map { "fault \($0) on any" } + effects.map { "with \($0) on any { }" }
    + triggers.map { "fault EIO \($0)" } + expectations.map { "expect \($0)" }

  @Test(arguments: forms) func parses(_ form: String) {
    #expect(ScenarioTexts.parsing("scenario v1 \"test\"\n\(form)\n") == "")
    #expect(ScenarioTexts.parsing("# first\n\nscenario v1 \"test\" ; \(form) # last") == "")
    #expect(Parser.scenario(in: "scenario v1 \"test\"\n\(form)\n").scenario.items.count == 1)
  }

  @Test(arguments: steps + compounds) func parsesInBlocks(_ form: String) {
    #expect(ScenarioTexts.parsing("scenario v1 \"test\"\nrepeat 2 {\(form)}\n") == "")
    #expect(ScenarioTexts.parsing("scenario v1 \"test\"\nrepeat 2 {\n\n\(form) ;\n}\n") == "")
  }

  @Test(arguments: ScenarioTexts.examples) func parsesExample(_ name: String) throws {
    let text = String(decoding: try ScenarioTexts.fixture(name), as: UTF8.self)
    #expect(ScenarioTexts.parsing(text) == "")
  }

  @Test func keepsPlaces() throws {
    let text =
      "scenario v1 \"test\"\ndocument \"Trip\" { page p1 }\n\n  stroke p1 points 5  # note\nrepeat 2 { close }\n"
    let steps = Parser.scenario(in: text).scenario.steps
    #expect(
      steps.map(\.place) == [
        SourcePlace(line: 4, column: 3, length: 18), SourcePlace(line: 5, column: 1, length: 8),
      ])
  }

  /// What a step's description says is the step again.
  @Test(arguments: steps + compounds + expectations.map { "expect \($0)" } + triggers.map { "fault EIO \($0)" })
  func describesItself(_ form: String) throws {
    let printer = StepPrinter(environment: Environment())
    func step(_ text: String) throws -> Step {
      try #require(Parser.scenario(in: "scenario v1 \"test\"\n\(text)\n").scenario.steps.first)
    }
    let line = printer.line(try step(form))
    let whole = try step(form).hasBlock ? "\(line) { }" : line
    if case .sweep = try step(form).action {
      #expect(printer.line(try step("\(line) in { } check { }")) == line)
    } else {
      #expect(printer.line(try step(whole)) == line)
    }
  }

  static let descriptions: [(step: String, line: String)] = [
    ("power-cut on rename of page p1 before { background }", "power-cut on rename of page p1"),
    ("expect fsck never   asset-missing ,LN4001 x2", "expect fsck never asset-missing, LN4001 x2"),
    ("wait 0.6s", "wait 600ms"),
    ("insert-image p1 size 2048KiB as photo", "insert-image p1 size 2MiB as photo"),
    ("stroke p1 width 2.50 at -1, 2", "stroke p1 width 2.5 at -1, 2"),
    ("with EIO on write\n and free-space 5B { }", "with EIO on write and free-space 5B"),
  ]

  @Test(arguments: descriptions) func describes(step: String, line: String) throws {
    let parsed = try #require(Parser.scenario(in: "scenario v1 \"test\"\n\(step)\n").scenario.steps.first)
    #expect(StepPrinter(environment: Environment()).line(parsed) == line)
  }
}
