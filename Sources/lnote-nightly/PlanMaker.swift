import Campaigns
import Files
import Harness
import Options
import Scenarios
import Terminal

/// Makes the plan of a run, and copies the files that it runs into the folder.
struct PlanMaker {
  let folder: RunFolder
  let settings: NightlySettings
  let build: String

  /// The folders of a scenario's parts, which are included and not run.
  private static let partsFolder: BytePath = "parts"
  /// The endings of files that are copied: scenarios, and pictures that they insert.
  private static let endings = [".scn", ".jpg", ".jpeg"]
  /// The most files that are copied, and the most bytes of one.
  private static let filesMax = 10_000
  private static let fileBytesMax = 64 << 20

  /// Makes it from scenario files and folders, and the failures that stand.
  func make(_ operands: [Word], corpus: Corpus?) throws(Refusal) -> CampaignPlan {
    var files: [PlannedCase] = []
    let sources = operands.isEmpty ? usualFolder() : operands.map { BytePath(bytes: $0.bytes) }
    for source in sources { files += try copy(source) }
    if Set(files).count < files.count {
      throw Refusal(2, "two files have the same name: give one folder, or one of them")
    }
    for name in try corpus?.failingNames() ?? [] {
      let planned = PlannedCase(kind: .failing, name: name)
      try folder.write(try corpus?.text(of: name) ?? [], to: RunFolder.file(of: planned))
      files.append(planned)
    }
    let order = PlannedCase.Kind.allCases
    let sorted = files.sorted {
      let (left, right) = (order.firstIndex(of: $0.kind) ?? 0, order.firstIndex(of: $1.kind) ?? 0)
      return left == right ? $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) : left < right
    }
    let plan = CampaignPlan(
      build: build, seed: settings.seed, shards: settings.shards, files: sorted, inventedMax: settings.inventedMax,
      budgetMilliseconds: settings.budgetMilliseconds, invention: settings.inventor.settings,
      stepsMax: settings.stepsMax)
    try folder.write(plan.json.fileBytes(), to: "plan.json")
    return plan
  }

  /// `Scenarios` where the program is started, if there is such a folder.
  private func usualFolder() -> [BytePath] {
    guard let here = try? Host.currentDirectory(),
      (try? HostVolume(root: here).status(at: "Scenarios").kind) == .directory
    else { return [] }
    return ["Scenarios"]
  }

  /// Copies a file, or all below a folder, and names those that are run.
  private func copy(_ source: BytePath) throws(Refusal) -> [PlannedCase] {
    let found = try Refusal.reading(source) { () throws(FileCallError) in try Found(source) }
    for file in found.files {
      let bytes = try Refusal.reading(source) { () throws(FileCallError) in
        try found.volume.readWhole(file, sizeMax: Self.fileBytesMax)
      }
      try folder.write(bytes, to: "scenarios/\(file)")
    }
    var cases: [PlannedCase] = []
    for file in found.chosen { cases += try planned(file, from: found.root) }
    return cases
  }

  /// How many cases are drawn of a scenario that leaves something to chance, where its `budget` does not say.
  static let drawsUsual = 20
  /// How many are drawn at the most.
  static let drawsMax = 1000

  /// The cases of a scenario: one that says it is a control must be convicted. None for one about another program.
  private func planned(_ file: BytePath, from root: BytePath) throws(Refusal) -> [PlannedCase] {
    let path = folder.path.appending("scenarios").appending(file)
    let bytes = try folder.read("scenarios/\(file)") ?? []
    let reading = ScenarioReading.read(
      bytes, file: root.appending(file).description, vocabulary: .own, files: .beside(path))
    if reading.external != nil { return [] }
    guard let scenario = reading.scenario else { throw Refusal(2, "a scenario of the plan is wrong:\n" + reading.text) }
    let kind: PlannedCase.Kind =
      scenario.settings.tags.contains(Self.controlTag)
      ? .canary : file.components.contains("regressions") ? .regression : .scenario
    let planned = PlannedCase(kind: kind, name: file.description)
    if planned.draw != nil { throw Refusal(2, "\(file): a number behind '#' says which draw: give it another name") }
    guard kind == .scenario, let random = reading.random else { return [planned] }
    let count = min(random.casesMax ?? Self.drawsUsual, Self.drawsMax)
    return (0..<count).map { PlannedCase(kind: kind, file: file.description, draw: $0 + 1) }
  }

  /// The tag of a scenario that must fail: if it passes, no pass means anything.
  private static let controlTag = "control"

  /// What is copied, and what of it is run.
  private struct Found {
    let root: BytePath
    let volume: HostVolume
    /// Everything that may be needed.
    var files: [BytePath] = []
    /// The scenarios that are run.
    let chosen: [BytePath]

    init(_ source: BytePath) throws(FileCallError) {
      let path = try Host.absolutePath(of: source)
      let beside = try HostVolume(root: path.folderOnHost)
      let isFolder = try beside.status(at: path.name).kind == .directory
      root = isFolder ? path : path.folderOnHost
      volume = try HostVolume(root: root)
      var folders: [BytePath] = [.root]
      while let folder = folders.popLast() {
        for entry in try volume.entries(of: folder, countMax: PlanMaker.filesMax) {
          let file = folder.appending(entry.name)
          if entry.kind == .directory { folders.append(file) }
          if entry.kind == .regular, PlanMaker.endings.contains(where: { entry.name.description.hasSuffix($0) }) {
            files.append(file)
          }
          if files.count > PlanMaker.filesMax { throw FileCallError("readdir", [root], .eoverflow) }
        }
      }
      files.sort()
      chosen = files.filter { file in
        guard isFolder else { return file == path.name }
        return file.description.hasSuffix(".scn") && !file.components.contains(PlanMaker.partsFolder)
      }
    }
  }
}

extension Refusal {
  /// What reading gives; an error is told with the name of what was read.
  static func reading<Value>(
    _ path: BytePath, _ read: () throws(FileCallError) -> Value
  ) throws(Refusal) -> Value {
    do throws(FileCallError) { return try read() } catch {
      throw Refusal(2, "\(printable(path.bytes)): \(error.errno)")
    }
  }
}
