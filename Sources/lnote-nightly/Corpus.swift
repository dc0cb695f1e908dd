import Campaigns
import Files
import JSON

/// What earlier runs know, in a folder that can be kept with the source.
///
///     known.json       every failure that ever was, and the build of the last run
///     failing/*.scn    the file of each
struct Corpus {
  private let folder: RunFolder
  /// What is known.
  let known: KnownBuckets

  /// The corpus in this folder, which is made where it is not there.
  init(_ path: BytePath) throws(Refusal) {
    folder = try RunFolder(path, makes: true)
    guard let bytes = try folder.read("known.json") else {
      known = KnownBuckets()
      return
    }
    do {
      known = try KnownBuckets(json: try JSONValue.parse(bytes))
    } catch {
      throw Refusal(2, "\(folder.name)/known.json: \(error)")
    }
  }

  /// The failures that have a file, by its name without the ending.
  func failingNames() throws(Refusal) -> [String] {
    try folder.names(in: "failing").filter { $0.hasSuffix(".scn") && !$0.hasPrefix(".") }.map { String($0.dropLast(4)) }
  }

  /// The scenario of a failure.
  func text(of name: String) throws(Refusal) -> [UInt8] { try folder.read("failing/\(name).scn") ?? [] }

  /// Where the file of a failure lies.
  func path(of name: String) -> BytePath { folder.path.appending(BytePath("failing/\(name).scn")) }

  /// Writes down what a run has added. A file that is there is kept: people may have changed it.
  func learn(_ summary: CampaignSummary) throws(Refusal) {
    let there = Set(try failingNames())
    for bucket in summary.buckets {
      guard let finding = bucket.finding, !there.contains(finding.fileName) else { continue }
      try folder.write(Array(finding.scenario.utf8), to: "failing/\(finding.fileName).scn")
    }
    try folder.write(known.updated(by: summary).json.fileBytes(), to: "known.json")
  }
}
