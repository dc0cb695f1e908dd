import Files
import LNoteFormat

/// Checks and repairs packages on a volume: the host's, or a fault disk's in this process.
///
/// A check writes nothing. A repair works in rounds: survey, checks, plan, steps; the last round finds nothing that
/// the mode allows to be repaired, so that a second run has nothing to do.
package struct Fsck: Sendable {
  /// How many rounds a repair may take: the document, the pages, the images, what they leave unused, and looking.
  static let roundsMax = 8
  /// How long the program waits for what a copy or a sync may still bring.
  package static let settlingSecondsDefault: Int64 = 30

  let volume: any Volume
  let now: Timestamp
  private let memory: SurveyMemory?
  let isAsIs: Bool
  let level: CheckLevel
  let rules: FindingRules
  /// Where repairs set aside what they replace; nil for a folder beside each package.
  let quarantine: Quarantine?
  /// Folders in which files are looked for that packages lack.
  let lookIn: [LookIn]
  /// The packages around this one, in which images are looked for that it lacks; nil for none.
  let library: LibraryLook?
  /// For how many seconds after a file was written more of a package may still be coming; 0 where nothing comes.
  private let settlingSeconds: Int64
  private let progress: @Sendable (Int) -> Void
  let isStopped: @Sendable () -> Bool
  /// Waits a little for a package that is open elsewhere; false where that was long enough. Nil to wait for none.
  let waits: (@Sendable () -> Bool)?
  /// Asked before each repair, with what would be done; nil where none is asked for.
  let permits: (@Sendable (PackageReport) -> Bool)?

  /// A checker of packages on this volume.
  ///
  /// - Parameters:
  ///   - now: the time that repairs are stamped with.
  ///   - isAsIs: true to repair also a copy of what is not all here; what is absent keeps its place.
  ///   - level: how closely packages are looked at; `quick` is for `check` alone.
  ///   - rules: which findings are told and repaired.
  ///   - quarantine: where repairs set aside what they replace; nil for a folder beside each package.
  ///   - lookIn: folders in which what a package lacks is looked for, such as backups; only read.
  ///   - library: the packages around those that are checked, in which images are looked for too; only read.
  ///   - settlingSeconds: for how long after its last file a package without document.json may still be arriving.
  ///   - memory: what other surveys found out about the same bytes; only of use where the volume names contents.
  ///   - progress: gets the number of bytes read, as they are read.
  ///   - isStopped: asked before each step of a repair; true ends it there.
  ///   - waits: asked while another program has a package open; waits a little, or is false. Nil to wait for none.
  ///   - permits: asked before each repair of `repair`, with the problem and its plan; nil to do what the mode allows.
  package init(
    volume: any Volume, now: Timestamp, isAsIs: Bool = false, level: CheckLevel = .default,
    rules: FindingRules = FindingRules(), quarantine: Quarantine? = nil, lookIn: [LookIn] = [],
    library: LibraryLook? = nil, settlingSeconds: Int64 = 0, memory: SurveyMemory? = nil,
    progress: @escaping @Sendable (Int) -> Void = { _ in }, isStopped: @escaping @Sendable () -> Bool = { false },
    waits: (@Sendable () -> Bool)? = nil, permits: (@Sendable (PackageReport) -> Bool)? = nil
  ) {
    self.volume = volume
    self.now = now
    self.isAsIs = isAsIs
    self.level = level
    self.rules = rules
    self.quarantine = quarantine
    self.lookIn = lookIn
    self.library = library
    self.settlingSeconds = settlingSeconds
    self.memory = memory
    self.progress = progress
    self.isStopped = isStopped
    self.waits = waits
    self.permits = permits
  }

  /// Looks at a package and changes nothing. `package` is its path on the volume, never the root.
  package func check(_ package: BytePath) -> PackageReport { looked(at: package).report }

  /// What a look at the package comes to, with the facts that it was made of.
  func looked(at package: BytePath) -> (report: PackageReport, facts: PackageFacts) {
    awaitLock(package)
    let facts = survey(package, holdsLock: false)
    var report = PackageReport(package: package)
    report.take(facts)
    report.found = problems(in: facts, &report)
    report.left = report.found
    return (report, facts)
  }

  /// What is wrong with a package, as far as the run is about it; the rest is noted in the report.
  func problems(in facts: PackageFacts, _ report: inout PackageReport) -> [Problem] {
    let (told, hidden) = rules.applied(to: Checks.problems(in: facts))
    report.hidden = hidden
    return told
  }

  func survey(_ package: BytePath, holdsLock: Bool) -> PackageFacts {
    var facts = PackageSurvey.facts(
      of: package, in: volume, holdsLock: holdsLock, isAsIs: isAsIs, level: level, places: places(for: package),
      memory: memory, progress: progress)
    facts.checkedAt = now
    facts.arrival = Arrival(facts, now: now, settlingSeconds: settlingSeconds)
    if level == .quick { return facts }
    if !lookIn.isEmpty { facts.elsewhere = ElsewhereSurvey.facts(for: facts, in: lookIn) }
    if let library {
      let known = Set(facts.elsewhere.images.keys)
      let images = library.images(lackedBy: facts, besides: known, source: lookIn.count)
      facts.elsewhere.images.merge(images) { first, _ in first }
    }
    let own = ownLook.images(lackedBy: facts)
    facts.elsewhere.images.merge(own.twins) { _, twin in twin }
    facts.elsewhere.images.merge(own.setAside) { first, _ in first }
    // Where it is too old to take the document's place, it still tells the order of pages, and known losses.
    if facts.document.trusted == nil, let older = facts.elsewhere.document?.record,
      older.generation > facts.setAside?.generation ?? 0
    {
      facts.setAside = older
    }
    return facts
  }

  /// Repairs a package as far as `mode` allows, with its lock held. `package` is its path on the volume.
  package func repair(_ package: BytePath, mode: RepairMode) -> PackageReport {
    withLock(of: package, for: mode) { (holdsLock) throws(FileCallError) in
      let place = place(for: package)
      let stamp = try LostAndFound.freeStamp(at: now, in: place)
      let lostAndFound = LostAndFound(volume: volume, package: package, place: place, stamp: stamp)
      defer { lostAndFound.close() }
      return rounds(package, mode: mode, stamp: stamp, lostAndFound: lostAndFound, holdsLock: holdsLock)
    }
  }

  /// Copies a package to `place` of another volume and repairs the copy; the source is only read.
  ///
  /// The source's lock is held while it is copied. A source that cannot be read whole is not copied.
  package func repairCopy(
    of package: BytePath, to place: BytePath, on target: any Volume
  ) -> PackageReport {
    var report = check(package)
    if (report.found + report.hidden).contains(where: { $0.keepsFromCopying(isAsIs) }) {
      report.refusal = .operational
      return report
    }
    if isStopped() {
      report.refusal = .cancelled
      return report
    }
    var copy = PackageCopy(from: volume, to: target, progress: progress)
    do throws(FileCallError) {
      let folder = try takeLock(package).folder
      // The source is only read: it needs no lock that cannot be had.
      guard let folder else {
        report.refusal = .operational
        return report
      }
      defer { try? volume.close(folder) }
      try copy.copy(package, to: place, now: now)
    } catch {
      report.refuseCopy(place, FileCallFailure(error))
      return report
    }
    let fsck = Fsck(
      volume: target, now: now, isAsIs: isAsIs, level: level, rules: rules, lookIn: lookIn, library: library,
      progress: progress, isStopped: isStopped, permits: permits)
    var repaired = fsck.repair(place, mode: .all)
    repaired.isCopied = true
    repaired.leftOut = copy.leftOut
    repaired.removedCopies = copy.removed
    // What was found is what the source is like: links and pipes are not in the copy at all.
    repaired.found = report.found
    return repaired
  }

  /// What `body` comes to with the package's lock held; a check instead where that cannot begin.
  ///
  /// Where the file system refuses locks nobody can say whether the document is open. What the user asked for is done
  /// all the same, but not what this mode does unasked; `body` is told whether the lock is held.
  func withLock(
    of package: BytePath, for mode: RepairMode, _ body: (_ holdsLock: Bool) throws(FileCallError) -> PackageReport
  ) -> PackageReport {
    do throws(FileCallError) {
      let (lock, folder) = try takeLock(package)
      guard let folder else { return notBegun(package, lock) }
      // Let go before the check of a body that failed, which would call the document open.
      defer { try? volume.close(folder) }
      if lock == .unavailable && mode == .automatic { return notBegun(package, lock) }
      return try body(lock == .free)
    } catch {
      return notBegun(package, because: error)
    }
  }

  /// A check in the place of a repair that was not begun, because another program has the document.
  private func notBegun(_ package: BytePath, _ lock: PackageLock) -> PackageReport {
    var report = check(package)
    // It may have been closed just now: the repair was refused all the same.
    let problem = PackageCheck.problem(of: lock)
    if !report.found.contains(where: { $0.kind == problem.kind }) { report.left.append(problem) }
    report.refusal = .operational
    return report
  }

  /// The same, because a call failed.
  private func notBegun(_ package: BytePath, because error: FileCallError) -> PackageReport {
    var report = check(package)
    report.refusal = report.refusalWithoutLock
    if report.refusal == nil, !(report.found + report.hidden).contains(where: { $0.kind == .notAPackage }) {
      report.refuseBegin(error)
    }
    return report
  }

  private func rounds(
    _ package: BytePath, mode: RepairMode, stamp: RepairStamp, lostAndFound: LostAndFound, holdsLock: Bool
  ) -> PackageReport {
    var report = PackageReport(package: package)
    var declined: Set<DeclinedRepair> = []
    for round in 0..<Fsck.roundsMax {
      let facts = survey(package, holdsLock: holdsLock)
      let problems = problems(in: facts, &report)
      report.take(facts)
      if round == 0 { report.found = problems }
      report.left = problems
      if problems.contains(where: { $0.isTrouble(isAsIs) }) {
        report.refusal = .operational
        return report
      }
      if report.isWaiting(mode) { return report }
      let chosen = permitted(problems, in: facts, mode: mode, stamp: stamp, &declined)
      if permits != nil && isStopped() { return cancelled(report, lostAndFound) }
      let plan = RepairPlan(for: chosen, in: facts, mode: mode, stamp: stamp)
      if plan.isEmpty { return report }
      if let refusal = obstacle(to: plan, for: chosen, in: facts, mode: mode) {
        report.refuse(refusal)
        return report
      }
      let work = RepairWork(steps: plan.steps, stamp: stamp, round: round)
      guard perform(work, lostAndFound, &report) else {
        // The other package may have set the image aside just now: then it is found there.
        if library == nil || !report.lostSight(of: lookIn.count) { return report }
        report.refusal = nil
        continue
      }
      report.repaired += plan.problems
      report.finish(lostAndFound)
    }
    report.refusal = .unsettled
    return report
  }

  /// The report of a repair that the user ended between two steps: what was done, and what is left.
  func cancelled(_ unfinished: PackageReport, _ lostAndFound: LostAndFound) -> PackageReport {
    var report = unfinished
    report.finish(lostAndFound)
    report.refusal = .cancelled
    guard report.didChange else { return report }
    let facts = survey(report.package, holdsLock: true)
    report.take(facts)
    report.left = problems(in: facts, &report)
    return report
  }

  /// Too little room for the plan; asked before anything is changed.
  func shortage(for plan: RepairPlan, in facts: PackageFacts) -> RepairRefusal? {
    let room = plan.room(in: facts)
    // A file system that does not say is tried.
    guard let free = try? volume.freeSpace() else { return nil }
    if free.bytes >= room.bytes && free.inodes >= room.names { return nil }
    return .noSpace(needed: room.bytes, free: free.bytes)
  }
}

