import Files
import LNoteFormat
import LNoteFsck
import Terminal

/// What a check of all packages found.
struct CheckSummary {
  /// One kind of problem, and how often it was found.
  struct Found {
    let code: String
    let name: String
    let severity: Severity
    let count: Int

    var isError: Bool { severity >= .error }
    var isWarningOrError: Bool { severity >= .warning }
  }

  /// The kinds, sorted by code.
  let problems: [Found]

  init(problems: [Found]) { self.problems = problems }

  /// in-use: the package is open in a program.
  private static let openElsewhere = "LN0002"

  /// The kinds of these problems; that the store has the package open is no finding here.
  init(of problems: [Problem]) {
    let others = problems.filter { $0.kind.code != CheckSummary.openElsewhere }
    let codes = Set(others.map(\.kind.code)).sorted()
    self.problems = codes.compactMap { code in
      let same = others.filter { $0.kind.code == code }
      guard let first = same.first, let severity = same.map(\.severity).max() else { return nil }
      return Found(code: code, name: first.kind.name, severity: severity, count: same.count)
    }
  }

  /// Nothing above a note.
  var isClean: Bool { !problems.contains(where: \.isWarningOrError) }

  /// "found asset-orphan (LN4002) x1", or "found nothing".
  var sentence: String {
    if problems.isEmpty { return "found nothing" }
    return "found " + problems.map { "\($0.name) (\($0.code)) x\($0.count)" }.joined(separator: ", ")
  }
}

/// What a repair of all packages came to.
struct RepairOutcome {
  /// What was done, as sentences.
  var repairs: [String] = []
  /// True where something was changed.
  var didChange = false
  /// What was found before.
  var found = CheckSummary(problems: [])
  /// What its last look found.
  var left = CheckSummary(problems: [])
  /// Why a repair was refused or ended early; nil where none was.
  var refusal: String?
  /// True where nothing damaged and no loss is left.
  var isWithoutLoss = true
}

/// Asks the checker about all packages on a volume.
struct PackageCheck {
  let volume: any Volume
  /// True where the store under test draws small pictures of pages; else nobody misses one.
  var expectsThumbnails: Bool
  /// What other checks found out about the same bytes.
  var memory: SurveyMemory?

  /// Repairs in scenarios all happen at one moment: 2026-11-30 14:02:12 UTC.
  private static let now = Timestamp(milliseconds: 1_796_047_332_000)

  private static let withoutThumbnails: FindingRules = {
    var rules = FindingRules()
    for code in ["LN5101", "LN5102", "LN5103", "LN5104"] {
      if let kind = ProblemKind.named(code) { rules.weigh(kind, as: .ignore) }
    }
    return rules
  }()

  private var fsck: Fsck {
    let rules = expectsThumbnails ? FindingRules() : PackageCheck.withoutThumbnails
    return Fsck(volume: volume, now: PackageCheck.now, rules: rules, memory: memory)
  }

  /// Looks, and changes nothing.
  func check(_ packages: [BytePath]) -> CheckSummary {
    CheckSummary(of: packages.flatMap { fsck.check($0).found })
  }

  /// Does what `lnote-fsck -y` does.
  func repair(_ packages: [BytePath]) -> RepairOutcome {
    var outcome = RepairOutcome()
    var found: [Problem] = []
    var left: [Problem] = []
    for package in packages {
      let report = fsck.repair(package, mode: .all)
      found += report.found
      left += report.left
      if report.didChange {
        outcome.didChange = true
        outcome.repairs += RepairPhrases.sentences(from: report.codes(), to: report.codesLeft())
      }
      if report.refusal != nil {
        outcome.refusal = report.left.last?.message ?? "the repair did not come to an end"
      }
      if !report.isWithoutLoss { outcome.isWithoutLoss = false }
    }
    outcome.found = CheckSummary(of: found)
    outcome.left = CheckSummary(of: left)
    return outcome
  }
}

/// How reports call what a repair did, by the code of the problem that went away.
enum RepairPhrases {
  private static let phrases: [String: (one: String, many: String)] = [
    "LN1203": ("1 empty file made anew", "# empty files made anew"),
    "LN1204": ("1 file of zeros made anew", "# files of zeros made anew"),
    "LN1205": ("1 file of zeros made anew", "# files of zeros made anew"),
    "LN1501": ("1 left-over file set aside", "# left-over files set aside"),
    "LN1502": ("1 interrupted save finished", "# interrupted saves finished"),
    "LN1503": ("1 file brought back from its temporary file", "# files brought back from their temporary files"),
    "LN1504": ("1 second name set aside", "# second names set aside"),
    "LN2001": ("rebuilt document.json", "rebuilt # documents"),
    "LN2002": ("rebuilt document.json", "rebuilt # documents"),
    "LN2007": ("1 page entry corrected", "# page entries corrected"),
    "LN3001": ("what is left of 1 page saved", "what is left of # pages saved"),
    "LN3002": ("what is left of 1 page saved", "what is left of # pages saved"),
    "LN4002": ("1 photo that no page uses: set aside", "# photos that no page uses: set aside"),
    "LN5001": ("library entry written anew", "# library entries written anew"),
    "LN5002": ("library entry written anew", "# library entries written anew"),
    "LN5101": ("small pictures drawn", "small pictures drawn"),
    "LN5102": ("small pictures drawn anew", "small pictures drawn anew"),
    "LN5103": ("small pictures drawn anew", "small pictures drawn anew"),
    "LN5104": ("unused small pictures set aside", "unused small pictures set aside"),
    "LN5003": ("library entry brought up to date", "# library entries brought up to date"),
  ]

  /// One sentence for each kind of problem that is gone, in the order of the codes.
  static func sentences(from found: [String: Int], to left: [String: Int]) -> [String] {
    found.keys.sorted().compactMap { code in
      let count = (found[code] ?? 0) - (left[code] ?? 0)
      guard count > 0 else { return nil }
      let name = ProblemKind.all.first { $0.code == code }?.name ?? code
      let phrase = phrases[code] ?? ("1 repair of \(name)", "# repairs of \(name)")
      return count == 1 ? phrase.one : phrase.many.replacing("#", with: Figures.grouped(count))
    }
  }
}
