import CrashModel
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
  private let possible: [BytePath: Set<PathValue>]

  /// False where `mustStop` ended it: then nothing can be compared.
  package let isWhole: Bool

  /// The history of a run. The run is followed twice: only names that were there before or after it are held.
  package init(
    _ recording: Recording, _ reader: inout PathReader, mustStop: () -> Bool = { false }
  ) throws(HistoryError) {
    var followed = FollowedNames(recording)
    var wanted = Set(followed.all.map(\.path))
    var last = wanted
    var isStopped = false
    while !isStopped, let changes = try followed.next() {
      for (path, node) in changes { if node == nil { last.remove(path) } else { last.insert(path) } }
      isStopped = mustStop()
    }
    wanted.formUnion(last)
    followed = FollowedNames(recording)
    var now: [BytePath: PathValue] = [:]
    for (path, node) in followed.all { now[path] = node.map { reader.value(of: $0) } }
    before = now
    var possible: [BytePath: Set<PathValue>] = [:]
    for path in wanted { possible[path] = [now[path] ?? .missing] }
    while !isStopped, let changes = try followed.next() {
      var changed: [BytePath: DiskTree.Node?] = [:]
      for (path, node) in changes where wanted.contains(path) { changed[path] = .some(node) }
      for (path, node) in changed {
        now[path] = node.map { reader.value(of: $0) }
        possible[path]?.insert(now[path] ?? .missing)
      }
      isStopped = mustStop()
    }
    after = now
    self.possible = possible
    isWhole = !isStopped
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
