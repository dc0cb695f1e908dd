import PropertyTesting

/// Writes what goes wrong in a session, and what must be true behind it.
struct HazardWriter {
  let source: ChoiceSource
  /// What it shall be about; nil for chance alone.
  let aim: ScenarioInventor.Aim?
  /// The session.
  let steps: [String]
  /// The pages that are there before it and behind it.
  let pages: [String]
  /// The images that are there before it and behind it.
  let images: [String]

  // The order of each list is that of simplicity, and never changes.

  /// Errors that any call may meet.
  static let errors = ["EIO", "ENOSPC", "EROFS", "EDQUOT"]
  /// Which calls meet them.
  static let failureOperations = ["", " on write or create", " on fsync", " on rename", " on unlink"]
  /// What ends the app in the middle of a session.
  static let cuts = ["power-cut", "kill"]
  /// Where it ends.
  static let cutOperations = ["rename", "write", "fsync", "create", "unlink"]
  /// What a disk does to single operations.
  static let effects = [
    "EIO", "ENOSPC", "short-write 512B", "fsync-fail drop-dirty", "fsync-fail keep-dirty", "slow 200ms", "async-error",
  ]
  /// How reading goes wrong.
  static let reads = ["open", "read"]

  /// The end of a session that leaves nothing half written behind.
  static let cleanClose = ["close", "expect count \"pages/.*\" = 0"]

  /// Which operations an effect hits.
  static func operations(of effect: String) -> [String] {
    if effect.hasPrefix("fsync") { return ["fsync"] }
    if effect.hasPrefix("short") || effect.hasPrefix("async") { return ["write"] }
    return ["write", "rename", "fsync", "create", "unlink", "truncate", "mkdir"]
  }

  /// The session with what goes wrong in it.
  func middle(_ hazard: ScenarioInventor.Hazard) -> InventedScenario.Middle {
    switch hazard {
    case .powerCut: return .plain(steps + [source.pick(["power-cut", "power-cut keep-all"])])
    case .kill: return .plain(steps + ["kill"])
    case .cutInside:
      let phase = source.pick(["after", "before"])
      let cut = source.pick(Self.cuts, wish: aim?.effect)
      return .block("\(cut) \(target(Self.cutOperations)) nth \(source.int(in: 1...3)) \(phase) {", steps, after: [])
    case .everyCrash:
      return .sweep("for each crash at-most \(source.pick([24, 60, 120])) in {", steps, check: Self.judging(hazard))
    case .fault:
      let effect = source.pick(Self.effects, wish: aim?.effect)
      let faults = hits(Self.operations(of: effect)).map { "maybe \(effect) \($0)" }
      return .block(
        "with \(faults.joined(separator: " and ")) {", steps, after: source.pick([["kill"], ["power-cut"]]))
    case .everyFailure:
      let error = source.pick(Self.errors, wish: aim?.effect)
      let operations = source.pick(Self.failureOperations, wish: aim?.operation)
      return .sweep("for each failure \(error)\(operations) at-most 40 in {", steps, check: Self.judging(hazard))
    case .unreadable:
      let target = target(Self.reads, kinds: [.page, .manifest])
      return .block("with maybe EIO \(target) nth 1 {", steps + ["close"], after: [])
    case .tornRename:
      // Whoever opens the document behind such a rename sees what the disk did, and the store can do nothing for it.
      let kept = steps.filter { $0 != "close" && $0 != "reopen" }
      return .sweep("for each torn-rename of document in {", kept, check: Self.judging(hazard))
    case .fullDisk:
      let room = source.pick(["64KiB", "16KiB", "4KiB", "0B"])
      return .block("with free-space \(room) {", steps, after: source.pick([["kill"], ["power-cut"], Self.cleanClose]))
    case .olderPage:
      let page = source.pick(pages)
      return .block(
        "with torn-rename old-target on rename of page \(page) nth 1 {",
        ["foreground", "stroke \(page) points 5", "background"], after: Self.judging(hazard))
    }
  }

  /// One operation that fails, and sometimes later ones of its kind: chance says which here, and never in the run.
  private func hits(_ operations: [String]) -> [String] {
    let target = target(operations)
    var nth = source.int(in: 1...3)
    var hits = ["\(target) nth \(nth)"]
    var more = source.many(0...3, usually: 0.4, "another hit")
    while more.next() {
      nth += source.int(in: 1...4)
      hits.append("\(target) nth \(nth)")
    }
    return hits
  }

  /// "on rename of page p1".
  private func target(
    _ operations: [String], kinds: [ScenarioInventor.FileKind] = ScenarioInventor.FileKind.allCases
  ) -> String {
    let operation = source.pick(operations, wish: aim?.operation)
    if operation == "mkdir" { return "on mkdir of \"**\"" }
    let files = kinds.map { ($0, self.files($0)) }.filter { !$0.1.isEmpty }
    let kind = source.pick(weights: files.map(\.1.count), wish: files.firstIndex { $0.0 == aim?.file })
    return "on \(operation) of \(source.pick(files[kind].1))"
  }

  /// What files of a kind are called.
  private func files(_ kind: ScenarioInventor.FileKind) -> [String] {
    switch kind {
    case .page: pages.map { "page \($0)" }
    case .document: ["document"]
    case .manifest: ["manifest"]
    case .image: images.map { "image \($0)" }
    }
  }

  /// What must be true behind it, whatever has gone wrong: the ledger of what was called saved is judged besides.
  static func judging(_ hazard: ScenarioInventor.Hazard) -> [String] {
    switch hazard {
    case .tornRename:
      [
        "expect fsck never asset-missing, page-missing", "repair", "expect fsck clean", "reopen",
        "expect document loads",
      ]
    case .olderPage:
      ["expect fsck exactly page-rolled-back", "repair", "expect fsck exactly known-loss"]
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
