import Campaigns
import Files
import Options
import Processes
import Terminal

/// `lnote-nightly run`: a plan where there is none, the cases of a shard, and the reports.
struct RunCommand {
  private let reading: OptionReading

  init(_ reading: OptionReading) { self.reading = reading }

  /// The exit status of the summary; of a shard alone 0, or 3 where a signal ended it.
  func run() throws(Refusal) -> Int32 {
    // First of all, so that no signal ends the program between two lines.
    let signals: SignalWatch
    do throws(ProcessCallError) { signals = try SignalWatch() } catch { throw Refusal(4, "\(error)") }
    guard let out = reading.value("out") else { throw Refusal(2, "say where the run shall be: --out DIR") }
    let settings = try NightlySettings(reading)
    let folder = try RunFolder(BytePath(bytes: out.bytes), makes: true)
    let corpus = try reading.value("corpus").map { (path) throws(Refusal) in try Corpus(BytePath(bytes: path.bytes)) }
    let plan = try plan(folder, settings, corpus)
    if reading.verb == "plan" {
      let invented = plan.budgetMilliseconds == nil ? "\(plan.inventedMax)" : "as many as there is time for"
      NightlyProgram.say(
        "\(folder.name)/plan.json: \(Figures.counted(plan.files.count, "case")) that must be run, \(invented) made up, "
          + "\(Figures.counted(plan.shards, "shard")), build \(plan.build)\n")
      return 0
    }
    let choice: ShardChoice
    do throws(CampaignError) {
      choice = try ShardChoice.choice(
        index: reading.number("shard"), count: reading.has("shard") ? reading.number("shards") : nil,
        planned: plan.shards, environment: Host.environment)
    } catch {
      throw Refusal(2, error.description)
    }
    let supervisor = try Supervisor(folder, plan, choice.shard, settings)
    NightlyProgram.complain(
      "\(folder.name): \(choice.shard.index + 1) of \(Figures.counted(choice.shard.count, "shard")) (\(choice.source)), "
        + "\(Figures.counted(settings.jobs, "worker"))\(supervisor.resumed > 0 ? ", \(supervisor.resumed) cases are done" : "")"
    )
    let end = try supervisor.run(signals)
    if end == .stopped {
      NightlyProgram.complain("ended by a signal; the same command goes on from here")
      return 3
    }
    if reading.has("no-merge") || choice.shard.count > 1 { return 0 }
    return try MergeCommand.merge(folder, plan, reading, milliseconds: supervisor.milliseconds)
  }

  /// The plan that is there, else a new one. One that is there is never changed.
  private func plan(_ folder: RunFolder, _ settings: NightlySettings, _ corpus: Corpus?) throws(Refusal) -> CampaignPlan
  {
    if let plan = try folder.plan() {
      let own = settings.inventor.settings
      let isOther: [String: Bool] = [
        "cases": plan.budgetMilliseconds != nil || settings.inventedMax != plan.inventedMax,
        "budget": settings.budgetMilliseconds != plan.budgetMilliseconds, "seed": settings.seed != plan.seed,
        "mutant": own["mutant"] != plan.invention["mutant"], "model": own["models"] != plan.invention["models"],
        "case-steps": settings.stepsMax != plan.stepsMax,
        "durability": own["durability"] != plan.invention["durability"],
      ]
      for name in isOther.keys.sorted() where reading.has(name) && isOther[name] == true {
        throw Refusal(2, "\(folder.name) has a plan with another --\(name): leave it out, or name another folder")
      }
      return plan
    }
    return try PlanMaker(folder: folder, settings: settings, build: reading.text("build") ?? Surroundings.build)
      .make(reading.operands, corpus: corpus)
  }
}
