import FaultDisk
import FileTracing
import Files

/// The names of states: what each is made of, and not where in a list it stands.
///
/// "at rename of page p1, lost: write of page p1". So a name outlives a change of the program elsewhere. Two states that
/// are told alike have numbers behind their names.
package struct CrashNames: Sendable {
  /// So many operations are named that are lost; of more the rest is a count and a digest.
  private static let lostMax = 3

  /// The names, in the order of the states.
  package private(set) var names: [String]
  /// True where `mustStop` ended the naming, so that names are missing.
  package let isStopped: Bool

  /// Names these states of one model, each at its moment.
  ///
  /// - Parameter spelling: how an operation is called.
  package init(
    of states: [(state: CrashState, moment: UInt64)], in recording: Recording, _ model: PersistenceModel,
    spelling: (OperationRecord) -> String = CrashNames.spelling, mustStop: () -> Bool = { false }
  ) throws(HistoryError) {
    var names = [String](repeating: "", count: states.count)
    let byMoment = Dictionary(grouping: states.indices) { states[$0].moment }
    let records = NumberedRecords(recording)
    var isStopped = false
    let isWhole = try CrashWindow.walk(recording, model, at: Set(byMoment.keys), mustStop: mustStop) {
      window, moment, record in
      for index in byMoment[moment] ?? [] where !isStopped {
        isStopped = mustStop()
        let account = CrashAccount(of: states[index].state.tree, in: window, records)
        names[index] = Self.name(of: account, at: record, spelling)
      }
    }
    self.isStopped = isStopped || !isWhole
    self.names = names
    var counts: [String: Int] = [:]
    for index in names.indices {
      let count = counts[names[index], default: 0] + 1
      counts[names[index]] = count
      if count > 1 { self.names[index] += " (\(count))" }
    }
  }

  /// "rename t": an operation by its kind and path.
  package static func spelling(_ record: OperationRecord) -> String { "\(record.kind.rawValue) \(record.path)" }

  private static func name(
    of account: CrashAccount, at record: OperationRecord?, _ spelling: (OperationRecord) -> String
  ) -> String {
    let lost = account.items.filter { $0.share != .whole }.map { words(for: $0, spelling) }
    let isOperation = record.map { ![.mark, .control].contains($0.kind) } ?? false
    let place = record.flatMap { isOperation ? "at \(spelling($0))" : nil } ?? "between operations"
    if lost.isEmpty { return "\(place), lost: nothing" }
    if lost.count <= lostMax { return "\(place), lost: \(lost.joined(separator: ", "))" }
    let first = lost.prefix(lostMax - 1).joined(separator: ", ")
    return "\(place), lost: \(first) and \(lost.count - lostMax + 1) more [\(digest(of: lost.joined(separator: ",")))]"
  }

  private static func words(for item: CrashAccount.Item, _ spelling: (OperationRecord) -> String) -> String {
    let text = spelling(item.record)
    switch item.share {
    case .whole, .none: return text
    case .inPart: return "half of \(text)"
    case .blocks(let there, let all, let isSizeLost):
      if there == 0 && !isSizeLost { return "data of \(text)" }
      if there == all { return "size of \(text)" }
      let blocks = item.blocksLost.map {
        $0.count == 1 ? "\($0.upperBound)" : "\($0.lowerBound + 1)-\($0.upperBound)"
      }
      return "blocks \(blocks.joined(separator: "+"))\(isSizeLost ? " and size" : "") of \(text)"
    }
  }

  /// Eight hexadecimal digits of the text (FNV-1a).
  private static func digest(of text: String) -> String {
    let hash = text.utf8.reduce(UInt32(0x811c_9dc5)) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }
}
