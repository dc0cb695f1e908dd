import FaultDisk
import Files

/// What each name stood for while the program ran: the judge where there is no check.
///
/// Looked at are the names that were there before it or are there after it. A crash that leaves one of them with
/// something that it never was between two operations of the program has made something new: half a file, an empty one.
package struct HistoryOfNames {
  /// How a state relates to the run.
  package enum Relation: String, Hashable, Sendable, CaseIterable {
    /// All names are as they were before.
    case before
    /// All names are as they are at the end.
    case after
    /// Each name is as it was at some moment.
    case between
    /// Some name is as it never was.
    case never
  }

  private let before: [BytePath: PathValue]
  private let after: [BytePath: PathValue]
  private var possible: [BytePath: Set<PathValue>] = [:]

  /// The history of a run: its trees between its operations, the first and the last among them.
  package init(_ trees: [[BytePath: PathValue]]) {
    before = trees.first ?? [:]
    after = trees.last ?? [:]
    for path in Set(before.keys).union(after.keys) {
      possible[path] = Set(trees.map { $0[path] ?? .missing })
    }
  }

  /// How a state relates to the run, and the names that are as they never were.
  package func relation(of values: [BytePath: PathValue]) -> (relation: Relation, strange: [PathDifference]) {
    var strange: [PathDifference] = []
    for (path, known) in possible where !known.contains(values[path] ?? .missing) {
      strange.append(
        PathDifference(
          path: path, words: PathDifference.words(for: values[path] ?? .missing, not: after[path] ?? .missing)))
    }
    if !strange.isEmpty { return (.never, strange.sorted()) }
    func isAs(_ tree: [BytePath: PathValue]) -> Bool {
      possible.keys.allSatisfy { values[$0] ?? .missing == tree[$0] ?? .missing }
    }
    return (isAs(after) ? .after : isAs(before) ? .before : .between, [])
  }
}
