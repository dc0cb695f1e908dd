import PropertyTesting
import Testing

@testable import Scenarios

/// What chance makes of a scenario: a concrete one, the same for the same choices.
@Suite struct ConcretizerTests {
  private func random(_ steps: String, overrides: [(name: String, value: String)] = []) throws -> RandomScenario {
    let reading = ScenarioTexts.reading(ScenarioTexts.withSteps(steps), overrides: overrides)
    return try #require(reading.random, Comment(rawValue: reading.text))
  }

  /// The steps of a case, without the file's first lines.
  private func steps(_ drawn: RandomScenario.Drawn) throws -> [String] {
    guard case .concrete(let concrete) = drawn else {
      Issue.record("\(drawn)")
      return []
    }
    let isLeftToChance = ScenarioTexts.reading(concrete.text).random != nil
    #expect(isLeftToChance == concrete.text.contains("probability"))
    #expect(ScenarioFormatter.formatted(concrete.text) == concrete.text)
    let lines = concrete.text.split(separator: "\n").map(String.init)
    return lines.filter {
      !$0.hasPrefix("scenario") && !$0.hasPrefix("seed") && !$0.hasPrefix("document") && $0 != "}"
        && !$0.hasPrefix("  page")
    }
  }

  /// The simplest choice of each: the nearest to zero, the first, the fewest rounds, the order of the file.
  static let simplest: [(steps: String, chosen: [String])] = [
    ("stroke p1 points 5..9 width 0.5..2.0 at -3..-1, -5..5", ["stroke p1 points 5 width 0.5 at -1, 0"]),
    ("stroke p1 points one of (7, 3)", ["stroke p1 points 7"]),
    ("wait 100ms..900ms", ["wait 100ms"]),
    ("insert-image p1 size 4KiB..4MiB as a", ["insert-image p1 size 4KiB as a"]),
    ("repeat 2..5 { stroke p1 points 1..3 }", ["stroke p1 points 1", "stroke p1 points 1"]),
    ("repeat 2..5 { stroke p1 }", ["stroke p1", "stroke p1"]),
    ("repeat 2 { wait 1ms..5ms }", ["wait 1ms", "wait 1ms"]),
    ("any of { 3: stroke p1; 1: { close; reopen } }", ["stroke p1"]),
    ("any of { 0: stroke p1; 1: { close; reopen } }", ["close", "reopen"]),
    ("shuffle { stroke p1; stroke p2; close }", ["stroke p1", "stroke p2", "close"]),
    (
      "define d(page, n) { stroke $page points 1..9; erase $page last $n }\nstroke p1\ndo d(p1, 1)",
      ["stroke p1", "stroke p1 points 1", "erase p1 last 1"]
    ),
    (
      "for n = 2..3 { stroke p1 points $n; wait 0ms..5ms }",
      ["stroke p1 points 2", "wait 0ms", "stroke p1 points 3", "wait 0ms"]
    ),
    // What holds nothing random stays as it is.
    (
      "define d(page) { stroke $page }\nrepeat 2 { do d(p1) }\nfor n = 1..2 { stroke p1 points $n }\nwait 1ms..2ms",
      [
        "define d(page) {", "  stroke $page", "repeat 2 {", "  do d(p1)", "for n = 1..2 {", "  stroke p1 points $n",
        "wait 1ms",
      ]
    ),
    // A loop's own variable is its own, and what is called sees the variables of whoever calls it.
    (
      "define d(n) { wait 1ms..2ms; for n = 1..2 { stroke p1 points $n } }\ndo d(7)",
      ["wait 1ms", "for n = 1..2 {", "  stroke p1 points $n"]
    ),
    (
      "define inner() { stroke p1 points $k }\ndefine outer(k) { wait 1ms..2ms; do inner() }\ndo outer(4)",
      ["define inner() {", "  stroke p1 points $k", "wait 1ms", "stroke p1 points 4"]
    ),
    ("param most = 9\nrepeat 1..$most { stroke p1 points 2..$most }", ["param most = 9", "stroke p1 points 2"]),
    (
      "define d(n) { stroke p1 points 1..$n }\nfor k = 3..4 { do d($k); wait 0ms..1ms }",
      ["stroke p1 points 1", "wait 0ms", "stroke p1 points 1", "wait 0ms"]
    ),
    (
      "with EIO on write of page p1 nth 1..3 before and free-space 1KiB..2KiB {\n  background\n}",
      ["with EIO on write of page p1 nth 1 before and free-space 1KiB {", "  background"]
    ),
    (
      "maybe fault slow 1ms..9ms on fsync probability 0.05\nclose",
      ["maybe fault slow 1ms on fsync probability 0.05", "close"]
    ),
    (
      "power-cut losing write of page p1 bytes 0B..8KiB on rename of page p1 nth 1..2 after { stroke p1 points 1..9 }\nreopen",
      [
        "power-cut losing write of page p1 bytes 0B..8KiB on rename of page p1 nth 1 after {", "  stroke p1 points 1",
        "reopen",
      ]
    ),
    (
      "for each crash at-most 3..9 in { stroke p1 points 1..2 } check { reopen }",
      ["for each crash at-most 3 in {", "  stroke p1 points 1", "check {", "  reopen"]
    ),
    ("autosave 100ms..900ms\nclose", ["autosave 100ms", "close"]),
    ("budget 5 cases 2min\nwait 1ms..2ms", ["wait 1ms"]),
  ]

