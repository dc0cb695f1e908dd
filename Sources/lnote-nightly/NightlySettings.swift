import Campaigns
import Files
import Glibc
import Inventing
import Options
import Processes

/// What `run` was asked for.
struct NightlySettings {
  /// How long a case may say nothing where nothing is said, in seconds: only one that hangs comes there.
  static let caseSecondsUsual = 600
  /// How long scenarios are made up where nothing is said, in milliseconds.
  static let budgetUsual = 600_000
  /// The most scenarios that are made up in a given time.
  static let inventedMaxInTime = 9_000_000

  let inventor: ScenarioInventor
  let budgetMilliseconds: Int?
  let inventedMax: Int
  let seed: UInt64
  let shards: Int
  let jobs: Int
  let caseMilliseconds: Int
  let stepsMax: Int

  init(_ reading: OptionReading) throws(Refusal) {
    inventor = ScenarioInventor(
      mutant: reading.text("mutant"), models: try Self.models(reading), durability: reading.text("durability"))
    if reading.has("cases") && reading.has("budget") {
      throw Refusal(2, "--cases says how many and --budget how long: give one of them")
    }
    let time = try reading.text("budget").map { (text) throws(Refusal) in try Self.milliseconds(text) }
    inventedMax = reading.number("cases") ?? Self.inventedMaxInTime
    budgetMilliseconds = reading.has("cases") ? nil : time ?? Self.budgetUsual
    seed = UInt64(reading.number("seed") ?? 1)
    shards = reading.number("shards") ?? 1
    jobs = reading.number("jobs") ?? max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    stepsMax = reading.number("case-steps") ?? CampaignPlan.stepsMaxUsual
    caseMilliseconds = (reading.number("case-limit") ?? Self.caseSecondsUsual) * 1000
  }

  private static func models(_ reading: OptionReading) throws(Refusal) -> [String] {
    let names = reading.text("model")?.split(separator: ",").map(String.init) ?? []
    for name in names where !ScenarioInventor.knownModels.contains(name) {
      throw Refusal(2, "--model: there is no model '\(name)'; 'lnote-scenario list models' shows them")
    }
    return names
  }

  /// "30s", "10min" or "1h" in milliseconds.
  static func milliseconds(_ text: String) throws(Refusal) -> Int {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let units = ["s": 1000, "min": 60_000, "h": 3_600_000]
    if let number = Int(digits), 1...100_000 ~= number, let unit = units[String(text.dropFirst(digits.count))] {
      return number * unit
    }
    throw Refusal(2, "--budget: '\(text)' is no time like 30s, 10min or 1h")
  }
}

/// What the world says: the day, and what was built.
enum Surroundings {
  /// Today in UTC, "2026-11-30".
  static var day: String {
    var now = time(nil)
    var parts = tm()
    gmtime_r(&now, &parts)
    func padded(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(parts.tm_year + 1900)-\(padded(parts.tm_mon + 1))-\(padded(parts.tm_mday))"
  }

  /// The commit of the folder that the program is started in; "unknown" where git knows none.
  static var build: String {
    var git = Launch("git", ["describe", "--always", "--dirty", "--abbrev=8"])
    git.error = .nothing
    guard let result = try? git.run(limitMilliseconds: 10_000), result.ending.isSuccess else { return "unknown" }
    return String(result.outputText.prefix { $0 != "\n" })
  }
}