extension PackageReport {
  /// Title, counts and what was verified.
  mutating func take(_ facts: PackageFacts) {
    let view = PackageView(facts)
    title = facts.title ?? title
    documentID = facts.document.trusted?.id ?? documentID
    pageCount = max(view.entries.count, view.document == nil ? facts.pages.count : 0)
    verified = facts.verified
  }

  mutating func finish(_ lostAndFound: LostAndFound) {
    asides = lostAndFound.moved
    if !asides.isEmpty { self.lostAndFound = lostAndFound.folder }
    asidePrefix = lostAndFound.place.shown
  }

  /// True where the repair ended since a file of this source is not there any more.
  fileprivate func lostSight(of source: Int) -> Bool {
    guard case .failed(let step, .call(let failure, _)) = refusal, case .fetch(let file) = step.work else {
      return false
    }
    return file.source == source && failure.errno.name == "ENOENT"
  }

  /// What kept the repair from going on is a problem of its own.
  mutating func refuse(_ refusal: RepairRefusal) {
    self.refusal = refusal
    switch refusal {
    case .noSpace(let needed, let free):
      left.append(
        Problem(
          .noSpaceForRepair, evidence: "\(needed) bytes needed, \(free) free",
          slots: ["needed": Sentences.size(needed), "free": Sentences.size(free)]))
    case .failed(let step, .call(let failure, let path)):
      var problem = ObstacleCheck.problem(of: failure, path: step.path, what: "\(path)")
      problem.statement = Sentences.repairEnded(at: path, failure)
      problem.saysAll = !failure.isOfTheDisk
      left.append(problem)
    case .failed(let step, .changed(let path)):
      left.append(Problem(.changedDuringCheck, path: step.path, slots: ["what": "\(path)"]))
    case .cannotBeCopied(let path, let kind):
      var problem = Problem(.unexpectedType, repairClass: .operational, path: path)
      problem.statement = Sentences.cannotBeCopied(path, kind)
      problem.saysAll = true
      left.append(problem)
    case .planDiffers(let changed):
      var problem = Problem(.changedDuringCheck, path: changed.first)
      problem.statement = Sentences.planDiffers(changed)
      problem.saysAll = true
      left.append(problem)
    case .operational, .unsettled, .cancelled: break
    }
  }

