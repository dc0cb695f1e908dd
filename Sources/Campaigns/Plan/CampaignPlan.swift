import Bytes
import JSON

/// What a campaign shall run. It is made once and never changed; all else is derived from it and from what was run.
package struct CampaignPlan: Sendable, Equatable {
  /// The most cases that a plan may have.
  package static let casesMax = 10_000_000
  /// The most shards that a plan may have.
  package static let shardsMax = 10_000

  /// How many steps a case may take where nothing is said, those of every crash state included.
  package static let stepsMaxUsual = 100_000
  /// The most that can be said.
  package static let stepsMaxMost = 1_000_000_000

  /// What was built: a commit, say.
  package let build: String
  /// The seed of everything that is drawn.
  package let seed: UInt64
  /// Into how many shards it is split, unless a shard is told otherwise.
  package let shards: Int
  /// Files that must be run, whatever the time.
  package let files: [PlannedCase]
  /// How many scenarios are made up at the most.
  package let inventedMax: Int
  /// How scenarios are made up, by name: "mutant", "models", "durability".
  package let invention: [String: String]
  /// How long a shard goes on making up scenarios, in milliseconds; nil where all of them must be run.
  package let budgetMilliseconds: Int?
  /// How many steps a case may take; one that takes more is left open, on every machine.
  package let stepsMax: Int

  /// A plan of these values. Preconditions: the limits, and no file twice.
  package init(
    build: String, seed: UInt64, shards: Int, files: [PlannedCase], inventedMax: Int, budgetMilliseconds: Int?,
    invention: [String: String] = [:], stepsMax: Int = stepsMaxUsual
  ) {
    self.stepsMax = stepsMax
    self.invention = invention
    precondition(1...Self.shardsMax ~= shards && inventedMax >= 0 && files.count + inventedMax <= Self.casesMax)
    precondition(Set(files).count == files.count && files.allSatisfy(\.isMandatory))
    self.build = build
    self.seed = seed
    self.shards = shards
    self.files = files
    self.inventedMax = inventedMax
    self.budgetMilliseconds = budgetMilliseconds
  }

  /// How many cases there are at the most.
  package var count: Int { files.count + inventedMax }

  /// The case at a place from 0 to below `count`.
  package subscript(place: Int) -> PlannedCase {
    place < files.count ? files[place] : PlannedCase(kind: .invented, name: "\(place - files.count)")
  }

  /// The place of a case; nil where it is none of this plan.
  package func place(of planned: PlannedCase) -> Int? {
    guard planned.kind == .invented else { return files.firstIndex(of: planned) }
    guard let number = Int(planned.name), 0..<inventedMax ~= number, "\(number)" == planned.name else { return nil }
    return files.count + number
  }

  /// The places that a shard of so many runs, in its order.
  package func places(of shard: Shard) -> StrideTo<Int> { stride(from: shard.index, to: count, by: shard.count) }

  /// What ties the files of shards to this plan: 16 hex digits over all but the number of shards.
  package var digest: String {
    var members = json.object ?? [:]
    members["shards"] = nil
    let number = XXH3.digest64(of: JSONValue.object(members).serialized())
    return Hex.text(of: (0..<8).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) })
  }
}

/// One part of a campaign.
package struct Shard: Sendable, Hashable {
  /// Which of them, from 0.
  package let index: Int
  /// How many there are.
  package let count: Int

  /// One of so many. Precondition: `index` is below `count`.
  package init(index: Int, count: Int) {
    precondition(0..<count ~= index)
    self.index = index
    self.count = count
  }

  /// The name of its file: "shard-0002-of-0004.jsonl", counted from 1.
  package var fileName: String { "shard-\(padded(index + 1))-of-\(padded(count)).jsonl" }

  private func padded(_ number: Int) -> String {
    String(repeating: "0", count: max(0, 4 - "\(number)".count)) + "\(number)"
  }
}