  @Test(arguments: simplest) func choosesTheSimplest(steps: String, chosen: [String]) throws {
    #expect(try self.steps(random(steps).drawn(from: ChoiceSource(), seed: 3)) == chosen)
  }

  @Test func theSeedDecides() throws {
    let random = try random(
      "repeat 0..6 { any of { 2: stroke p1 points 1..999; 1: wait 1ms..999ms; 1: insert-image p1 size 1KiB..9KiB } }")
    var texts: Set<String> = []
    for seed in UInt64(0)..<20 {
      guard case .concrete(let first) = random.drawn(seed: seed), case .concrete(let again) = random.drawn(seed: seed)
      else { return #expect(Bool(false)) }
      #expect(first.text == again.text)
      #expect(first.text.contains("seed \(seed)\n"))
      #expect(first.scenario.settings.seed == seed)
      texts.insert(first.text.replacing("seed \(seed)\n", with: ""))
    }
    #expect(texts.count > 15)
  }

  /// Every value that can be drawn lies within its range, and both ends come about.
  @Test func rangesHoldWhatTheySay() throws {
    let random = try random("stroke p1 points 2..4 width one of (0.5, 3)")
    var seen: Set<String> = []
    for seed in UInt64(0)..<60 { seen.formUnion(try steps(random.drawn(seed: seed))) }
    #expect(seen == Set([2, 3, 4].flatMap { ["stroke p1 points \($0) width 0.5", "stroke p1 points \($0) width 3"] }))
  }

  @Test func weightsWeigh() throws {
    let random = try random("any of { 9: background; 1: close }")
    let closing = try (UInt64(0)..<200).filter { try steps(random.drawn(seed: $0)) == ["close"] }.count
    #expect((5...45).contains(closing))
  }

  @Test func shufflesToEveryOrder() throws {
    let random = try random("shuffle { background; foreground; fsck }")
    let orders = try Set((UInt64(0)..<100).map { try steps(random.drawn(seed: $0)) })
    #expect(orders.count == 6)
  }

  /// Each round is a span: without its choices the other rounds stay as they were.
  @Test func roundsCanBeLeftOut() throws {
    let random = try random("repeat 0..9 { stroke p1 points 1..1000 }")
    let source = ChoiceSource(beyond: .random(seed: 5))
    let all = try steps(random.drawn(from: source, seed: 1))
    let record = source.record(.holds)
    let rounds = record.spans.filter { $0.label == "repeat" && $0.count == 2 }
    #expect(rounds.count == all.count && all.count > 2)
    var values = record.values
    values.removeSubrange(rounds[1].range)
    let fewer = try steps(random.drawn(from: ChoiceSource(prefix: values), seed: 1))
    #expect(fewer == all.enumerated().filter { $0.offset != 1 }.map(\.element))
  }

  static let wrong: [(steps: String, head: String)] = [
    ("stroke p1 points 9..2", "3:18: error: this range is empty - write the smaller one first"),
    ("wait 9ms..2ms", "3:6: error: this range is empty - write the smaller one first"),
    ("repeat 5..2 { close }", "3:8: error: this range is empty - write the smaller one first"),
    ("any of { }", "3:1: error: there is nothing to choose from: any of { 2: STEP; 1: STEP }"),
    ("any of { 0: close }", "3:1: error: there is nothing to choose from: any of { 2: STEP; 1: STEP }"),
    ("any of { 2000000: close }", "3:10: error: a weight is at most 1000000"),
    ("stroke p9 points 1..2", "3:8: error: page 'p9' does not exist here; pages: p1, p2"),
    ("stroke p1 points 1..2 pen fontain", "3:27: error: unknown pen 'fontain' - did you mean 'fountain'?"),
    ("stroke p1 points $n..9", "3:18: error: '$n' is not set here - write 'param n = …' above"),
    ("define d() { wait 1ms..2ms; do d() }\ndo d()", "3:32: error: 'd' calls itself, which never ends"),
    ("define d(x) { wait 1ms..2ms }\ndo d()", "4:4: error: 'd' takes 1 value: d(x)"),
    (
      "for n = 1.. until success { wait 1ms..2ms }",
      "3:13: error: each round of a loop until success is the same: nothing in it is random"
    ),
    (
      "repeat 100000 { repeat 9 { wait 1ms..2ms } }",
      "3:28: error: chance has made more than 100000 steps of this"
    ),
  ]

  @Test(arguments: wrong) func saysWhatIsWrong(steps: String, head: String) {
    let reading = ScenarioTexts.reading(ScenarioTexts.withSteps(steps))
    #expect(reading.scenario == nil)
    #expect(reading.random == nil)
    #expect(ScenarioTexts.heads(reading.text).first == "bg.scn:\(head)")
  }

  /// Chance may put together what makes no sense: such cases are left out, and the writer is told.
  @Test func leavesOutWhatMakesNoSense() throws {
    let reading = ScenarioTexts.reading(
      ScenarioTexts.withSteps("seed 1\nrepeat 3 { any of { 1: delete page p2; 3: stroke p1 } }"))
    let random = try #require(reading.random)
    let refused = (UInt64(0)..<40).filter {
      if case .refused = random.drawn(seed: $0) { true } else { false }
    }
    #expect((1..<39).contains(refused.count))
  }

  @Test func whatHoldsNothingRandomIsNoRandomScenario() {
    for steps in [
      "repeat 3 { stroke p1 }", "power-cut losing write of page p1 bytes 0B..8KiB",
      "fault EIO on write probability 1.0\nclose",
    ] {
      #expect(ScenarioTexts.reading(ScenarioTexts.withSteps(steps)).random == nil)
    }
    #expect(
      ScenarioTexts.reading(ScenarioTexts.withSteps("maybe fault EIO on write probability 0.5\nclose")).random != nil)
  }

  @Test func parametersAreWhatTheRunSays() throws {
    let random = try random("param n = 1\nstroke p1 points $n..9", overrides: [("n", "9")])
    #expect(try steps(random.drawn(seed: 4)) == ["param n = 9", "stroke p1 points 9"])
  }

  @Test func theExampleIsDrawn() throws {
    let reading = ScenarioReading.read(
      try ScenarioTexts.fixture("04-random-editing-session.scn"), file: "bg.scn",
      vocabulary: ScenarioVocabulary(
        mutants: [], problems: ScenarioTexts.vocabulary.problems,
        models: ["ext4-ordered", "ext4-writeback", "xfs", "btrfs", "apfs", "posix-weakest"]))
    let random = try #require(reading.random, Comment(rawValue: reading.text))
    #expect(random.casesMax == 400)
    #expect(random.millisecondsMax == 1_200_000)
    let drawn = (UInt64(1)...10).compactMap { seed -> ConcreteScenario? in
      if case .concrete(let concrete) = random.drawn(seed: seed) { concrete } else { nil }
    }
    #expect(drawn.count == 10)
    #expect(drawn.allSatisfy { (8...100).contains($0.scenario.steps.count) })
  }
}