  mutating func refuseBegin(_ error: FileCallError) {
    refusal = .operational
    let failure = FileCallFailure(error)
    let place = error.paths.last ?? package
    var problem = ObstacleCheck.problem(of: failure, path: nil, what: "\(place)")
    problem.statement = Sentences.repairNotBegun(at: place, failure)
    problem.saysAll = !failure.isOfTheDisk
    left.append(problem)
  }

  fileprivate mutating func refuseCopy(_ place: BytePath, _ failure: FileCallFailure) {
    refusal = .operational
    var problem = ObstacleCheck.problem(of: failure, path: nil, what: "\(place)")
    problem.statement = Sentences.copyFailed(place, failure)
    problem.saysAll = !failure.isOfTheDisk
    left.append(problem)
  }

  /// A package that is open elsewhere is not repaired; one that is none has nothing to repair.
  fileprivate var refusalWithoutLock: RepairRefusal? {
    let isOperational = found.contains { $0.kind == .inUse || $0.repairClass == .operational }
    return isOperational ? .operational : nil
  }
}

extension Problem {
  /// True where nothing is to be repaired before it is out of the way.
  func isTrouble(_ isAsIs: Bool) -> Bool {
    repairClass == .operational && !(isAsIs && kind == .notDownloaded)
  }

  /// True where a copy would not be what the package is: something was not read, or lies behind a link.
  fileprivate func keepsFromCopying(_ isAsIs: Bool) -> Bool {
    isTrouble(isAsIs) || kind == .inUse || kind == .notAPackage
      || kind == .symlinkInside && repairClass == .report
  }
}

extension FileCallFailure {
  /// True where the disk, the cable, the network or the rights may be to blame; false where something is in the way.
  fileprivate var isOfTheDisk: Bool {
    !["EEXIST", "ELOOP", "ENOTDIR", "ENOTEMPTY", "EISDIR", "ENOSPC", "EDQUOT", "EROFS", "ENAMETOOLONG"]
      .contains(errno.name)
  }
}

extension PackageFacts {
  /// The title, from whatever tells it best.
  var title: String? {
    switch document.content {
    case .whole(let record), .unverified(let record), .mismatched(let record): record.title
    case .faulty(let mended):
      mended.faults.contains { $0.field == .title } ? manifest.record?.title : mended.record.title
    case .damaged(_, _, _, let salvaged), .zeros(let salvaged): salvaged.title ?? manifest.record?.title
    default: manifest.record?.title
    }
  }
}
