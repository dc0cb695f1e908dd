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
  static func run(_ words: [Word], _ interruption: Interruption) async -> CInt {
    BrokenPipe.becomesAnError
    let start = monotonicNanoseconds()
    let reading: OptionReading
    do throws(OptionError) {
      switch try table.read(words) {
      case .show(let text): return show(text, .output)
      case .run(let run): reading = run
      }
    } catch {
      interruption.claimOutput()
      return refuse("\(error)", isJSON: asksForJSON(words))
    }
    let isJSON = reading.has("json")
    if let code = reading.text("explain") {
      interruption.claimOutput()
      return isJSON ? refuse("--explain and --json do not go together.", isJSON: true) : explain(code)
    }
    if reading.has("carve") { return carve(reading, start: start, interruption) }
    switch RunRequest.read(reading) {
    case .failure(let error):
      interruption.claimOutput()
      return refuse(error.message, isJSON: isJSON)
    case .success(let request):
      if request.asks && !Questions.canBeAsked {
        interruption.claimOutput()
        return refuse(Questions.needTerminal, isJSON: isJSON)
      }
      if request.arguments.isEmpty {
        interruption.claimOutput()
        return isJSON ? refuse("say which folder, document or ZIP to check.", isJSON: true) : noArgument()
      }
      interruption.begins(request)
      let isQuiet = reading.has("quiet")
      let report = await perform(request, showsProgress: !isJSON && !isQuiet, interruption)
      interruption.claimOutput()
      let milliseconds = Int((monotonicNanoseconds() - start) / 1_000_000)
      if isJSON {
        let lines = String(decoding: JSONReport(report).bytes(milliseconds: milliseconds), as: UTF8.self)
        return report.exit.rawValue | show(lines, .output)
      }
      let choice = reading.text("color").flatMap { ColourChoice(rawValue: $0) } ?? .auto
      let text = TextReport(report, paint: OutputStream.output.paint(choice), isQuiet: isQuiet).text
      return report.exit.rawValue | show(text, .output)
    }
  }

  private static func carve(_ reading: OptionReading, start: Int64, _ interruption: Interruption) -> CInt {
    let now = Timestamp(milliseconds: wallMilliseconds())
    let (isJSON, isQuiet) = (reading.has("json"), reading.has("quiet"))
    let report = CarveRun.perform(reading, now: now, showsProgress: !isJSON && !isQuiet, interruption)
    interruption.claimOutput()
    if isJSON {
      let milliseconds = Int((monotonicNanoseconds() - start) / 1_000_000)
      let lines = String(decoding: CarveJSON(report).bytes(milliseconds: milliseconds), as: UTF8.self)
      return report.exit.rawValue | show(lines, .output)
    }
    let choice = reading.text("color").flatMap { ColourChoice(rawValue: $0) } ?? .auto
    let isUsage = report.exit.contains(.usage)
    let text = CarveText(report, paint: OutputStream.output.paint(choice), isQuiet: isQuiet).text
    return report.exit.rawValue
      | show(text + (isUsage ? "All options: lnote-fsck --help\n" : ""), isUsage ? .error : .output)
  }

  // MARK: The run

  private static func perform(
    _ request: RunRequest, showsProgress: Bool, _ interruption: Interruption
  ) async -> RunReport {
    var report = request.newReport
    var jobs: [Job] = []
    var target: HostVolume?
    var drawings: HostVolume?
    var page: ReportTarget?
    var planTarget: ReportTarget?
    let now = Timestamp(milliseconds: wallMilliseconds())
    do throws(UsageError) {
      if request.mayDraw, let obstacle = RunReport.drawingObstacle { throw UsageError(obstacle, exit: .operational) }
      var arguments: [Argument] = []
      for word in request.arguments {
        let found = try Argument.find(word, now: now)
        try request.refuseInPlace(found, word)
        arguments += found
        jobs += found.flatMap { argument in
          let library = argument.library
          return argument.packages.map { Job(argument: argument, package: $0, library: library) }
        }
        .sorted { BytePath($0.shown) < BytePath($1.shown) }
      }
      if let word = request.target { target = try CopyTarget.volume(word, besides: arguments) }
      if let word = request.drawings { drawings = try CopyTarget.volume(word, besides: arguments) }
      if let word = request.report { page = try ReportTarget(word) }
      if request.mode == .applyPlan, let word = request.planFile {
        jobs = try PlanFile.read(word).jobs(among: jobs, word)
      }
      jobs = report.choose(among: jobs)
      try request.chooseFolders(for: &jobs, &report)
      if request.mode != .applyPlan, let word = request.planFile { planTarget = try ReportTarget(word) }
      report.addOthers(of: arguments)
    } catch {
      report.fail(error.message, error.exit)
      return report
    }
    if report.selection.documentsInAll == 0 && report.items.isEmpty {
      report.fail("no document (*.lnote) was found there.", .operational)
      return report
    }
    let progress = ProgressReport(
      isShown: showsProgress && OutputStream.error.isTerminal, jobs: jobs,
      options: request.options)
    interruption.tellsStatus { progress.status }
    let questions = request.asks ? Questions(progress, interruption) : nil
    for place in jobs.indices { jobs[place].questions = questions }
    let (found, album) = await results(
      of: jobs, request: request, target: target, now: now, progress: progress, interruption)
    progress.erase()
    let notBegun = jobs.count - found.count
    report.isLibraryTooLarge = jobs.contains { $0.library?.isOver == true }
    report.add(found, of: jobs, copiedTo: request.target, album)
    if notBegun > 0 || report.exit.contains(.cancelled) {
      report.cancel(notBegun: notBegun)
    } else {
      if let drawings, let word = request.drawings {
        report.draw(jobs.map { $0.outcome(target) }, to: drawings, named: word.text, now: now)
      }
      if let planTarget, case .plan(let mode) = request.mode {
        PlanFile.write(&report, to: planTarget, mode: mode, now: now)
      }
    }
    if let page {
      let html = HTMLReport(report, time: now, version: table.version, isPrivate: request.isPrivate)
      page.write(&report, html.bytes)
    }
    return report
  }

  /// Handing a document to a worker costs as much as looking at a small one, so of many it gets some at a time.
  private static let jobsOfTaskMax = 16
  /// A worker comes back so often at the least, for the others and for the progress.
  private static let tasksOfWorker = 32

  /// The reports in the order of the jobs, of which `request.jobs` are done at a time; of the first jobs only, where
  /// the user ends the run.
  private static func results(
    of jobs: [Job], request: RunRequest, target: HostVolume?, now: Timestamp, progress: ProgressReport,
    _ interruption: Interruption
  ) async -> ([PackageReport], PictureAlbum) {
    let takesPictures = request.report != nil && !request.isPrivate && request.options.level != .quick
    let questions = jobs.first?.questions
    let isOver: @Sendable () -> Bool = { interruption.isStopped || questions?.isOver == true }
    let few = min(jobsOfTaskMax, max(1, jobs.count / (request.jobs * tasksOfWorker)))
    return await withTaskGroup(of: [(Int, PackageReport, [PagePictures])].self) { group in
      var found: [Int: PackageReport] = [:]
      var album = PictureAlbum()
      var (next, running) = (0, 0)
      while true {
        while next < jobs.count && running < request.jobs && !isOver() {
          let indices = next..<min(next + few, jobs.count)
          group.addTask {
            var done: [(Int, PackageReport, [PagePictures])] = []
            for index in indices where done.isEmpty || !isOver() {
              let (report, pictures) = jobs[index].perform(
                request, target: target, now: now, takesPictures: takesPictures, progress: progress, interruption)
              done.append((index, report, pictures))
            }
            return done
          }
          (next, running) = (indices.upperBound, running + 1)
        }
        guard let done = await group.next() else { break }
        running -= 1
        for (index, report, pictures) in done {
          found[index] = report
          progress.addDocument(isLast: found.count == jobs.count)
          album.add(pictures, of: index)
        }
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

  /// True where the words ask for JSON, also where the rest of them makes no sense.
  static func asksForJSON(_ words: [Word]) -> Bool {
    words.prefix { $0 != "--" }.contains { ["--json", "--jso", "--js"].contains($0) }
  }

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

  private static func explain(_ code: String) -> CInt {
    guard let kind = ProblemKind.named(code) else {
      return refuse("there is no code \"\(code)\". Docs/notes/problems.md lists them all.", isJSON: false)
    }
    return show(kind.explanation, .output)
  }
}

/// One package of a run.
struct Job: Sendable {
  let argument: Argument
  let package: PackageFinder.Found
  /// The plan that is to be applied, and what it says of this package; nil where none is.
  var plan: SavedPlan?
  var planned: PlannedDocument?
  /// Where what is replaced is set aside; nil for beside the document.
  var quarantine: Quarantine?
  /// Where what the document lacks is looked for.
  var lookIn: [LookIn] = []
  /// The documents around it, in which images are looked for that it lacks.
  var library: LibraryLook?
  /// Who is asked before each repair; nil where nobody is.
  var questions: Questions?

  /// Its path as the user would write it.
  var shown: String { argument.prefix + package.path.description }

  /// The same path, byte for byte.
  var path: BytePath { BytePath(bytes: argument.prefixPath.bytes + package.path.bytes) }

  /// The report, and pictures of damaged pages where they are wanted.
  func perform(
    _ request: RunRequest, target: HostVolume?, now: Timestamp, takesPictures: Bool, progress: ProgressReport,
    _ interruption: Interruption
  ) -> (PackageReport, [PagePictures]) {
    var pictures = takesPictures ? PagePictures.before(of: package.path, in: argument.volume) : []
    let report = perform(request, target: target, now: now, progress: progress, interruption)
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
    _ request: RunRequest, target: HostVolume?, now: Timestamp, progress: ProgressReport, _ interruption: Interruption
  ) -> PackageReport {
    progress.begins(shown)
    let wait = LockWait(seconds: request.options.lockWait, shown: shown, progress, interruption)
    let fsck = Fsck(
      volume: argument.volume, now: now, isAsIs: request.isAsIs, level: request.options.level,
      rules: request.options.selection.rules, quarantine: quarantine, lookIn: lookIn, library: library,
      // Nothing comes into an archive any more.
      settlingSeconds: argument.isArchive ? 0 : Fsck.settlingSecondsDefault,
      progress: { progress.add($0) },
      isStopped: { interruption.isStopped },
      waits: wait?.goesOn,
      permits: questions?.permits(shown))
    switch request.mode {
    case .check: return fsck.check(package.path)
    case .repair(let mode): return argument.isArchive ? fsck.check(package.path) : fsck.repair(package.path, mode: mode)
    case .ask: return argument.isArchive ? fsck.check(package.path) : fsck.repair(package.path, mode: .all)
    case .undo: return fsck.undo(package.path)
    case .plan(let mode): return fsck.plan(package.path, mode: mode)
    case .applyPlan:
      guard let plan, let planned else { return fsck.check(package.path) }
      return fsck.apply(planned, of: plan, to: package.path)
    case .acceptLoss(let place): return fsck.acceptLoss(package.path, at: place)
    case .copy:
      guard let target else { return fsck.check(package.path) }
      return fsck.repairCopy(of: package.path, to: place, on: target)
    }
  }
}
