import Files
import LNoteFsck
import Processes
import Synchronization
import Terminal

/// The line on a terminal that says how far the run is, and the lines for a program that asked for them.
final class ProgressReport: Sendable {
  private struct State {
    var line: ProgressLine
    var done = 0
    var documents = 0
    /// The document that was begun last.
    var label = ""
    /// The document that is open elsewhere and waited for.
    var waitedFor: String?
  }

  private let state: Mutex<State>
  private let count: Int
  private let total: Int
  private let countsDocuments: Bool
  private let completion: CompletionLines?

  /// A line that counts bytes, or documents where few of their bytes are read.
  init(isShown: Bool, jobs: [Job], options: CheckOptions) {
    count = jobs.count
    countsDocuments = options.level == .quick
    completion = options.completion
    let isMeasured = (isShown || options.completion != nil) && !countsDocuments
    let bytes =
      isMeasured ? jobs.reduce(0) { $0 + ProgressReport.bytes(of: $1.package.path, in: $1.argument.volume) } : 0
    total = countsDocuments ? jobs.count : bytes
    state = Mutex(
      State(
        line: ProgressLine(
          "checking", total: total, unit: countsDocuments ? .things("documents") : .bytes,
          columns: OutputStream.error.columns, isShown: isShown, now: ProgressReport.now)))
  }

  /// How far the run is, in one line for whoever asks.
  var status: String {
    let (documents, bytes, waitedFor) = state.withLock { ($0.documents, $0.done, $0.waitedFor) }
    let wait = waitedFor.map { ", waiting for \(printable($0)), which is open in another program" } ?? ""
    let all = Figures.counted(count, "document")
    return "\(Figures.grouped(documents)) of \(all) done, \(Figures.size(bytes: bytes)) read\(wait)"
  }

  /// Says which document is begun.
  func begins(_ shown: String) { state.withLock { $0.label = shown } }

  /// Says which document is waited for, since another program has it open; nil for none any more.
  func waits(for shown: String?) {
    let text = state.withLock { state in
      state.waitedFor = shown
      return shown.flatMap { shown in
        state.line.update(saying: "waiting for \(printable(shown)): it is open", now: ProgressReport.now)
      }
    }
    if let text { try? OutputStream.error.write(text) }
  }

  func addDocument(isLast: Bool) {
    state.withLock { $0.documents += 1 }
    add(0)
    if isLast { completion?.write(total, of: total, state.withLock { $0.label }, isLast: true) }
  }

  func add(_ count: Int) {
    let (text, done, label) = state.withLock { state in
      state.done += count
      if count > 0 { state.waitedFor = nil }
      let done = countsDocuments ? state.documents : state.done
      return (state.line.update(done: done, now: ProgressReport.now), done, state.label)
    }
    if let text { try? OutputStream.error.write(text) }
    completion?.write(done, of: total, label)
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
