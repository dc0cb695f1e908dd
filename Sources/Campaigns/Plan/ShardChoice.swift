/// Which shard a process works on, and who said so.
package struct ShardChoice: Sendable, Equatable {
  /// The shard.
  package let shard: Shard
  /// Who said so: "--shard", "SLURM_ARRAY_TASK_ID".
  package let source: String

  /// A choice of these values.
  package init(shard: Shard, source: String) {
    self.shard = shard
    self.source = source
  }

  /// What an engine says in its environment; the first that is set counts.
  ///
  /// Where an engine does not tell how many there are, the plan does: the number that Slurm tells is that of the
  /// tasks in this array, which is 1 where one of them is run again.
  private struct Engine {
    let index: String
    let total: String?
    let first: Int
  }

  private static let engines = [
    Engine(index: "LNOTE_SHARD", total: "LNOTE_SHARDS", first: 0),
    Engine(index: "TEST_SHARD_INDEX", total: "TEST_TOTAL_SHARDS", first: 0),
    Engine(index: "JOB_COMPLETION_INDEX", total: nil, first: 0),
    Engine(index: "SLURM_ARRAY_TASK_ID", total: nil, first: 0),
    Engine(index: "CI_NODE_INDEX", total: "CI_NODE_TOTAL", first: 1),
    Engine(index: "PARALLEL_SEQ", total: nil, first: 1),
  ]

  /// The shard that the options name, else the environment, else the only one.
  ///
  /// - Parameters:
  ///   - index: what `--shard` says, from 0.
  ///   - count: what `--shards` says.
  ///   - planned: how many shards the plan has.
  ///   - environment: the value of a variable, or nil.
  package static func choice(
    index: Int?, count: Int?, planned: Int, environment: (String) -> String?
  ) throws(CampaignError) -> ShardChoice {
    if let index { return try choice(index, of: count ?? planned, "--shard", first: 0) }
    if count != nil { throw CampaignError("--shards says how many there are; --shard N says which") }
    for engine in engines {
      guard let text = environment(engine.index), !text.isEmpty else { continue }
      let number = try number(text, of: engine.index)
      let total = try engine.total.map { (name) throws(CampaignError) in try self.total(name, environment) }
      let usual = try self.total("LNOTE_SHARDS", environment)
      return try choice(number, of: (total ?? nil) ?? usual ?? planned, engine.index, first: engine.first)
    }
    return ShardChoice(shard: Shard(index: 0, count: 1), source: "no engine: the only one")
  }

  private static func choice(
    _ number: Int, of count: Int, _ source: String, first: Int
  ) throws(CampaignError) -> ShardChoice {
    guard 1...CampaignPlan.shardsMax ~= count else {
      throw CampaignError("\(count) shards: there may be 1 to \(CampaignPlan.shardsMax)")
    }
    guard first..<(first + count) ~= number else {
      var message = "\(source) says shard \(number); there are \(first) to \(first + count - 1)"
      if source == "SLURM_ARRAY_TASK_ID" { message += ": submit with --array=0-\(count - 1)" }
      throw CampaignError(message)
    }
    return ShardChoice(shard: Shard(index: number - first, count: count), source: source)
  }

  private static func total(_ name: String, _ environment: (String) -> String?) throws(CampaignError) -> Int? {
    guard let text = environment(name), !text.isEmpty else { return nil }
    return try number(text, of: name)
  }

  private static func number(_ text: String, of name: String) throws(CampaignError) -> Int {
    guard let number = Int(text), number >= 0 else { throw CampaignError("\(name) is '\(text)', which is no number") }
    return number
  }
}
