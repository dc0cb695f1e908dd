import Confirming
import CrashModel
import FaultDisk
import Files
import Options

/// What `faultfs explore` was asked for.
struct ExploreSettings {
  /// The models, each once.
  let models: [PersistenceModel]
  /// The check; nil where there is none.
  let check: [UInt8]?
  /// The command that goes before; nil where there is none.
  let setUp: [UInt8]?
  /// How far the exploration of a model goes.
  let limits: ExplorationLimits
  /// How long states may be made and checked; nil is without limit.
  let budgetMilliseconds: Int?
  /// How long one check may take.
  let checkMilliseconds: Int
  /// Where examples are kept, absolute; nil for nowhere.
  let keep: BytePath?
  /// How often the running kernel is asked about each example; nil for never.
  let confirmTries: Int?
  /// How many states are judged at once.
  let benchCount: Int
  /// The name of the only state to look at; nil for all.
  let state: String?
  /// How much of a run is kept.
  let keeps: RecordingBudget
  /// 2 where the check is crashed in its turn, else 1.
  let depth: Int
  /// True where every class is shown.
  let showsAll: Bool

  /// About how many bytes all of it may take.
  let memoryMax: UInt64

  /// 4 GiB: a run of a million operations, or of 1 GiB of writes, and as much again for a second run or the states.
  private static let memoryMaxUsual: UInt64 = 4 << 30
  private static let memoryLeast: UInt64 = 32 << 20

  /// At most so many states of a model, where no budget says otherwise.
  static let statesMax = 20_000

  /// "ext4-ordered, xfs, btrfs".
  static var namesOfEveryday: String { PersistenceModel.everyday.map(\.name).joined(separator: ", ") }

  init(_ reading: OptionReading) throws(Refusal) {
    let tears = reading.has("sectors")
    models = try ExploreSettings.models(reading.values("model").map(\.text)).map { $0.tearing(tears) }
    check = reading.value("check")?.bytes
    setUp = reading.value("setup")?.bytes
    let budget = try reading.text("budget").map { (text) throws(Refusal) in try ExploreSettings.budget(text) }
    var states = ExploreSettings.statesMax
    if case .states(let count)? = budget { states = count }
    var limits = ExplorationLimits(statesMax: states, seed: UInt64(reading.number("seed") ?? 0))
    let (first, last) = (reading.number("from-operation") ?? 0, reading.number("to-operation") ?? Int.max)
    if first > last {
      throw Refusal(ExitCode.usage, "--from-operation \(first) comes behind --to-operation \(last)")
    }
    limits.moments = UInt64(first)...(last == Int.max ? UInt64.max : UInt64(last))
    if case .milliseconds(let time)? = budget { budgetMilliseconds = time } else { budgetMilliseconds = nil }
    checkMilliseconds = (reading.number("check-limit") ?? 30) * 1000
    keep = try reading.value("keep").map { (word) throws(Refusal) in try absoluteName(word) }
    benchCount = reading.number("jobs") ?? 1
    let memory = try reading.value("memory").map { (word) throws(Refusal) in try CtlNumbers.bytes(word) }
    memoryMax = memory ?? Self.memoryMaxUsual
    if memoryMax < Self.memoryLeast { throw Refusal(ExitCode.usage, "--memory: an exploration needs 32MiB or more.") }
    keeps = RecordingBudget(bytesMax: memoryMax / 8 * 3)
    // A fix is looked for among the states of one more exploration.
    limits.memoryMax = Int(clamping: memoryMax / 4) / (models.count + 1)
    self.limits = limits
    depth = reading.number("depth") ?? 1
    if depth > 1 && check == nil {
      throw Refusal(ExitCode.usage, "--depth 2 crashes the check in its turn: say which with --check")
    }
    showsAll = reading.has("all")
    state = reading.text("state")
    if reading.value("log") != nil {
      if let word = ["setup", "from"].first(where: { reading.value($0) != nil }) {
        throw Refusal(ExitCode.usage, "--\(word) prepares a run of CMD; --log has its own beginning")
      }
      if !reading.operands.isEmpty {
        throw Refusal(ExitCode.usage, "--log is a recording already: leave '\(reading.operands[0].text)' out, or --log")
      }
    } else if reading.operands.isEmpty {
      throw Refusal(ExitCode.usage, "say which CMD to explore, behind '--', or give a recording with --log FILE")
    }
    confirmTries = reading.number("confirm")
    if confirmTries != nil { try ExploreSettings.expectConfirmable(models) }
  }

  /// One of the models at least has to be a file system that can be crashed here.
  private static func expectConfirmable(_ models: [PersistenceModel]) throws(Refusal) {
    let obstacles = models.map { Confirmation.obstacle(for: $0) }
    guard let obstacle = obstacles.first ?? nil, !obstacles.contains(nil) else { return }
    throw Refusal(ExitCode.environment, "--confirm: \(obstacle)")
  }

  private static func models(_ texts: [String]) throws(Refusal) -> [PersistenceModel] {
    var models: [PersistenceModel] = []
    for name in texts.flatMap({ $0.split(separator: ",") }).map(String.init) {
      guard let model = PersistenceModel.named(name) else {
        let known = PersistenceModel.all.map { "  \($0.name)  \($0.title)\($0.isMeasured ? "" : " (not measured)")\n" }
        throw Refusal(
          ExitCode.usage, lines: "faultfs: there is no model '\(name)'. There are:\n\(known.joined())")
      }
      if !models.contains(model) { models.append(model) }
    }
    return models.isEmpty ? PersistenceModel.everyday : models
  }

  private enum Budget {
    case states(Int)
    case milliseconds(Int)
  }

  private static func budget(_ text: String) throws(Refusal) -> Budget {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let units = ["s": 1000, "min": 60_000, "h": 3_600_000]
    if let number = Int(digits), (1...1_000_000_000).contains(number) {
      let unit = String(text.dropFirst(digits.count))
      if unit.isEmpty { return .states(number) }
      if let milliseconds = units[unit] { return .milliseconds(number * milliseconds) }
    }
    throw Refusal(ExitCode.usage, "--budget: '\(text)' is neither a number of states nor a time like 30s, 5min or 1h")
  }
}
