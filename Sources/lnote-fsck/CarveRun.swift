import Files
import LNoteFormat
import LNoteFsck
import Options
import Processes
import Synchronization
import Terminal

/// `--carve`: what the words mean, and the run.
enum CarveRun {
  /// The options that say something else of what is to be done.
  private static let others = [
    "yes", "ask", "safe", "check", "undo", "accept-loss", "as-is", "plan", "save-plan", "apply-plan", "render",
    "report",
    "private", "quarantine", "look-in", "quick", "deep", "strict", "only", "severity", "subset",
    "lock-wait", "progress-fd",
  ]

  /// What came of it; nothing is written where the command line makes no sense.
  static func perform(
    _ reading: OptionReading, now: Timestamp, showsProgress: Bool, _ interruption: Interruption
  ) -> CarveReport {
    let arguments = reading.operands
    var report = CarveReport(arguments: arguments.map(\.text), target: reading.value("to")?.text ?? "")
    do throws(UsageError) {
      if let other = others.first(where: { reading.has($0) }) {
        throw UsageError("--carve and --\(other) do not go together: check what it has written in a run of its own.")
      }
      guard let to = reading.value("to") else {
        throw UsageError("--carve writes what it finds, and never where it searches: say --to DIR.")
      }
      if arguments.isEmpty { throw UsageError("say what to search: the image of a disk, a disk, or a folder.") }
      let place = try place(for: to)
      let sources = CarveSources()
      for word in arguments { try add(word, to: sources, besides: place) }
      let target = try made(place, named: to)
      let line = SearchLine(total: sources.size, isShown: showsProgress && OutputStream.error.isTerminal)
      interruption.tellsStatus { line.status }
      Carve(now: now, progress: { line.add($0) }, isStopped: { interruption.isStopped })
        .run(sources, to: target, &report)
      line.erase()
    } catch {
      report.fail(error.message, error.exit)
    }
    return report
  }

  /// Where the new folder will be, links resolved; a usage error where something is there.
  private static func place(for word: Word) throws(UsageError) -> BytePath {
    do throws(FileCallError) {
      let path = try Host.absolutePath(of: BytePath(bytes: word.bytes))
      let parent = try Host.resolvedPath(of: path.parent.isRoot ? "/" : path.parent)
      if (try? HostVolume(root: parent).status(at: path.name)) == nil { return parent.appending(path.name) }
    } catch {
      throw UsageError("nothing can be written to \"\(word.text)\": \(error.errno.description).")
    }
    throw UsageError("there is a \"\(word.text)\" already, and it stays: name a folder that is not there yet.")
  }

  private static func made(_ place: BytePath, named word: Word) throws(UsageError) -> HostVolume {
    do throws(FileCallError) {
      try HostVolume(root: place.parent.isRoot ? "/" : place.parent).makeDirectory(place.name, permissions: 0o755)
      return try HostVolume(root: place)
    } catch {
      throw UsageError("nothing can be written to \"\(word.text)\": \(error.errno.description).")
    }
  }

  private static func add(_ word: Word, to sources: CarveSources, besides target: BytePath) throws(UsageError) {
    var isLink = false
    var isInside = false
    var isNothing = false
    do throws(FileCallError) {
      let path = try Host.absolutePath(of: BytePath(bytes: word.bytes))
      let parent = try HostVolume(root: path.parent.isRoot ? "/" : path.parent)
      switch path.components.isEmpty ? .directory : try parent.status(at: path.name).kind {
      case .directory:
        isInside = target.isWithin(try Host.resolvedPath(of: path))
        if !isInside { sources.addFolder(.root, in: try HostVolume(root: path), shown: word.text) }
      case .regular, .blockDevice: sources.add(path.name, in: parent, shown: word.text)
      case .symbolicLink: isLink = true
      default: isNothing = true
      }
    } catch {
      if error.errno.name == "ENOENT" { throw UsageError("there is no \"\(word)\".") }
      throw UsageError("\"\(word)\" cannot be looked at: \(error.errno.description).", exit: .operational)
    }
    if isLink { throw UsageError("\"\(word)\" is a link, and none is followed: name what it leads to.") }
    if isNothing { throw UsageError("\"\(word)\" is no folder, no file and no disk.") }
    if isInside {
      throw UsageError(
        "the folder that --to names would lie in \"\(word)\", which is searched: name one outside of it.")
    }
  }
}

/// The line on a terminal that says how much was searched.
private final class SearchLine: Sendable {
  private struct State {
    var line: ProgressLine
    var done = 0
  }

  private let state: Mutex<State>
  private let total: UInt64

  init(total: UInt64, isShown: Bool) {
    self.total = total
    state = Mutex(
      State(
        line: ProgressLine(
          "searching", total: Int(clamping: total), unit: .bytes, columns: OutputStream.error.columns,
          isShown: isShown, now: SearchLine.now)))
  }

  var status: String {
    let done = state.withLock { $0.done }
    return "\(Figures.size(bytes: done)) of \(Figures.size(bytes: Int(clamping: total))) searched"
  }

  func add(_ count: Int) {
    let text = state.withLock { state in
      state.done += count
      return state.line.update(done: state.done, now: SearchLine.now)
    }
    if let text { try? OutputStream.error.write(text) }
  }

  func erase() {
    if let text = state.withLock({ $0.line.erase() }) { try? OutputStream.error.write(text) }
  }

  private static var now: Int { Int(monotonicNanoseconds() / 1_000_000) }
}
