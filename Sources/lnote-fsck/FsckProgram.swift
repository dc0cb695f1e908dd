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
        return isJSON ? refuse("say which folder, document or ZIP to check.", isJSON: true) : noArgument()
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
    let now = Timestamp(milliseconds: wallMilliseconds())
    do throws(UsageError) {
      var arguments: [Argument] = []
      for word in request.arguments {
        let found = try Argument.find(word, now: now)
        try request.refuseInPlace(found, word)
        arguments += found
        jobs += found.flatMap { argument in argument.packages.map { Job(argument: argument, package: $0) } }
          .sorted { BytePath($0.shown) < BytePath($1.shown) }
      }
      if let word = request.target { target = try CopyTarget.volume(word, besides: arguments) }
      if let word = request.drawings { drawings = try CopyTarget.volume(word, besides: arguments) }
      if let word = request.report { page = try ReportTarget(word) }
      for argument in arguments {
        for other in argument.others {
          report.add(
            RunReport.Item(
              report: other, shown: argument.prefix, prefix: argument.prefix, isInArchive: argument.isArchive))
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
    let (reports, album) = await results(of: jobs, request: request, target: target, now: now) { count in
      progress.add(count)
    }
    progress.erase()
    let duplicates = LibraryCheck.duplicates(
      among: zip(jobs, reports).map { job, report in (report.documentID, job.shown, job.package.isConflictCopy) })
    for (place, job) in jobs.enumerated() {
      var result = reports[place]
      result.note(job.package.notes + [duplicates[place]].compactMap(\.self))
      let prefix = request.target.map { "\($0.text)/" } ?? job.argument.prefix
      report.add(
        RunReport.Item(report: result, shown: job.shown, prefix: prefix, isInArchive: job.argument.isArchive))
      report.pictures[job.shown] = album.kept[place]
    }
    if let drawings, let word = request.drawings {
      report.draw(jobs.map { $0.outcome(target) }, to: drawings, named: word.text, now: now)
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
              request, target: target, now: now, takesPictures: takesPictures, progress: progress)
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
  let package: PackageFinder.Found

  /// Its path as the user would write it.
  var shown: String { argument.prefix + package.path.description }

  /// The report, and pictures of damaged pages where they are wanted.
  func perform(
    _ request: RunRequest, target: HostVolume?, now: Timestamp, takesPictures: Bool,
    progress: @escaping @Sendable (Int) -> Void
  ) -> (PackageReport, [PagePictures]) {
    var pictures = takesPictures ? PagePictures.before(of: package.path, in: argument.volume) : []
    let report = perform(request, target: target, now: now, progress: progress)
    if report.didChange {
      let (volume, path) = outcome(target)
      PagePictures.addAfter(to: &pictures, of: path, in: volume)
    }
    return (report, pictures)
  }

  /// Where a copy of the package is made.
  private var place: BytePath { argument.placePrefix.appending(package.place) }

  /// Where the package is when the run is over: in the copy, or where it was.
  func outcome(_ target: HostVolume?) -> (any Volume, BytePath) {
    target.map { ($0, place) } ?? (argument.volume, package.path)
  }

  private func perform(
    _ request: RunRequest, target: HostVolume?, now: Timestamp, progress: @escaping @Sendable (Int) -> Void
  ) -> PackageReport {
    let fsck = Fsck(volume: argument.volume, now: now, isAsIs: request.isAsIs, progress: progress)
    switch request.mode {
    case .check: return fsck.check(package.path)
    case .repair(let mode): return argument.isArchive ? fsck.check(package.path) : fsck.repair(package.path, mode: mode)
    case .undo: return fsck.undo(package.path)
    case .acceptLoss(let place): return fsck.acceptLoss(package.path, at: place)
    case .copy:
      guard let target else { return fsck.check(package.path) }
      return fsck.repairCopy(of: package.path, to: place, on: target)
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
    let total = isShown ? jobs.reduce(0) { $0 + ProgressReport.bytes(of: $1.package.path, in: $1.argument.volume) } : 0
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
