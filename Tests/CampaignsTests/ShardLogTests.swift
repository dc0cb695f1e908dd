import JSON
import Pages
import Testing

@testable import Campaigns

@Suite struct ShardLogTests {
  private let plan = Samples.plan(invented: 10, shards: 2)
  private let shard = Shard(index: 1, count: 2)
  private var file: [UInt8] { Samples.file(plan, shard) }

  @Test func comesBackFromItsFile() throws {
    let log = try ShardLog(file, plan: plan)
    #expect(log.shard == shard)
    #expect(log.end == .done)
    #expect(log.inFlight == [])
    #expect(log.wholeBytes == file.count)
    let expected = plan.places(of: shard).map { Samples.record(plan[$0], at: $0).json }
    #expect(log.records.map(\.json) == expected)
  }

  @Test func aKillAtAnyByteLosesNoWholeLine() throws {
    let file = file
    let ends = file.indices.filter { file[$0] == UInt8(ascii: "\n") }
    for cut in stride(from: ends[0] + 1, through: file.count, by: 7) {
      let log = try ShardLog(Array(file[..<cut]), plan: plan)
      let whole = ends.count { $0 < cut }
      // Each case has a line when it begins, and one when it ends, behind the line of the start.
      #expect(log.records.count == (whole - 1) / 2)
      #expect(!log.inFlight.isEmpty == ((whole - 1) % 2 == 1 && whole < ends.count))
      #expect(log.wholeBytes == ends[whole - 1] + 1)
    }
  }

  /// Two workers were at work when the power went: what they did is named, until somebody has run it again.
  @Test func whatWasInFlightIsNamed() throws {
    let plan = Samples.plan(invented: 4)
    let shard = Shard(index: 0, count: 1)
    let lines: [ShardLog.Line] = [
      .start(plan: plan.digest, shard: shard, build: plan.build), .begun(plan[3]), .begun(plan[4]),
      .record(Samples.record(plan[3], at: 3)), .begun(plan[6]),
    ]
    let killed = lines.flatMap { JSONLines.line($0.json) }
    #expect(try ShardLog(killed, plan: plan).inFlight == [plan[4], plan[6]])
    let summary = try Samples.summary(plan, [killed])
    #expect(summary.inFlight == [plan[4], plan[6]])
    let words = "In flight when a process ended, so look at these first: invented/1, invented/3"
    #expect(summary.warnings.contains(words) && summary.text(Samples.facts).contains(words))
    let resumed = try Samples.summary(plan, [killed + Samples.file(plan, shard) { $0 != 6 }])
    #expect(resumed.inFlight == [plan[6]])
    #expect(try Samples.summary(plan, [killed + Samples.file(plan, shard)]).inFlight == [])
  }

  @Test func aSecondProcessGoesOn() throws {
    let first = Samples.file(plan, shard, end: nil) { $0 < 5 }
    let second = Samples.file(plan, shard) { $0 >= 5 }
    let log = try ShardLog(first + second, plan: plan)
    #expect(log.records.count == plan.places(of: shard).map { $0 }.count)
    #expect(log.end == .done)
    // A process that began anew and died has not ended.
    let begun = try ShardLog(first + second + first, plan: plan)
    #expect(begun.end == nil)
  }

  @Test(arguments: [
    ("", "nothing was written down"), ("{\"type\":\"sta", "nothing was written down"),
    ("\n", "nothing was written down"), ("{\"type\":\"end\",\"why\":\"done\"}\n", "its first line does not say"),
    ("{\"type\":\"start\"}\n", "\"shards\": is missing"), ("x\n", "line 1"), ("[]\n", "a line is no JSON object"),
    ("{\"type\":\"other\"}\n", "is none that this version knows"),
  ]) func refusesWhatIsNoShard(text: String, says: String) {
    let error = #expect(throws: CampaignError.self) { try ShardLog(Array(text.utf8), plan: plan) }
    #expect(error?.description.contains(says) == true, "\(String(describing: error))")
  }

  @Test func refusesAnotherPlanAndDamage() throws {
    let other = Samples.plan(invented: 11, shards: 2)
    let foreign = #expect(throws: CampaignError.self) { try ShardLog(file, plan: other) }
    #expect(foreign?.description.hasPrefix("belongs to another plan (\(plan.digest), of build 4c1f2ab)") == true)
    let mixed = file + Samples.file(plan, Shard(index: 0, count: 2))
    #expect(throws: CampaignError("has lines of two shards")) { try ShardLog(mixed, plan: plan) }
    var damaged = file
    let second = try #require(damaged.firstIndex(of: UInt8(ascii: "\n"))) + 3
    damaged[second] = 0
    #expect(throws: CampaignError.self) { try ShardLog(damaged, plan: plan) }
  }

  @Test func aFindingComesBackWhole() throws {
    var crash = CrashPage.Finding(sentence: "a", count: "b")
    crash.name = "n"
    crash.crash = "c"
    crash.why = "w"
    crash.steps = [.init(number: 3, text: "write", mark: .partly), .init(number: nil, text: "crash", mark: .crash)]
    crash.files = [.init(path: "p", bytes: 5000, blocks: [(.zeros, 1), (.old, 2)])]
    crash.possibilities = [.init(model: "xfs", isPossible: true, isMeasured: false)]
    crash.facts = [("l", "v")]
    crash.said = [("t", true)]
    crash.again = ["again"]
    var finding = Samples.finding("s")
    finding.crash = crash
    finding.shrunk = "31 steps -> 5 steps"
    let read = try CampaignFinding(json: finding.json)
    #expect(read.json == finding.json)
    #expect(read.crash?.json == crash.json)
    // A crash that lost a part is none.
    for key in ["sentence", "steps", "files", "models", "facts", "said", "again"] {
      var members = try #require(crash.json.object)
      members[key] = nil
      #expect(CrashPage.Finding(json: .object(members)) == nil)
      if key != "sentence" {
        members[key] = [7]
        #expect(CrashPage.Finding(json: .object(members)) == nil)
      }
    }
  }

  @Test(arguments: [
    ("zero-length-image", "zero-length-image"), ("Zero/length", "zero-length-"), ("a/b", "a-b-"), ("a-b", "a-b"),
  ]) func fileNamesAreOneEach(signature: String, name: String) {
    let found = CampaignFinding.fileName(of: signature)
    #expect(name.hasSuffix("-") ? found.hasPrefix(name) && found.count == name.count + 8 : found == name)
  }

  @Test func longSignaturesHaveShortNames() {
    let long = String(repeating: "abc/", count: 100)
    #expect(CampaignFinding.fileName(of: long + "1").count <= 80)
    #expect(CampaignFinding.fileName(of: long + "1") != CampaignFinding.fileName(of: long + "2"))
    #expect(!CampaignFinding.fileName(of: "../../etc/passwd").contains("."))
  }
}
