import Campaigns
import Files
import JSON
import Options
import Terminal

/// `lnote-nightly merge`: what all shards came to, as reports.
struct MergeCommand {
  private let reading: OptionReading

  init(_ reading: OptionReading) { self.reading = reading }

  /// The exit status of the summary.
  func run() throws(Refusal) -> Int32 {
    guard let word = reading.operands.first ?? reading.value("out") else {
      throw Refusal(2, "say which run: merge DIR")
    }
    let folder = try RunFolder(BytePath(bytes: word.bytes), makes: false)
    guard let plan = try folder.plan() else {
      throw Refusal(2, "\(folder.name) has no plan.json: 'lnote-nightly run --out \(folder.name)' makes one")
    }
    return try Self.merge(folder, plan, reading, milliseconds: nil)
  }

  /// Merges the shards of a folder, writes the reports, and shows the shortest.
  static func merge(
    _ folder: RunFolder, _ plan: CampaignPlan, _ reading: OptionReading, milliseconds: Int?
  ) throws(Refusal) -> Int32 {
    let corpus = try reading.value("corpus").map { (path) throws(Refusal) in try Corpus(BytePath(bytes: path.bytes)) }
    let logs = try folder.shards(plan)
    var merge = CampaignMerge(plan: plan)
    for log in logs {
      do throws(CampaignError) { try merge.add(log) } catch {
        throw Refusal(2, "\(folder.name)/\(log.shard.fileName): \(error)")
      }
    }
    let summary = merge.summary(
      known: corpus?.known ?? KnownBuckets(), triage: try triage(reading), today: Surroundings.day)
    let facts = RunFacts(
      day: Surroundings.day, folder: folder.name, shardsSeen: logs.count,
      shardsPlanned: logs.first?.shard.count ?? plan.shards, milliseconds: milliseconds)
    try write(summary, facts, folder)
    try corpus?.learn(summary)
    NightlyProgram.say(summary.text(facts))
    NightlyProgram.complain("the whole report: \(folder.name)/merged/report.html")
    if summary.exitStatus == 1, let status = reading.number("findings-exit") { return Int32(status) }
    return summary.exitStatus
  }

  private static func write(_ summary: CampaignSummary, _ facts: RunFacts, _ folder: RunFolder) throws(Refusal) {
    for bucket in summary.buckets {
      guard let finding = bucket.finding else { continue }
      try folder.write(Array(finding.scenario.utf8), to: "repro/\(finding.fileName).scn")
      for (suffix, bytes) in finding.page?.files ?? [] {
        try folder.write(bytes, to: "repro/\(finding.fileName)\(suffix)")
      }
    }
    try folder.write(Array(summary.text(facts).utf8), to: "merged/summary.txt")
    try folder.write(Array(summary.markdown(facts).utf8), to: "merged/summary.md")
    try folder.write(Array(summary.junit(facts).utf8), to: "merged/junit.xml")
    try folder.write(summary.sarif().fileBytes(), to: "merged/sarif.json")
    try folder.write(Array(CampaignPage(summary, facts).html.utf8), to: "merged/report.html")
    try folder.write(summary.json(facts).fileBytes(), to: "merged/summary.json")
  }

  private static func triage(_ reading: OptionReading) throws(Refusal) -> Triage {
    guard let word = reading.value("triage") else { return Triage() }
    let path = BytePath(bytes: word.bytes)
    let bytes = try Refusal.reading(path) { () throws(FileCallError) in
      let absolute = try Host.absolutePath(of: path)
      return try HostVolume(root: absolute.folderOnHost).readWhole(absolute.name, sizeMax: 1 << 20)
    }
    do throws(CampaignError) {
      return try Triage(text: String(decoding: bytes, as: UTF8.self), file: printable(word.bytes))
    } catch {
      throw Refusal(2, error.description)
    }
  }
}

/// `lnote-nightly report`: the summary of a run that was merged.
struct ReportCommand {
  private let reading: OptionReading

  init(_ reading: OptionReading) { self.reading = reading }

  /// 0, or 2 where there is none.
  func run() throws(Refusal) -> Int32 {
    let folder = try RunFolder(BytePath(bytes: reading.operands[0].bytes), makes: false)
    guard let bytes = try folder.read("merged/summary.txt") else {
      throw Refusal(2, "\(folder.name) was not merged yet: lnote-nightly merge \(folder.name)")
    }
    NightlyProgram.say(String(decoding: bytes, as: UTF8.self))
    return 0
  }
}
