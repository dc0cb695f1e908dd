import Files
import LNoteFsck
import Processes
import Synchronization
import Terminal

/// The line on a terminal that says how far the run is.
final class ProgressReport: Sendable {
  private struct State {
    var line: ProgressLine
    var done = 0
    var documents = 0
  }

  private let state: Mutex<State>
  private let count: Int
  private let countsDocuments: Bool

  /// A line that counts bytes, or documents where few of their bytes are read.
  init(isShown: Bool, jobs: [Job], countsDocuments: Bool) {
    count = jobs.count
    self.countsDocuments = countsDocuments
    let isMeasured = isShown && !countsDocuments
    let total =
      isMeasured ? jobs.reduce(0) { $0 + ProgressReport.bytes(of: $1.package.path, in: $1.argument.volume) } : 0
    state = Mutex(
      State(
        line: ProgressLine(
          "checking", total: countsDocuments ? jobs.count : total,
          unit: countsDocuments ? .things("documents") : .bytes, columns: OutputStream.error.columns, isShown: isShown,
          now: ProgressReport.now)))
  }

  /// How far the run is, in one line for whoever asks.
  var status: String {
    let (documents, bytes) = state.withLock { ($0.documents, $0.done) }
    return
      "\(Figures.grouped(documents)) of \(Figures.counted(count, "document")) done, \(Figures.size(bytes: bytes)) read"
  }

  func addDocument() {
    state.withLock { $0.documents += 1 }
    add(0)
  }

  func add(_ count: Int) {
    let text = state.withLock { state in
      state.done += count
      return state.line.update(done: countsDocuments ? state.documents : state.done, now: ProgressReport.now)
    }
    if let text { try? OutputStream.error.write(text) }
  }

  func erase() {
    if let text = state.withLock({ $0.line.erase() }) { try? OutputStream.error.write(text) }
  }

  private static var now: Int { Int(monotonicNanoseconds() / 1_000_000) }

  private static func bytes(of folder: BytePath, in volume: any Volume) -> Int {
    var sum = 0
    for entry in (try? volume.entries(of: folder, countMax: SurveyLimits.namesMax)) ?? [] {
      let path = folder.appending(entry.name)
      guard let status = try? volume.status(at: path) else { continue }
      sum += status.kind == .directory ? bytes(of: path, in: volume) : Int(clamping: status.size)
    }
    return sum
  }
}
