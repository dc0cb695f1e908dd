import JSON
import Testing

@testable import Campaigns

@Suite struct MergeTests {
  /// Everything that is written of a summary, with the same facts.
  private func reports(_ summary: CampaignSummary) -> [String] {
    [
      summary.text(Samples.facts), summary.markdown(Samples.facts), summary.junit(Samples.facts),
      CampaignPage(summary, Samples.facts).html, String(decoding: summary.sarif().fileBytes(), as: UTF8.self),
      String(decoding: summary.json(Samples.facts).fileBytes(), as: UTF8.self),
    ]
  }

  @Test func reportsAreTheSameForAnyNumberOfShards() throws {
    let plan = Samples.plan(invented: 700)
    let one = reports(try Samples.summary(plan, [Samples.file(plan, Shard(index: 0, count: 1))]))
    for count in [2, 4, 7] {
      let files = (0..<count).map { Samples.file(plan, Shard(index: $0, count: count)) }
      #expect(reports(try Samples.summary(plan, files)) == one)
      #expect(reports(try Samples.summary(plan, files.reversed())) == one)
    }
    // A shard that was killed, and run again from what it had.
    let killed = Samples.file(plan, Shard(index: 0, count: 2), end: nil) { $0 < 400 }
    let again = Samples.file(plan, Shard(index: 0, count: 2)) { $0 >= 350 }
    let rest = Samples.file(plan, Shard(index: 1, count: 2))
    #expect(reports(try Samples.summary(plan, [rest, killed + again])) == one)
  }

  @Test func countsWhatWasRun() throws {
    let plan = Samples.plan(invented: 1_000)
    let summary = try Samples.summary(plan, [Samples.file(plan, Shard(index: 0, count: 1))])
    #expect(summary.run == 1_003)
    #expect(summary.unknown.count == 3)
    #expect(summary.passed == 1_003 - 3 - 1 - 10)
    #expect(summary.states == (1..<1_003).reduce(0) { $0 + $1 % 11 })
    #expect(summary.neverReached == ["never"])
    #expect(summary.coverage.values.reduce(0, +) == 1_002)
    #expect(summary.buckets.map(\.known.signature) == ["bug/0", "bug/1", "bug/2", "bug/3", "bug/4"])
    #expect(summary.buckets[0].cases.map(\.name) == ["497", "997"])
    // The smallest of a bucket tells it.
    #expect(summary.buckets[0].finding?.scenario.split(separator: "\n").count == min(500 % 7, 1_000 % 7) + 3)
  }

  /// What is said of a step makes no scenario larger than another.
  @Test func theSmallestIsToldWithWhatDoesNotMatterInIt() throws {
    var explained = Samples.finding("a", lines: 1)
    explained.scenario.replace("points 1\n", with: "points 1  # or any other number of points\n")
    var larger = Samples.finding("a", lines: 1)
    larger.scenario.replace("points 1\n", with: "points 12\n")
    for findings in [[explained, larger], [larger, explained]] {
      let bucket = try #require(try Samples.summary(findings.map { .failed($0) }).buckets.first)
      #expect(bucket.finding?.scenario == explained.scenario)
    }
  }

  @Test func missingCasesAreNamedUnlessTheTimeWasUp() throws {
    let plan = Samples.plan(invented: 10)
    func missing(_ files: [[UInt8]]) throws -> [String] {
      try Samples.summary(plan, files).missing.map(\.identity)
    }
    let (even, odd) = (Shard(index: 0, count: 2), Shard(index: 1, count: 2))
    #expect(try missing([Samples.file(plan, even), Samples.file(plan, odd)]).isEmpty)
    #expect(try missing([Samples.file(plan, even)]).count == 6)
    let early = Samples.file(plan, odd, end: .budget) { $0 < 6 }
    #expect(try missing([Samples.file(plan, even), early]).isEmpty)
    // A process that died or was stopped had time left.
    for end in [ShardLog.End.stopped, .done, nil] {
      let cut = Samples.file(plan, odd, end: end) { $0 < 6 }
      #expect(try missing([Samples.file(plan, even), cut]) == ["invented/4", "invented/6", "invented/8"])
    }
    // What must be run must be, whatever the time.
    let without = Samples.file(plan, odd, end: .budget) { $0 > 2 }
    #expect(try missing([Samples.file(plan, even), without]) == ["regression/old.scn"])
  }

  @Test func recordsThatDifferAreTold() throws {
    let plan = Samples.plan(invented: 4)
    let shard = Shard(index: 0, count: 1)
    let sound = Samples.file(plan, shard)
    let other = Samples.file(
      plan, shard,
      record: { planned, place in
        planned.name == "2"
          ? CampaignRecord(planned, .failed(Samples.finding("only once"))) : Samples.record(planned, at: place)
      })
    for files in [[sound, other], [other, sound]] {
      let summary = try Samples.summary(plan, files)
      #expect(summary.differing.map(\.identity) == ["invented/2"])
      #expect(summary.buckets.map(\.known.signature) == ["only once"])
      #expect(summary.exitStatus == 1)
    }
    #expect(try Samples.summary(plan, [sound, sound]).differing.isEmpty)
  }

  @Test func refusesACaseThatNobodyPlanned() throws {
    let plan = Samples.plan(invented: 4)
    let file = Samples.file(
      plan, Shard(index: 0, count: 1),
      record: { planned, place in
        CampaignRecord(place == 5 ? PlannedCase(kind: .invented, name: "9") : planned, .passed)
      })
    let error = #expect(throws: CampaignError.self) { try Samples.summary(plan, [file]) }
    #expect(error?.description.contains("'invented/9', which is no case of the plan") == true)
  }

