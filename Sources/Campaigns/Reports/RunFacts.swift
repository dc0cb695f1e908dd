import JSON
import Terminal

/// What is not the same in every run of a plan: the only place in a report where that may stand.
package struct RunFacts: Sendable {
  /// The day, "2026-11-30".
  package var day: String
  /// The folder of the run, as commands name it.
  package var folder: String
  /// How many files of shards were there.
  package var shardsSeen: Int
  /// How many there should have been.
  package var shardsPlanned: Int
  /// How long the slowest shard has worked, in milliseconds; nil where nobody knows.
  package var milliseconds: Int?

  /// Facts of these values.
  package init(day: String, folder: String, shardsSeen: Int, shardsPlanned: Int, milliseconds: Int? = nil) {
    self.day = day
    self.folder = folder
    self.shardsSeen = shardsSeen
    self.shardsPlanned = shardsPlanned
    self.milliseconds = milliseconds
  }

  /// "4 of 4 shards, 30 min".
  var sentence: String {
    let shards = "\(shardsSeen) of \(Figures.counted(shardsPlanned, "shard"))"
    return shards + (milliseconds.map { ", " + Figures.time(milliseconds: $0) } ?? "")
  }

  var json: JSONValue {
    .object([
      "day": .string(day), "folder": .string(folder), "shardsSeen": JSONValue(shardsSeen),
      "shardsPlanned": JSONValue(shardsPlanned), "milliseconds": milliseconds.map { JSONValue($0) } ?? .null,
    ])
  }
}

extension CampaignSummary.Bucket {
  /// The file that shows the failure, seen from the folder of the run.
  var fileName: String { "repro/" + CampaignFinding.fileName(of: known.signature) + ".scn" }

  /// The command that shows it again.
  func runCommand(_ facts: RunFacts) -> String { "lnote-scenario run --fast \(facts.folder)/\(fileName)" }

  /// The command that finds the change that broke it; nil where no good build is known.
  func bisectCommand(_ facts: RunFacts) -> String? {
    known.passedAt.map { "lnote-nightly bisect \(facts.folder)/\(fileName) \($0)" }
  }

  /// "5 lines, fails 10 of 10, since 4c1f2ab (passed at 9d02e77)".
  var standing: String {
    guard let finding else { return "fixed in \(known.fixedAt ?? "this build"): its file passes" }
    let lines = finding.scenario.split(separator: "\n").count { !$0.hasPrefix("#") }
    var words = "\(Figures.counted(lines, "line"))"
    if finding.again.of > 0 { words += ", fails \(finding.again.failed) of \(finding.again.of)" }
    words += ", since \(known.since)"
    if let passedAt = known.passedAt { words += " (passed at \(passedAt))" }
    return words
  }
}

extension CampaignSummary {
  /// "WORSE - 1 new, 0 back, 2 known, 1 fixed".
  package var headline: String {
    var words = ["\(count(.new)) new", "\(count(.back)) back"]
    if count(.flaky) > 0 { words.append("\(count(.flaky)) flaky") }
    words += ["\(count(.known)) known", "\(count(.fixed)) fixed"]
    if count(.parked) > 0 { words.append("\(count(.parked)) parked") }
    return "\(verdict.rawValue) - " + words.joined(separator: ", ")
  }

  /// "4,000 of 4,000 cases, 1,912,004 crash states, 812 faults".
  var totals: String {
    "\(Figures.grouped(run)) of \(Figures.counted(plannedCount, "case")), "
      + "\(Figures.counted(states, "crash state")), \(Figures.counted(faults, "fault"))"
  }

  /// Cases that had to be run: those that were left out for want of time are none.
  var plannedCount: Int { run + missing.count }

  /// What has to be known before anything that passed is believed; empty where there is nothing.
  package var warnings: [String] {
    var warnings: [String] = []
    if canary == .missed {
      warnings.append("The canary was missed: a store that must be convicted passed. Believe nothing of this run.")
    }
    if !missing.isEmpty {
      warnings.append("\(Figures.counted(missing.count, "case")) were not run: \(Self.few(missing.map(\.identity)))")
    }
    if !inFlight.isEmpty {
      warnings.append(
        "In flight when a process ended, so look at these first: \(Self.few(inFlight.map(\.identity)))")
    }
    if !differing.isEmpty {
      warnings.append("Not the same each time: \(Self.few(differing.map(\.identity)))")
    }
    if !neverReached.isEmpty {
      warnings.append("Never reached: " + Self.few(neverReached.map { "\"\($0)\"" }))
    }
    if !unknown.isEmpty {
      warnings.append(
        "Nothing can be said of \(Self.few(unknown.map { "\($0.planned.identity) (\(Self.firstLine($0.why)))" }))")
    }
    for parked in expired {
      warnings.append("\(parked.signature) was parked until \(parked.until) by \(parked.who): look at \(parked.issue)")
    }
    return warnings
  }

  /// What stands in front of the first line break.
  private static func firstLine(_ text: String) -> String {
    text.firstIndex(where: \.isNewline).map { String(text[..<$0]) } ?? text
  }

  /// The first three of these, and how many more there are.
  static func few(_ texts: [String], max: Int = 3) -> String {
    let more = texts.count - max
    return texts.prefix(max).joined(separator: ", ") + (more > 0 ? " and \(Figures.grouped(more)) more" : "")
  }
}
