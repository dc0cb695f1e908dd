import FaultDisk
import FileTracing
import Files

/// Why a state is possible, for a person: when, what was kept and lost, and on which models.
package struct CrashExplanation: Sendable {
  /// So many operations are listed of each kind.
  private static let itemsMax = 6
  /// A file of more blocks is told in runs.
  private static let lettersMax = 32

  /// The models under which the same tree is possible at the same moment.
  package let models: [PersistenceModel]
  /// The others.
  package let otherModels: [PersistenceModel]
  /// What is kept and lost.
  package let account: CrashAccount
  /// The number of the record under way; the greatest number is behind the last.
  package let moment: UInt64
  private let model: PersistenceModel
  private let recording: Recording

  /// The explanation of a state that `model` allows at `moment`; where that is nil, at its first moment.
  package init(
    of state: CrashState, at moment: UInt64? = nil, in recording: Recording, _ model: PersistenceModel,
    among models: [PersistenceModel] = PersistenceModel.all, isPowerCut: Bool = true
  ) throws(HistoryError) {
    self.moment = moment ?? state.moments.first
    self.model = model
    self.recording = recording
    account = try CrashAccount(of: state.tree, at: self.moment, in: recording, model, isPowerCut: isPowerCut)
    var allowing: [PersistenceModel] = []
    let models = models.map { $0.tearing(model.tearsSectors) }
    for other in models {
      let window = try CrashWindow(recording, other, isPowerCut: isPowerCut, at: self.moment)
      if other.name == model.name || window.allows(state.tree) { allowing.append(other) }
    }
    self.models = allowing
    otherModels = models.filter { other in !allowing.contains { $0.name == other.name } }
  }

  /// The lines of a report, without the line of the verdict.
  package var lines: [String] {
    var lines = ["possible on: \(Self.names(models)); not on: \(Self.names(otherModels))", "crash: \(place)"]
    lines += listed(account.items.filter { $0.share == .whole }.reversed(), "kept").reversed()
    lines += listed(account.items.filter { $0.share != .whole }, "lost")
    if let why { lines.append("why: \(why)") }
    for bar in account.bars {
      let missing = CrashAccount.Bar.Run(letter: "-", count: bar.missingCount)
      let letters = bar.runs + (bar.missingCount > 0 ? [missing] : [])
      lines.append("on disk: \(bar.path)  \(bar.size) bytes  \(Self.text(of: letters))")
    }
    if !account.bars.isEmpty {
      let torn = account.bars.contains { $0.runs.contains { $0.letter == "t" } } ? ", t torn between two sectors" : ""
      let missing = account.bars.contains { $0.missingCount > 0 } ? ", - missing" : ""
      lines.append("         n as written, m as written before, o as it was, 0 zeros\(torn)\(missing)")
    }
    return lines
  }

  private static func names(_ models: [PersistenceModel]) -> String {
    if models.isEmpty { return "none" }
    return models.map { $0.isMeasured ? $0.name : "\($0.name) (not measured)" }.joined(separator: ", ")
  }

  /// When the crash came: "at operation 4, rename t -> f".
  package var place: String {
    if moment == 0 { return "before the first operation" }
    guard let record = recording.records.first(where: { $0.number == moment }) else {
      return "behind the last operation"
    }
    if record.kind != .mark && record.kind != .control { return "at operation \(moment), \(Self.text(of: record))" }
    let before = recording.records.last { $0.number < moment && $0.kind != .mark && $0.kind != .control }
    return before.map { "behind operation \($0.number), \(Self.text(of: $0))" } ?? "before the first operation"
  }

  private func listed(_ items: [CrashAccount.Item], _ word: String) -> [String] {
    var lines = items.prefix(Self.itemsMax).map { "\(word)  #\($0.record.number) \(Self.text(of: $0))" }
    if items.count > Self.itemsMax { lines.append("\(word)  and \(items.count - Self.itemsMax) more") }
    return lines
  }

  /// An operation, and what of it is lost where that is not all or nothing.
  package static func text(of item: CrashAccount.Item) -> String {
    let text = text(of: item.record)
    switch item.share {
    case .whole, .none: return text
    case .inPart: return "\(text), one of the two names"
    case .blocks(let there, let all, let isSizeLost):
      let blocks = there == all ? "" : ", \(all - there) of \(all) blocks"
      return "\(text)\(blocks)\(isSizeLost ? (blocks.isEmpty ? ", its size" : " and the size") : "")"
    }
  }

  private static func text(of record: OperationRecord) -> String {
    switch record.kind {
    case .write: "write \(record.path) \(record.offset)..\(record.offset + max(1, record.lengthTaken) - 1)"
    case .truncate: "truncate \(record.path) to \(record.offset)"
    case .rename, .link: "\(record.kind.rawValue) \(record.path) -> \(record.otherPath ?? .root)"
    default: "\(record.kind.rawValue) \(record.path)"
    }
  }

  /// The first thing that is lost although something behind it is kept, or that nothing has made durable.
  package var why: String? {
    guard let lost = account.items.first(where: { $0.share != .whole }) else { return nil }
    let kept = account.items.last { $0.share != .none && $0.record.number > lost.record.number && !$0.isContent }
    let subject = lost.isContent ? lost.record.path : (lost.record.otherPath ?? lost.record.path).parent
    let called = subject.isRoot ? "the root directory" : "\(subject)"
    guard let kept else { return "nothing has synced \(called) behind #\(lost.record.number)" }
    let rule = lost.isContent ? "may keep a name before the data of its file" : "may keep names in another order"
    return "no fsync of \(called) between #\(lost.record.number) and #\(kept.record.number); \(model.name) \(rule)"
  }

  private static func text(of runs: [CrashAccount.Bar.Run]) -> String {
    if runs.reduce(0, { $0 + $1.count }) <= lettersMax {
      return runs.flatMap { [String](repeating: String($0.letter), count: $0.count) }.joined(separator: " ")
    }
    return runs.map { $0.count == 1 ? String($0.letter) : "\($0.letter) x \($0.count)" }.joined(separator: ", ")
  }
}
