import Files
import Glibc
import JSON
import LNoteFormat
import LNoteFsck
import Options
import Processes
import Synchronization
import Terminal

/// The program: reads the command line, runs, prints; everything else is in LNoteFsck.
enum FsckProgram {
  /// The exit status.
  static func run(_ words: [Word]) async -> CInt {
    BrokenPipe.becomesAnError
    let start = monotonicNanoseconds()
    let reading: OptionReading
    do throws(OptionError) {
      switch try table.read(words) {
      case .show(let text): return show(text, .output)
      case .run(let run): reading = run
      }
    } catch {
      return refuse("\(error)", isJSON: words.contains("--json"))
    }
    let isJSON = reading.has("json")
    if let code = reading.text("explain") { return explain(code, isJSON: isJSON) }
    switch RunRequest.read(reading) {
    case .failure(let error): return refuse(error.message, isJSON: isJSON)
    case .success(let request):
      if request.arguments.isEmpty {
        return isJSON ? refuse("say which folder or document to check.", isJSON: true) : noArgument()
      }
      let isQuiet = reading.has("quiet")
      let report = await perform(request, showsProgress: !isJSON && !isQuiet)
      let milliseconds = Int((monotonicNanoseconds() - start) / 1_000_000)
      if isJSON {
        _ = show(String(decoding: JSONReport(report).bytes(milliseconds: milliseconds), as: UTF8.self), .output)
      } else {
        let choice = reading.text("color").flatMap { ColourChoice(rawValue: $0) } ?? .auto
        _ = show(TextReport(report, paint: OutputStream.output.paint(choice), isQuiet: isQuiet).text, .output)
      }
      return report.exit.rawValue
    }
  }

  // MARK: The run

  private static func perform(_ request: RunRequest, showsProgress: Bool) async -> RunReport {
    var report = RunReport(mode: request.mode, arguments: request.arguments.map(\.text))
    var jobs: [Job] = []
    var target: HostVolume?
    var drawings: HostVolume?
    var page: ReportTarget?
    do throws(UsageError) {
      let arguments = try request.arguments.map { (word) throws(UsageError) in try Argument.find(word) }
      if let word = request.target { target = try CopyTarget.volume(word, besides: arguments) }
      if let word = request.drawings { drawings = try CopyTarget.volume(word, besides: arguments) }
      if let word = request.report { page = try ReportTarget(word) }
      for argument in arguments {
        jobs += argument.packages.map { Job(argument: argument, package: $0) }
        for failure in argument.failures {
          report.add(RunReport.Item(report: failure, shown: argument.prefix, prefix: argument.prefix))
        }
      }
    } catch {
      report.fail(error.message, .usage)
      return report
    }
    if jobs.isEmpty && report.items.isEmpty {
      report.fail("no document (*.lnote) was found there.", .operational)
      return report
    }
    let progress = ProgressReport(isShown: showsProgress && OutputStream.error.isTerminal, jobs: jobs)
    let now = Timestamp(milliseconds: wallMilliseconds())
    let (reports, album) = await results(of: jobs, request: request, target: target, now: now) { count in
      progress.add(count)
    }
    progress.erase()
    for (place, (job, result)) in zip(jobs, reports).enumerated() {
      let prefix = request.target.map { "\($0.text)/" } ?? job.argument.prefix
      let shown = job.argument.prefix + job.package.description
      report.add(RunReport.Item(report: result, shown: shown, prefix: prefix))
      report.pictures[shown] = album.kept[place]
    }
    if let drawings, let word = request.drawings {
      report.draw(jobs.map { (target ?? $0.argument.volume, $0.package) }, to: drawings, named: word.text, now: now)
    }
    if let page {
      let html = HTMLReport(report, time: now, version: table.version, isPrivate: request.isPrivate)
      page.write(&report, html.bytes)
    }
    return report
  }

  /// The reports in the order of the jobs, of which `request.jobs` are done at a time.
  private static func results(
    of jobs: [Job], request: RunRequest, target: HostVolume?, now: Timestamp,
    progress: @escaping @Sendable (Int) -> Void
  ) async -> ([PackageReport], PictureAlbum) {
    let takesPictures = request.report != nil && !request.isPrivate
    return await withTaskGroup(of: (Int, PackageReport, [PagePictures]).self) { group in
      var found: [Int: PackageReport] = [:]
      var album = PictureAlbum()
      var next = 0
      while found.count < jobs.count {
        while next < jobs.count && next - found.count < request.jobs {
          let (index, job) = (next, jobs[next])
          group.addTask {
            let (report, pictures) = job.perform(
              mode: request.mode, target: target, now: now, takesPictures: takesPictures, progress: progress)
            return (index, report, pictures)
          }
          next += 1
        }
        guard let (index, report, pictures) = await group.next() else { break }
        found[index] = report
        album.add(pictures, of: index)
      }
      return (jobs.indices.compactMap { found[$0] }, album)
    }
  }

