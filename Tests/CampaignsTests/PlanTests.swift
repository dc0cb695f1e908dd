import JSON
import Testing

@testable import Campaigns

@Suite struct PlanTests {
  private let plan = Samples.plan(invented: 20, shards: 4)

  @Test func comesBackFromItsFile() throws {
    let read = try CampaignPlan(json: try JSONValue.parse(plan.json.fileBytes()))
    #expect(read == plan)
    #expect(read.digest == plan.digest)
  }

  @Test func digestKnowsAllButTheNumberOfShards() {
    #expect(Samples.plan(invented: 20, shards: 7).digest == plan.digest)
    #expect(Samples.plan(invented: 21, shards: 4).digest != plan.digest)
    #expect(Samples.plan(invented: 20, shards: 4, seed: 2).digest != plan.digest)
    #expect(Samples.plan(invented: 20, shards: 4, budget: 1).digest != plan.digest)
  }

  @Test(arguments: [1, 2, 4, 7, 50]) func eachCaseBelongsToOneShard(count: Int) {
    let places = (0..<count).flatMap { Array(plan.places(of: Shard(index: $0, count: count))) }
    #expect(places.sorted() == Array(0..<plan.count))
  }

  @Test func placesAndCasesAgree() {
    for place in 0..<plan.count { #expect(plan.place(of: plan[place]) == place) }
    for foreign in ["invented/20", "invented/-1", "invented/007", "invented/x", "scenario/none.scn"] {
      #expect(PlannedCase(identity: foreign).map { plan.place(of: $0) } == .some(nil))
    }
    for wrong in ["", "invented", "invented/", "nothing/1"] { #expect(PlannedCase(identity: wrong) == nil) }
  }

  @Test func drawsAreToldFromFiles() {
    let draw = PlannedCase(kind: .scenario, file: "a/b.scn", draw: 12)
    #expect(draw.name == "a/b.scn#12" && draw.file == "a/b.scn" && draw.draw == 12)
    #expect(PlannedCase(identity: draw.identity) == draw)
    for name in ["a.scn", "a#1", "a.scn#", "a.scn#0", "a.scn#x"] {
      let planned = PlannedCase(kind: .scenario, name: name)
      #expect(planned.file == name && planned.draw == nil)
    }
  }

  @Test func seedsDependOnCampaignAndCaseOnly() {
    let seeds = (0..<plan.count).map { plan[$0].seed(ofCampaign: 1) }
    #expect(Set(seeds).count == plan.count)
    #expect(plan[3].seed(ofCampaign: 2) != seeds[3])
    // Pinned: a stored failure names its seed, so another rule would lose it.
    #expect(PlannedCase(kind: .invented, name: "217").seed(ofCampaign: 7) == 4_937_403_126_302_418_567)
  }

  static let refused: [(key: String, value: JSONValue, says: String)] = [
    ("version", 2, "made for version 2"), ("seed", "x", "\"seed\": no number"),
    ("shards", 0, "\"shards\": 0 is out of its range"), ("build", 7, "\"build\": is no text"),
    ("files", ["invented/3"], "'invented/3' names no file"), ("files", ["scenario/a", "scenario/a"], "twice"),
    ("inventedMax", -1, "out of its range"), ("stepsMax", 0, "out of its range"),
    ("inventedMax", 10_000_000, "out of its range"),
  ]

  @Test(arguments: refused) func refusesWhatIsNoPlan(key: String, value: JSONValue, says: String) throws {
    var members = try #require(plan.json.object)
    members[key] = value
    let error = #expect(throws: CampaignError.self) { try CampaignPlan(json: .object(members)) }
    #expect(error?.description.contains(says) == true, "\(String(describing: error))")
    members[key] = nil
    #expect(throws: CampaignError.self) { try CampaignPlan(json: .object(members)) }
  }

  static let choices: [(options: [Int?], environment: [String: String], says: String)] = [
    // The options win.
    ([2, 7], [:], "2 7 --shard"), ([2, nil], ["SLURM_ARRAY_TASK_ID": "1"], "2 4 --shard"),
    // Each engine, in its order.
    ([nil, nil], ["LNOTE_SHARD": "1", "LNOTE_SHARDS": "3", "TEST_SHARD_INDEX": "0"], "1 3 LNOTE_SHARD"),
    ([nil, nil], ["TEST_SHARD_INDEX": "1", "TEST_TOTAL_SHARDS": "2"], "1 2 TEST_SHARD_INDEX"),
    ([nil, nil], ["JOB_COMPLETION_INDEX": "3"], "3 4 JOB_COMPLETION_INDEX"),
    // Slurm's own count is that of this array, 1 where one task is run again: the plan's counts.
    ([nil, nil], ["SLURM_ARRAY_TASK_ID": "2", "SLURM_ARRAY_TASK_COUNT": "1"], "2 4 SLURM_ARRAY_TASK_ID"),
    ([nil, nil], ["SLURM_ARRAY_TASK_ID": "5", "LNOTE_SHARDS": "8"], "5 8 SLURM_ARRAY_TASK_ID"),
    ([nil, nil], ["CI_NODE_INDEX": "1", "CI_NODE_TOTAL": "5"], "0 5 CI_NODE_INDEX"),
    ([nil, nil], ["PARALLEL_SEQ": "4"], "3 4 PARALLEL_SEQ"), ([nil, nil], [:], "0 1 no engine: the only one"),
    ([nil, nil], ["LNOTE_SHARD": ""], "0 1 no engine: the only one"),
    // What cannot be.
    ([4, nil], [:], "--shard says shard 4; there are 0 to 3"), ([nil, 4], [:], "--shards says how many there are"),
    ([nil, nil], ["SLURM_ARRAY_TASK_ID": "4"], "submit with --array=0-3"),
    ([nil, nil], ["CI_NODE_INDEX": "0", "CI_NODE_TOTAL": "5"], "there are 1 to 5"),
    ([nil, nil], ["LNOTE_SHARD": "two"], "LNOTE_SHARD is 'two', which is no number"),
    ([nil, nil], ["LNOTE_SHARD": "0", "LNOTE_SHARDS": "0"], "0 shards"),
  ]

  @Test(arguments: choices)
  func shardComesFromTheFirstThatSays(options: [Int?], environment: [String: String], expected: String) {
    let says: String
    do throws(CampaignError) {
      let choice = try ShardChoice.choice(
        index: options[0], count: options[1], planned: 4, environment: { environment[$0] })
      says = "\(choice.shard.index) \(choice.shard.count) \(choice.source)"
    } catch {
      says = error.description
    }
    #expect(says.contains(expected), "\(says)")
  }
}
