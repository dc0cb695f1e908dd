import Files

/// What a run over several packages came to, and how the user called it.
package struct RunReport: Sendable {
  /// What the run was to do.
  package enum Mode: Hashable, Sendable {
    case check
    case repair(RepairMode)
    /// Repair what the user permits, one after the other.
    case ask
    /// Repair a copy; the text is the folder, as the user wrote it.
    case copy(to: String)
    /// Take the last repair back.
    case undo
    /// Accept known losses.
    case acceptLoss(LossPlace)
    /// Say what a repair would do.
    case plan(RepairMode)
    /// Do what a plan says, which was made before.
    case applyPlan
  }

  /// One package, or a folder that could not be searched.
  package struct Item: Sendable {
    /// What came of it.
    package let report: PackageReport
    /// Its path as the user would write it: "Notes/6F96....lnote".
    package let shown: String
    /// The same path, byte for byte.
    let path: BytePath
    /// What stands before a path of its volume, to show it to the user: "Notes/", or nothing.
    package let prefix: String
    /// True where it lies in an archive, in which nothing can be changed.
    package let isInArchive: Bool

    /// A package with the words for its place.
    ///
    /// - Parameter path: what `shown` shows, where that is not the same byte for byte.
    package init(
      report: PackageReport, shown: String, path: BytePath? = nil, prefix: String, isInArchive: Bool = false
    ) {
      self.isInArchive = isInArchive
      self.path = path ?? BytePath(shown)
      self.report = report
      self.shown = shown
      self.prefix = prefix
    }
  }

  /// What the run was to do.
  package let mode: Mode
  /// The packages and folders that the user named.
  package let arguments: [String]
  /// What came of each package, in the order of their paths.
  package private(set) var items: [Item] = []
  /// What was not about one package, in words.
  package private(set) var errors: [String] = []
  /// Folders that a service syncs and in which the run changes something, in the order of the run.
  package private(set) var synced: [SyncedFolder] = []
  /// The documents that were drawn, in the order of their paths; nil where none were to be.
  package internal(set) var drawings: [DocumentDrawing]?
  /// Where they were drawn to, as the user wrote it.
  package internal(set) var drawingsFolder = ""
  /// The file that the plan was written to, as the user wrote its name; nil where none was.
  package var planFile: String?
  /// The folders in which was looked for what is lacking, as the user wrote them.
  package var lookIn: [String] = []
  /// True where images that are missing were not looked for in all of the other documents.
  package var isLibraryTooLarge = false
  /// Pictures of damaged pages, by the `shown` of their item.
  package var pictures: [String: [PagePictures]] = [:]
  /// How closely was looked.
  package let level: CheckLevel
  /// What it was told to leave out.
  package var selection: RunSelection
  private var extraExit: FsckExit = []

  /// A run without packages yet.
  package init(
    mode: Mode, arguments: [String], level: CheckLevel = .default, selection: RunSelection = RunSelection()
  ) {
    self.mode = mode
    self.level = level
    self.selection = selection
    self.arguments = arguments
  }

  /// Adds a package.
  package mutating func add(_ item: Item) { items.append(item) }

  /// Adds something that is not about one package.
  package mutating func fail(_ message: String, _ exit: FsckExit) {
    errors.append(message)
    extraExit.formUnion(exit)
  }

  /// Says that something is to be changed in a folder that a service syncs.
  package mutating func note(_ folder: SyncedFolder) {
    if !synced.contains(folder) { synced.append(folder) }
  }

  /// Says that the run was ended before this many documents were begun.
  package mutating func cancel(notBegun count: Int) {
    fail(Sentences.cancelled(notBegun: count, of: documents.count + count), .cancelled)
  }

  /// The status of the whole run.
  package var exit: FsckExit {
    var exit = items.reduce(extraExit) { $0.union($1.report.exit) }
    let warns = { (problem: Problem) in problem.severity == .warning && problem.repairClass != .operational }
    if selection.isStrict, items.contains(where: { $0.report.left.contains(where: warns) }) { exit.insert(.errorsLeft) }
    return exit
  }

  /// What came of each document, without folders and archives around them.
  var documents: [Item] { items.filter(\.report.isDocument) }

  /// True where the run may change something.
  var isRepair: Bool {
    switch mode {
    case .check, .plan: false
    // Where nothing was permitted it is a check.
    case .ask: items.contains { $0.report.didChange || $0.report.refusal != nil }
    default: true
    }
  }

  /// True where only the plan of a repair is told.
  var isPlan: Bool { if case .plan = mode { true } else { false } }

  /// True where copies are written and repaired.
  var isCopy: Bool { if case .copy = mode { true } else { false } }

  /// What was read, in all.
  var verified: VerifiedCount {
    var all = VerifiedCount()
    for item in items { all += item.report.verified }
    return all
  }

  /// Elements that are known to be missing at the end, and not accepted.
  var elementsLost: UInt64 {
    items.reduce(0) { sum, item in
      sum
        + item.report.left.filter { $0.kind == .knownLoss && $0.severity == .error }
        .reduce(0) { $0 + $1.loss.elements }
    }
  }
}

extension RunReport {
  /// The same run without titles, pictures and what the user called folders; every figure stays.
  var withoutTitles: RunReport {
    var plain = RunReport(mode: mode, arguments: ["FOLDER"], level: level, selection: selection)
    if case .copy = mode {
      plain = RunReport(mode: .copy(to: "COPY"), arguments: ["FOLDER"], level: level, selection: selection)
    }
    (plain.errors, plain.extraExit) = (errors, extraExit)
    plain.isLibraryTooLarge = isLibraryTooLarge
    plain.lookIn = lookIn.map { _ in "BACKUP" }
    plain.items = items.enumerated().map { place, item in
      var report = item.report
      if report.title != nil { report.title = "Document \(place + 1)" }
      return Item(report: report, shown: "FOLDER/\(report.package.name)", prefix: "FOLDER/")
    }
    return plain
  }
}

extension PackageReport {
  /// Problems to show: a note that needs no word of its own in a sound document is left to the summary.
  var shown: [Problem] {
    // What stopped a repair before it began was not there to be found.
    let stopping =
      refusal == nil
      ? []
      : left.filter { problem in
        problem.saysAll || !found.contains { $0.kind == problem.kind }
      }
    let problems = actions.isEmpty ? stopping + found : left
    return problems.filter { problem in
      !(problem.kind == .foreignFile && problem.severity == .info)
        && !(problem.kind == .checksumMismatch && problem.severity == .info)
    }
  }

  /// True where something is damaged or missing.
  var isDamaged: Bool { left.contains { $0.severity >= .error && $0.repairClass != .operational } }

  /// True where something could not be checked or repaired.
  var isUnjudged: Bool { exit.contains(.operational) }
}
