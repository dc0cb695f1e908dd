import Files
import LNoteFormat

/// What a check or a repair of one package came to.
package struct PackageReport: Sendable {
  /// Where the package stands in its volume.
  package let package: BytePath
  /// False for a folder or an archive in which documents are: then the title is its name.
  package internal(set) var isDocument = true
  /// The identity in its document.json; nil where that cannot be read.
  package internal(set) var documentID: NoteID?
  /// Its title as far as it can be read; nil where nothing tells it.
  package internal(set) var title: String?
  /// How many pages it has.
  package internal(set) var pageCount = 0
  /// What was read.
  package internal(set) var verified = VerifiedCount()
  /// What was found first.
  package internal(set) var found: [Problem] = []
  /// What was done, in order; empty for a check.
  package internal(set) var actions: [RepairRecord] = []
  /// The problems that were repaired, in order; empty for a check.
  package internal(set) var repaired: [Problem] = []
  /// What was set aside: from where in the package, and where on the volume it is now.
  package internal(set) var asides: [(from: BytePath, to: BytePath)] = []
  /// What was found when it was checked again at the end. What was found first, where nothing was changed.
  package internal(set) var left: [Problem] = []
  /// The folder of what was set aside; nil where nothing was.
  package internal(set) var lostAndFound: BytePath?
  /// What stands before that folder for the user, where it is not beside the package.
  package internal(set) var asidePrefix: String?
  /// True where a copy of it was written.
  package internal(set) var isCopied = false
  /// What is not in the copy: links, pipes, sockets, devices.
  package internal(set) var leftOut: [PackageCopy.LeftOut] = []
  /// Unfinished copies of earlier runs that were removed.
  package internal(set) var removedCopies: [BytePath] = []
  /// Why a repair was not begun or not ended; nil where it was, or none was asked for.
  package internal(set) var refusal: RepairRefusal?
  /// Whether known losses were accepted by this run; nil where that was not asked for, or not begun.
  package internal(set) var accepted: Bool?
  /// What taking a repair back came to; nil where that was not asked for, or not begun.
  package internal(set) var undo: UndoReport?

  /// What a repair would do; nil where none was planned, or nothing is to be done.
  package internal(set) var plan: RepairPlan?
  /// The same with what it stands on.
  package internal(set) var planned: PlannedDocument?
  /// True where a plan was to be applied and nothing is left to be done.
  package internal(set) var isPlanDone = false

  init(package: BytePath) { self.package = package }

  /// What was found at the end and is not told, since the run is not about it.
  package internal(set) var hidden: [Problem] = []

  /// Adds what its surroundings tell of the package: its name, its neighbours, where it was found.
  package mutating func note(_ problems: [Problem], _ rules: FindingRules = FindingRules()) {
    let (told, untold) = rules.applied(to: problems)
    found += told
    left += told
    hidden += untold
  }

  /// The same report of what these rules tell; nothing was repaired.
  package func telling(_ rules: FindingRules) -> PackageReport {
    var report = self
    (report.found, report.left) = ([], [])
    report.note(found, rules)
    return report
  }

  /// True where a repair of this mode waits for another one that the run is not about.
  func isWaiting(_ mode: RepairMode) -> Bool {
    hidden.contains { $0.comesFirst } && left.contains { $0.action != nil && mode.allows($0.repairClass) }
  }

  /// True where this run changed something.
  package var didChange: Bool { actions.contains { $0.didChange } || undo?.didChange == true }

  /// How the run ends for this package.
  package var exit: FsckExit {
    var exit: FsckExit = []
    if didChange { exit.insert(.repaired) }
    if left.contains(where: { $0.severity >= .error && $0.repairClass != .operational }) {
      exit.insert(.errorsLeft)
    }
    if undo?.isUnfinished == true { exit.insert(.operational) }
    if case .cancelled = refusal { exit.insert(.cancelled) }
    if isRefused || left.contains(where: { $0.repairClass == .operational }) { exit.insert(.operational) }
    return exit
  }

  /// True where a repair was kept from being begun or ended, by something else than the user.
  private var isRefused: Bool {
    switch refusal {
    case nil, .cancelled: false
    case .operational, .noSpace, .failed, .unsettled, .planDiffers, .cannotBeCopied: true
    }
  }

  /// The codes of what was found first, with how often, from this severity on.
  package func codes(from severity: Severity = .info) -> [String: Int] {
    PackageReport.codes(of: found, from: severity)
  }

  /// The codes of what is left, with how often, from this severity on.
  package func codesLeft(from severity: Severity = .info) -> [String: Int] {
    PackageReport.codes(of: left, from: severity)
  }

  /// True where nothing above a note was found: "clean".
  package var isClean: Bool {
    (found + hidden).allSatisfy { $0.severity == .info && $0.repairClass != .operational }
  }

  /// True where a repair left no damage and no loss: what "no-loss" asks of `-y`.
  package var isWithoutLoss: Bool {
    refusal == nil && (left + hidden).allSatisfy { $0.severity < .error && $0.repairClass != .operational }
  }

  private static func codes(of problems: [Problem], from severity: Severity) -> [String: Int] {
    var counts: [String: Int] = [:]
    for problem in problems where problem.severity >= severity { counts[problem.kind.code, default: 0] += 1 }
    return counts
  }
}

/// One thing that a repair did or tried.
package struct RepairRecord: Sendable {
  /// The step.
  package let step: RepairStep
  /// False where it ended the repair.
  package let didSucceed: Bool
  /// True where the package is not as it was before.
  package var didChange: Bool { didSucceed }
}

/// Why a repair was not begun or not ended.
package enum RepairRefusal: Sendable {
  /// Something could not be read, or the package is open elsewhere: the problems say what.
  case operational
  /// Not enough room: bytes that are needed, bytes that are free.
  case noSpace(needed: UInt64, free: UInt64)
  /// It ended at this step; what was done before stays.
  case failed(RepairStep, RepairFailure)
  /// What would have to be set aside here is no file, and cannot be copied to the folder that the user named.
  case cannotBeCopied(BytePath, FileKind)
  /// A round of repair did not lead to a package in which nothing is left to repair.
  case unsettled
  /// The user ended it between two steps; what was done before stays.
  case cancelled
  /// The package is not what it was when the plan was made: where. Nothing was changed.
  case planDiffers([BytePath])
}
