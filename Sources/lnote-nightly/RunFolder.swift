import Campaigns
import Files
import JSON
import Terminal

/// The folder of a run: its plan, a file a shard, and what is derived from them.
///
///     plan.json                    what shall be run; never changed
///     scenarios/, failing/, regressions/   the files that are run, copied when the plan was made
///     shard-0001-of-0004.jsonl     what came of it, line by line
///     repro/*.scn                  the smallest scenario of each failure
///     repro/*-expected.jpg, *-found.jpg   the page that it is about
///     merged/                      the reports
struct RunFolder {
  /// The folder, absolute.
  let path: BytePath
  /// As the user named it, for lines to copy.
  let name: String
  private let volume: HostVolume

  /// The largest plan or shard that is read, in bytes.
  static let fileBytesMax = 2 << 30

  /// The folder at this path, which is made where it is not there.
  init(_ word: BytePath, makes: Bool) throws(Refusal) {
    name = printable(word.bytes)
    do throws(FileCallError) {
      path = try Host.absolutePath(of: word)
      if makes { try Host.makeFolders(path) }
      volume = try HostVolume(root: path)
      if try volume.status(at: .root).kind != .directory { throw FileCallError("open", [path], .enotdir) }
    } catch {
      throw Refusal(error.errno == .enoent ? 2 : 4, "\(name): \(error.errno)")
    }
  }

  /// The bytes of a file in it; nil where there is none.
  func read(_ file: String) throws(Refusal) -> [UInt8]? {
    do throws(FileCallError) {
      return try volume.readWhole(BytePath(file), sizeMax: Self.fileBytesMax)
    } catch {
      if error.errno == .enoent { return nil }
      throw Refusal(4, "\(name)/\(file): \(error.errno)")
    }
  }

  /// Writes a file whole or not at all: a temporary file, synced and renamed.
  func write(_ bytes: [UInt8], to file: String) throws(Refusal) {
    let target = BytePath(file)
    do throws(FileCallError) {
      try Host.makeFolders(path.appending(target).parent)
      let temporary = target.parent.appending(".\(target.name).tmp")
      try? volume.unlink(temporary)
      let open = try volume.open(temporary, for: .creating(permissions: 0o644))
      do throws(FileCallError) {
        try volume.writeWhole(open, bytes)
        try volume.synchronize(open)
      } catch {
        try? volume.close(open)
        try? volume.unlink(temporary)
        throw error
      }
      try volume.close(open)
      try volume.rename(temporary, to: target)
    } catch {
      throw Refusal(
        4, "\(name)/\(file): \(error.errno)\(error.errno == .enospc ? " - make room, and run it again" : "")")
    }
  }

  /// The names of the files in a folder of it, sorted; empty where there is none.
  func names(in folder: String) throws(Refusal) -> [String] {
    do throws(FileCallError) {
      return try volume.entries(of: folder.isEmpty ? .root : BytePath(folder), countMax: 1_000_000)
        .map(\.name.description).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    } catch {
      if error.errno == .enoent { return [] }
      throw Refusal(4, "\(name)/\(folder): \(error.errno)")
    }
  }

  /// The plan; nil where none was made yet.
  func plan() throws(Refusal) -> CampaignPlan? {
    guard let bytes = try read("plan.json") else { return nil }
    do {
      return try CampaignPlan(json: try JSONValue.parse(bytes))
    } catch {
      throw Refusal(2, "\(name)/plan.json: \(error)")
    }
  }

  /// The files of shards that are there, each read against the plan.
  func shards(_ plan: CampaignPlan) throws(Refusal) -> [ShardLog] {
    var logs: [ShardLog] = []
    for file in try names(in: "") where file.hasPrefix("shard-") && file.hasSuffix(".jsonl") {
      guard let bytes = try read(file), !bytes.isEmpty else { continue }
      do throws(CampaignError) {
        logs.append(try ShardLog(bytes, plan: plan))
      } catch {
        throw Refusal(2, "\(name)/\(file): \(error)")
      }
    }
    return logs
  }

  /// The text of a case that is a file.
  static func file(of planned: PlannedCase) -> String {
    switch planned.kind {
    case .canary, .scenario: "scenarios/\(planned.file)"
    case .regression: "regressions/\(planned.name)"
    case .failing: "failing/\(planned.name).scn"
    case .invented: "invented/\(planned.name)"
    }
  }
}