  typealias Row = (
    name: String, outcome: CampaignRecord.Outcome, known: KnownBuckets, state: CampaignSummary.Bucket.State?,
    verdict: CampaignSummary.Verdict, status: Int32
  )
  static let standings: [Row] = [
    ("nothing", .passed, KnownBuckets(), nil, .clean, 0),
    ("new", .failed(Samples.finding("a")), KnownBuckets(), .new, .worse, 1),
    ("new beside another", .failed(Samples.finding("a")), Samples.known("b", fixedAt: "x"), .new, .worse, 1),
    ("flaky", .failed(Samples.finding("a", failed: 4)), KnownBuckets(), .flaky, .worse, 1),
    ("known", .failed(Samples.finding("a")), Samples.known("a"), .known, .same, 1),
    ("known and flaky", .failed(Samples.finding("a", failed: 4)), Samples.known("a"), .known, .same, 1),
    ("back", .failed(Samples.finding("a")), Samples.known("a", fixedAt: "2222222"), .back, .worse, 1),
    // Not met again is not fixed.
    ("not met", .passed, Samples.known("a"), nil, .clean, 0),
    ("unknown", .unknown("why"), KnownBuckets(), nil, .clean, 3),
  ]

  @Test(arguments: standings.indices) func failuresStandAgainstEarlierRuns(_ index: Int) throws {
    let row = Self.standings[index]
    let summary = try Samples.summary([row.outcome], known: row.known)
    #expect(summary.buckets.first?.state == row.state, "\(row.name)")
    #expect(summary.verdict == row.verdict, "\(row.name)")
    #expect(summary.exitStatus == row.status, "\(row.name)")
  }

  @Test func onlyItsOwnFileSaysThatAFailureIsFixed() throws {
    let known = Samples.known("a")
    let fixed = try Samples.summary([.passed], known: known, failing: ["a"])
    #expect(fixed.buckets.map(\.state) == [.fixed])
    #expect(fixed.verdict == .better)
    #expect(fixed.exitStatus == 0)
    let behind = known.updated(by: fixed)
    #expect(behind.buckets["a"]?.fixedAt == "4c1f2ab")
    #expect(behind.build == "4c1f2ab")
    // It fails again: back, and the good build is known for a bisection.
    let back = try Samples.summary([.failed(Samples.finding("a"))], known: behind)
    #expect(back.buckets.first?.state == .back)
    #expect(back.buckets.first?.known.passedAt == "4c1f2ab")
    #expect(behind.updated(by: back).buckets["a"]?.fixedAt == nil)
    // Unknown is not passed.
    let unknown = try Samples.summary([.passed], known: known, failing: ["a"], ofFailing: .unknown("x"))
    #expect(unknown.buckets.isEmpty)
    // Met elsewhere, though its own file passes: it stands.
    let elsewhere = try Samples.summary([.failed(Samples.finding("a"))], known: known, failing: ["a"])
    #expect(elsewhere.buckets.map(\.state) == [.known])
  }

  @Test func parkedUntilADay() throws {
    func state(_ day: String) throws -> (CampaignSummary.Bucket.State?, Int) {
      let triage = try Triage(text: "# none\n\npark a LNOTE-1 \(day) anna waits for the writer\n", file: "t")
      let summary = try Samples.summary([.failed(Samples.finding("a"))], triage: triage)
      return (summary.buckets.first?.state, summary.expired.count)
    }
    #expect(try state("2026-11-30") == (.parked, 0))
    #expect(try state("2026-11-29") == (.new, 1))
    let parked = try Samples.summary(
      [.failed(Samples.finding("a"))], triage: Triage(text: "park a L 2026-12-31 anna why", file: "t"))
    #expect(parked.exitStatus == 0)
  }

  @Test func aMissedCanaryMakesARunWorthless() throws {
    for outcome in [CampaignRecord.Outcome.passed, .unknown("x")] {
      let blind = try Samples.summary([.passed], canary: outcome)
      #expect(blind.verdict == .blind)
      #expect(blind.exitStatus == 4)
    }
    let found = try Samples.summary([.passed])
    #expect(found.canary == .found)
    let plan = Samples.plan(invented: 1, canary: false)
    #expect(try Samples.summary(plan, [Samples.file(plan, Shard(index: 0, count: 1))]).canary == .none)
    // One that was not run is missing, and no verdict.
    let planned = Samples.plan(invented: 1)
    let rest = Samples.file(
      planned, Shard(index: 0, count: 1), only: { $0 > 0 }, record: { planned, _ in CampaignRecord(planned, .passed) })
    let cut = try Samples.summary(planned, [rest])
    #expect(cut.canary == .none)
    #expect(cut.exitStatus == 2)
  }

  @Test(arguments: [
    ("drop a", "t:1: 'drop' is no word here"), ("\npark a L", "t:2: write: park SIGNATURE"),
    ("park a L 2026-13-01 anna x", "'2026-13-01' is no day"), ("park a L 2026-1-1 anna x", "is no day"),
    ("park a L 2026-12-31 anna x\npark a L 2026-12-31 anna x", "t:2: 'a' is parked twice"),
  ]) func refusesWhatParksNothing(text: String, says: String) {
    let error = #expect(throws: CampaignError.self) { try Triage(text: text, file: "t") }
    #expect(error?.description.contains(says) == true, "\(String(describing: error))")
  }

  @Test func knownFailuresComeBackFromTheirFile() throws {
    let known = Samples.known("a", fixedAt: "x")
    #expect(try KnownBuckets(json: JSONValue.parse(known.json.fileBytes())) == known)
    let twice = try #require(known.json["buckets"]?.array) + (known.json["buckets"]?.array ?? [])
    #expect(throws: CampaignError.self) { try KnownBuckets(json: ["version": 1, "buckets": .array(twice)]) }
  }
}