  private static func wallMilliseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }

  // MARK: Words

  private static func show(_ text: String, _ stream: OutputStream) -> CInt {
    do throws(OutputError) {
      try stream.write(text)
      return 0
    } catch {
      return error.isBrokenPipe ? 0 : FsckExit.operational.rawValue
    }
  }

  private static func noArgument() -> CInt {
    _ = show(firstScreen, .error)
    return FsckExit.usage.rawValue
  }

  /// Every usage error ends with status 16, and under --json with a summary.
  private static func refuse(_ message: String, isJSON: Bool) -> CInt {
    if isJSON {
      var report = RunReport(mode: .check, arguments: [])
      report.fail(message, .usage)
      _ = show(String(decoding: JSONReport(report).bytes(milliseconds: 0), as: UTF8.self), .output)
    } else {
      _ = show("lnote-fsck: \(printable(message))\nAll options: lnote-fsck --help\n", .error)
    }
    return FsckExit.usage.rawValue
  }

  private static func explain(_ code: String, isJSON: Bool) -> CInt {
    guard let kind = ProblemKind.named(code) else {
      return refuse("there is no code \"\(code)\". Docs/notes/problems.md lists them all.", isJSON: isJSON)
    }
    return show(kind.explanation, .output)
  }
}

/// One package of a run.
struct Job: Sendable {
  let argument: Argument
  let package: BytePath

  /// The report, and pictures of damaged pages where they are wanted.
  func perform(
    mode: RunReport.Mode, target: HostVolume?, now: Timestamp, takesPictures: Bool,
    progress: @escaping @Sendable (Int) -> Void
  ) -> (PackageReport, [PagePictures]) {
    var pictures = takesPictures ? PagePictures.before(of: package, in: argument.volume) : []
    let report = perform(mode: mode, target: target, now: now, progress: progress)
    if report.didChange { PagePictures.addAfter(to: &pictures, of: package, in: target ?? argument.volume) }
    return (report, pictures)
  }

  private func perform(
    mode: RunReport.Mode, target: HostVolume?, now: Timestamp, progress: @escaping @Sendable (Int) -> Void
  ) -> PackageReport {
    let fsck = Fsck(volume: argument.volume, now: now, progress: progress)
    switch mode {
    case .check: return fsck.check(package)
    case .repair(let mode): return fsck.repair(package, mode: mode)
    case .copy:
      guard let target else { return fsck.check(package) }
      return fsck.repairCopy(of: package, to: package, on: target)
    }
  }
}

/// The line on a terminal that says how far the run is.
final class ProgressReport: Sendable {
  private struct State {
    var line: ProgressLine
    var done = 0
  }

  private let state: Mutex<State>
  private let isShown: Bool

  init(isShown: Bool, jobs: [Job]) {
    self.isShown = isShown
    let total = isShown ? jobs.reduce(0) { $0 + ProgressReport.bytes(of: $1.package, in: $1.argument.volume) } : 0
    state = Mutex(
      State(
        line: ProgressLine(
          "checking", total: total, unit: .bytes, columns: OutputStream.error.columns, isShown: isShown,
          now: ProgressReport.now)))
  }

  func add(_ count: Int) {
    guard isShown else { return }
    let text = state.withLock { state in
      state.done += count
      return state.line.update(done: state.done, now: ProgressReport.now)
    }
    if let text { try? OutputStream.error.write(text) }
  }

  func erase() {
    if let text = state.withLock({ $0.line.erase() }) { try? OutputStream.error.write(text) }
  }

  private static var now: Int { Int(monotonicNanoseconds() / 1_000_000) }

  private static func bytes(of folder: BytePath, in volume: HostVolume) -> Int {
    var sum = 0
    for entry in (try? volume.entries(of: folder, countMax: SurveyLimits.namesMax)) ?? [] {
      let path = folder.appending(entry.name)
      guard let status = try? volume.status(at: path) else { continue }
      sum += status.kind == .directory ? bytes(of: path, in: volume) : Int(clamping: status.size)
    }
    return sum
  }
}
