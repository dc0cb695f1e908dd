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

  /// Names these states of one model, each at its moment.
  ///
  /// - Parameter spelling: how an operation is called.
  package init(
    of states: [(tree: DiskTree, moment: UInt64)], in recording: Recording, _ model: PersistenceModel,
    spelling: (OperationRecord) -> String = CrashNames.spelling
  ) throws(HistoryError) {
    names = [String](repeating: "", count: states.count)
    let byMoment = Dictionary(grouping: states.indices) { states[$0].moment }
    let records = Dictionary(recording.records.map { ($0.number, $0) }) { first, _ in first }
    var window = CrashWindow(recording, model)
    func look(at moment: UInt64, _ record: OperationRecord?, _ names: inout [String]) {
      for index in byMoment[moment] ?? [] {
        let account = CrashAccount(of: states[index].tree, in: window, records)
        names[index] = Self.name(of: account, at: record, spelling)
      }
    }
    look(at: 0, nil, &names)
    for record in recording.records {
      _ = try window.begin(record)
      look(at: record.number, record, &names)
      _ = window.finish()
    }
    look(at: .max, nil, &names)
    var counts: [String: Int] = [:]
    for index in names.indices {
      let count = counts[names[index], default: 0] + 1
      counts[names[index]] = count
      if count > 1 { names[index] += " (\(count))" }
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
      var runs: [(first: Int, last: Int)] = []
      for block in item.blocksLost {
        if let last = runs.last, last.last + 1 == block {
          runs[runs.count - 1].last = block
        } else {
          runs.append((block, block))
        }
      }
      let blocks = runs.map { $0.first == $0.last ? "\($0.first + 1)" : "\($0.first + 1)-\($0.last + 1)" }
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
