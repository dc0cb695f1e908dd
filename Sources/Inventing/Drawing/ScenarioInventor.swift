import Harness
import PropertyTesting
import Scenarios

/// Makes up scenarios: a session, what goes wrong in it, and what must be true behind it.
///
/// The order of every list is that of simplicity and never changes, since a stored choice is a place in it.
package struct ScenarioInventor: Sendable {
  /// A bug of the store that is put into every scenario; nil for the store as it is.
  package var mutant: String?
  /// The models under which crashes are gone through; empty for those that were measured.
  package var models: [String]
  /// How hard the store syncs; nil for its own way.
  package var durability: String?

  /// An inventor of scenarios for a store.
  package init(mutant: String? = nil, models: [String] = [], durability: String? = nil) {
    self.mutant = mutant
    self.models = models
    self.durability = durability
  }

  /// The inventor that these settings of a plan name.
  package init(_ settings: [String: String]) {
    self.init(
      mutant: settings["mutant"], models: settings["models"]?.split(separator: ",").map(String.init) ?? [],
      durability: settings["durability"])
  }

  /// Settings of a plan that name this inventor.
  package var settings: [String: String] {
    var settings: [String: String] = [:]
    settings["mutant"] = mutant
    settings["models"] = models.isEmpty ? nil : models.joined(separator: ",")
    settings["durability"] = durability
    return settings
  }

  /// The names of the models that there are.
  package static var knownModels: [String] { ScenarioVocabulary.modelTitles.map(\.name) }

  /// What goes wrong.
  private enum Hazard: Int, CaseIterable {
    case powerCut, kill, cutInside, everyCrash, fault, everyFailure, tornRename, fullDisk, unreadable

    var weight: Int {
      switch self {
      case .powerCut, .kill, .tornRename, .fullDisk: 1
      case .cutInside, .everyFailure, .unreadable: 2
      case .everyCrash, .fault: 4
      }
    }
  }

  /// Errors that any call may meet.
  private static let errors = ["EIO", "ENOSPC", "EROFS", "EDQUOT"]

  /// The scenario that these choices make.
  package func scenario(from source: ChoiceSource) -> InventedScenario {
    var writer = SessionWriter(source)
    var settings: [String] = []
    if !models.isEmpty { settings.append("model " + models.joined(separator: ", ")) }
    if let durability { settings.append("durability \(durability)") }
    if let mutant { settings.append("mutant \(mutant)") }
    let hazard = Hazard.allCases[source.pick(weights: Hazard.allCases.map(\.weight))]
    let first = source.span("first session") { writer.steps(0...12, usually: 2) }
    // Behind a settled session a sweep begins with nothing in flight.
    var settled = source.bool(0.5) ? writer.settle() : []
    // A page that is in memory is not read.
    if hazard == .unreadable { settled = writer.settle() + writer.openAgain() }
    // A rule names what is there before its block.
    let (pages, images) = (writer.pageNames, writer.imageNames)
    let second = source.span("second session") { writer.steps(1...6, usually: 2.5) } + writer.settle()
    let middle = source.span("hazard") { () -> InventedScenario.Middle in
      self.middle(
        hazard, second, source, pages: pages.filter(writer.pageNames.contains),
        images: images.filter(writer.imageNames.contains))
    }
    let isJudged = if case .sweep = middle { true } else { false }
    return InventedScenario(
      settings: settings, pages: writer.pageLines, steps: first + settled, middle: middle,
      ending: isJudged ? [] : Self.judging(hazard))
  }

  private func middle(
    _ hazard: Hazard, _ steps: [String], _ source: ChoiceSource, pages: [String], images: [String]
  ) -> InventedScenario.Middle {
    func trigger(_ operations: [String]) -> String {
      Self.trigger(source, operations: operations, pages: pages, images: images)
    }
    switch hazard {
    case .powerCut: return .plain(steps + [source.pick(["power-cut", "power-cut keep-all"])])
    case .kill: return .plain(steps + ["kill"])
    case .cutInside:
      let phase = source.pick(["after", "before"])
      let cut = source.pick(["power-cut", "kill"])
      return .block("\(cut) \(trigger(["rename", "write", "fsync", "create", "unlink"])) \(phase) {", steps, after: [])
    case .everyCrash:
      return .sweep("for each crash at-most \(source.pick([24, 60, 120])) in {", steps, check: Self.judging(hazard))
    case .fault:
      let effect = source.pick(
        [
          "EIO", "ENOSPC", "short-write 512B", "fsync-fail drop-dirty", "fsync-fail keep-dirty", "slow 200ms",
          "async-error",
        ])
      let operations =
        effect.hasPrefix("fsync")
        ? ["fsync"] : effect.hasPrefix("short") || effect.hasPrefix("async") ? ["write"] : Self.faulty
      return .block(
        "with maybe \(effect) \(trigger(operations)) {", steps, after: source.pick([["kill"], ["power-cut"]]))
    case .everyFailure:
      let error = source.pick(Self.errors)
      let operations = source.pick(["", " on write or create", " on fsync", " on rename", " on unlink"])
      return .sweep("for each failure \(error)\(operations) at-most 40 in {", steps, check: Self.judging(hazard))
    case .unreadable:
      let files = pages.map { "page \($0)" } + ["manifest"]
      let operation = source.pick(["open", "read"])
      return .block(
        "with maybe EIO on \(operation) of \(source.pick(files)) nth 1 {", steps + ["close"], after: [])
    case .tornRename:
      // Whoever opens the document behind such a rename sees what the disk did, and the store can do nothing for it.
      let kept = steps.filter { $0 != "close" && $0 != "reopen" }
      return .sweep("for each torn-rename of document in {", kept, check: Self.judging(hazard))
    case .fullDisk:
      let room = source.pick(["64KiB", "16KiB", "4KiB", "0B"])
      return .block("with free-space \(room) {", steps, after: source.pick([["kill"], ["power-cut"]]))
    }
  }

  private static let faulty = ["write", "rename", "fsync", "create", "unlink", "truncate", "mkdir"]

  /// "on rename of page p1 nth 1".
  private static func trigger(
    _ source: ChoiceSource, operations: [String], pages: [String], images: [String]
  ) -> String {
    let operation = source.pick(operations)
    var files = pages.map { "page \($0)" } + ["document", "manifest"] + images.map { "image \($0)" }
    if operation == "mkdir" { files = ["\"**\""] }
    return "on \(operation) of \(source.pick(files)) nth \(source.int(in: 1...3))"
  }

  /// What must be true behind it, whatever has gone wrong: the ledger of what was called saved is judged besides.
  private static func judging(_ hazard: Hazard) -> [String] {
    switch hazard {
    case .tornRename:
      [
        "expect fsck never asset-missing, page-missing", "repair", "expect fsck clean", "reopen",
        "expect document loads",
      ]
    case .everyFailure:
      [
        "kill", "reopen", "expect document loads", "expect fsck never asset-missing", "expect fsck no-loss", "repair",
        "expect fsck clean",
      ]
    default:
      [
        "reopen", "expect document loads", "expect fsck never asset-missing", "expect fsck no-loss", "repair",
        "expect fsck clean",
      ]
    }
  }
}
