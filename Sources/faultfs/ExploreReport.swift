import CrashModel
import Exploring
import Files
import Terminal

/// One kind of failure with its example, ready to be told.
struct ExploreExample {
  /// The class.
  let found: FailureClass
  /// Where its tree was kept; nil for nowhere.
  let kept: BytePath?
  /// The name by which it can be looked at again.
  let name: String?
  /// Why the state is possible; nil where it cannot be explained.
  let explanation: CrashExplanation?
  /// What the running kernel said, one line a model; empty where it was not asked.
  var answers: [String] = []
  /// True where the check was crashed, and the explanation is about what that did.
  var isOfRecovery = false

  /// Why the state of a failure is possible: when, what is kept and lost, on which models.
  static func explanation(
    of entry: StateTable.Entry, _ failure: Failure, _ run: ExploredRun, _ settings: ExploreSettings
  ) throws(HistoryError) -> CrashExplanation? {
    guard let model = failure.models.first, let pair = entry.states.first(where: { $0.model == model }) else {
      return nil
    }
    return try CrashExplanation(of: pair.state, at: failure.moment, in: run.recording, settings.models[model])
  }
}

/// A state that was asked for by its name, whatever came of it.
struct ExploreLook {
  /// Why it is possible.
  let explanation: CrashExplanation
  /// True where it fails.
  let isFailing: Bool

  /// A state of a recovery that is good.
  init(good explanation: CrashExplanation) {
    self.explanation = explanation
    isFailing = false
  }

  init(
    _ entry: StateTable.Entry, _ judging: ExploreJudging, _ run: ExploredRun, _ settings: ExploreSettings
  ) throws(Refusal) {
    isFailing = judging.failures.contains { judging.table.entries[$0.entry].digest == entry.digest }
    let (model, state) = entry.states[0]
    do throws(HistoryError) {
      explanation = try CrashExplanation(of: state, in: run.recording, settings.models[model])
    } catch {
      throw Refusal(ExitCode.unknown, "the state cannot be explained: \(error)")
    }
  }
}

/// What came of an exploration: as text for people, as JSON, as an exit status.
struct ExploreReport {
  let program: String
  /// The command line.
  let again: String
  let settings: ExploreSettings
  let run: ExploredRun
  let explorations: [CrashExploration]
  let judging: ExploreJudging
  let examples: [ExploreExample]
  /// The states that were asked for by name.
  let looked: [ExploreLook]
  /// What second crashes brought; nil where none were asked for.
  let recovery: ExploreRecovery?
  /// How the states relate to the run, where there is no check.
  let relations: [HistoryOfNames.Relation: Int]
  /// The syncs behind which no state fails; nil where none were found.
  let fix: ExploreFix?
  /// True where not all trees of the run are known, so that a comparison with them says nothing.
  let isOracleCut: Bool
  /// The signal that ended it; nil where none came.
  let signal: CInt?
  /// How a second run differed; empty where it did not.
  var differences: [String] = []

  /// What the exit status says.
  enum Conclusion: String {
    case pass, fail, unknown
  }

  /// Syncs that could not be seen could only have made states vanish.
  var conclusion: Conclusion {
    if isOracleCut { return .unknown }
    guard hasFailed else { return isOpen ? .unknown : .pass }
    let isWatched = run.isWatched && (!judging.failing.isEmpty || recovery?.isWatched ?? true)
    return isWatched ? .fail : .unknown
  }

  private var hasFailed: Bool { failingCount > 0 }
  private var failingCount: Int { judging.failing.count + (recovery?.failing.count ?? 0) }

  /// True where states that were to be judged may fail, for another reason than that the budget left some of them out.
  ///
  /// An exploration that did not come to the end of the run has seen nothing of what was promised last.
  private var isOpen: Bool {
    judging.unknownCount > 0 || signal != nil || judging.judgedCount == 0 || explorations.contains(where: \.wasCut)
      || recovery?.isOpen ?? false
  }

  /// 0 no state fails, 1 some do, 3 unknown; 128 and the number of the signal that ended it.
  var status: CInt {
    if let signal { return 128 + signal }
    return switch conclusion {
    case .pass: ExitCode.pass
    case .fail: ExitCode.difference
    case .unknown: ExitCode.unknown
    }
  }

  // MARK: - Text

  private static let shownMax = 5

  /// The whole report.
  var text: String {
    var lines = wrapped(printable(firstLine))
    let shown = settings.showsAll ? examples : Array(examples.prefix(Self.shownMax))
    for example in shown { lines += [""] + self.lines(of: example) }
    for look in looked where !look.isFailing {
      lines += ["", "GOOD"] + look.explanation.lines.flatMap(explanationRow)
    }
    if shown.count < examples.count {
      lines += ["", "and \(Figures.counted(examples.count - shown.count, "more kind")) of failure: --all"]
    }
    if let fix { lines += [""] + wrapped(printable(fix.text), first: "FIX   ") }
    let notes = notes
    if !notes.isEmpty { lines.append("") }
    for note in notes { lines += wrapped(printable(note)) }
    if !differences.isEmpty {
      lines += wrapped("A second run did not do the same, so other states may be possible; this is about the first:")
      lines += differences.prefix(Self.differenceLines).map { "  " + printable($0) }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// "131 of 131 states checked, 12 fail in 2 ways."
  var firstLine: String {
    let total = judging.table.entries.count
    let word = settings.check == nil ? "compared" : "checked"
    let head =
      "\(Figures.grouped(judging.judgedCount)) of \(Figures.grouped(total)) crash states of \(program) \(word) "
      + "(\(completeness))" + (recovery?.words(isSignalled: signal != nil) ?? "")
    guard hasFailed else {
      return isOpen ? "\(head); whether one fails is not known." : "\(head): none fails."
    }
    let kinds = examples.count == 1 ? "in one way" : "in \(Figures.grouped(examples.count)) ways"
    return "\(head): \(Figures.grouped(failingCount)) fail, \(kinds)."
  }

  /// How much of what is possible the states are.
  var completeness: String {
    if signal != nil { return "not all: a signal ended it" }
    if !settings.limits.isOfAllMoments { return "not all: only crashes at the operations asked for" }
    if explorations.contains(where: { $0.bound == .time }) { return "not all: there are more than there was time for" }
    if explorations.contains(where: { $0.bound == .memory }) { return "not all: there are more than --memory holds" }
    if explorations.contains(where: { $0.wasCut || $0.isThinned }) { return "not all: there are more than the budget" }
    if explorations.contains(where: { !$0.isWholeOverFiles }) {
      return "not all: of many files, all pairs of versions and a sample"
    }
    return explorations.allSatisfy(\.isWholeOverBlocks) ? "complete" : "complete over block classes"
  }

  private func lines(of example: ExploreExample) -> [String] {
    let failure = example.found.example
    let how = if case .failing(let how) = failure.outcome.verdict { how } else { "unknown" }
    let first = failure.outcome.firstLine
    var lines = wrapped(printable(first.isEmpty ? how : "\(first) (\(how))"), first: "FAIL  ")
    let models = settings.models.indices.filter { example.found.models.contains($0) }.map { settings.models[$0].name }
    let count = Figures.counted(example.found.entries.count, "state")
    lines += row("found", "\(count), on \(models.joined(separator: ", "))\(more(example.found))")
    if let name = example.name { lines += row("name", name) }
    if example.isOfRecovery { lines += row("twice", Self.recoveryNote) }
    for line in example.explanation?.lines ?? [] { lines += explanationRow(line) }
    for (place, answer) in example.answers.enumerated() { lines += row(place == 0 ? "this kernel" : "", answer) }
    if settings.check != nil { lines += row("printed", said(failure.outputCount)) }
    if let kept = example.kept { lines += row("tree", kept.description) }
    return lines
  }

  /// A line like "why: it is so" or "lost  #3 write"; a line that begins with blanks goes on below the label.
  private func explanationRow(_ line: String) -> [String] {
    for label in ["kept", "lost"] where line.hasPrefix("\(label)  ") {
      return row(label, String(line.dropFirst(label.count + 2)))
    }
    // The class has its models above; these are those of the example.
    if line.hasPrefix("possible on") { return row("this one", line) }
    let parts = line.split(separator: ":", maxSplits: 1)
    guard parts.count == 2, parts[0].count <= 12 else {
      return row("", String(line.drop { $0 == " " }))
    }
    return row(String(parts[0]), String(parts[1].dropFirst()))
  }

  private func more(_ found: FailureClass) -> String {
    found.lossSetCount == 1 ? "" : "; some of them lose more than this one"
  }

  /// The last line that the program had printed.
  func said(_ count: Int) -> String {
    if run.output.bytes.isEmpty { return "nothing" }
    let text = printedText(run.output.bytes.prefix(count))
    let last = text.split(separator: "\n").last.map { "…\"\($0.suffix(50))\"" } ?? "nothing yet"
    return count == run.output.bytes.count ? "all of it: \(last)" : last
  }

  private func row(_ label: String, _ words: String) -> [String] {
    wrapped(printable(words), first: "    " + padded(label, columns: 12))
  }

  /// What else has to be known.
  var notes: [String] {
    var notes: [String] = []
    if settings.check == nil { notes.append(relationNote) }
    notes += judgementNotes + (recovery?.notes ?? [])
    if recovery != nil && fix != nil { notes.append("The fix was tried with one crash only, not with a second one.") }
    if run.callsRange { notes.append("It called sync_file_range, which makes nothing durable (see its manual page).") }
    let unmeasured = settings.models.filter { !$0.isMeasured }.map(\.name)
    if !unmeasured.isEmpty {
      notes.append(
        "Written from documents, and compared with no running file system: \(unmeasured.joined(separator: ", ")).")
    }
    let counts = explorations.map { "\($0.model.name) \(Figures.grouped($0.states.count))" }
    notes.append("States by model: \(counts.joined(separator: ", ")). Equal ones were judged once.")
    return notes
  }

  private static let differenceLines = 6
  /// Which operations an example is about.
  static let recoveryNote = "the check passes behind the first crash, and is crashed itself: these are its operations"

  private static func remedy(_ bound: CrashExploration.Bound?) -> String {
    switch bound {
    case .time: "--budget TIME gives more time: half of it is for making states."
    case .memory: "--memory SIZE allows more."
    case .states, nil: "--budget N allows N states a model."
    }
  }

  private var judgementNotes: [String] {
    var notes: [String] = []
    if signal == nil && judging.judgedCount < judging.table.entries.count {
      notes.append("The time was over before all states were judged; --budget gives more.")
    }
    for exploration in explorations where exploration.isThinned && !exploration.wasCut {
      notes.append(
        "The states of \(exploration.model.name) are spread over \(exploration.momentCount) moments, "
          + "\(exploration.thinnedMoments.count) of which have more. \(Self.remedy(exploration.bound))")
    }
    for exploration in explorations where exploration.wasCut {
      let last = exploration.states.compactMap { $0.moments.ranges.last?.upperBound }.max() ?? 0
      notes.append(
        "\(exploration.model.name) ended at operation \(last) of \(run.recording.records.count): crashes behind it were not "
          + "looked at.\(signal == nil ? " \(Self.remedy(exploration.bound))" : "")")
    }
    if judging.unknownCount > 0 {
      notes.append(
        "Unknown: the check came to no end on \(Figures.counted(judging.unknownCount, "state")) "
          + "(\(judging.firstUnknown ?? "")); --check-limit gives it more time.")
    }
    if !judging.isWholeOverOutputs {
      notes.append("States that go with many outputs were judged with \(ExploreJudging.outputsMax) of them.")
    }
    if isOracleCut && signal == nil {
      notes.append("Unknown: there was no time to see what each name was while the program ran; --budget gives more.")
    }
    if !run.isWatched && !judging.failing.isEmpty {
      notes.append(
        run.isOfLog
          ? "Unknown: whether it called sync(2) is not in this log; one that was made with --see-sync tells."
          : "Unknown: sync(2) and syncfs(2) cannot be watched here. If it calls them, what stands here may be wrong.")
    }
    return notes
  }

  private var relationNote: String {
    func count(_ relation: HistoryOfNames.Relation) -> String { Figures.grouped(relations[relation] ?? 0) }
    return
      "Without --check each name is compared with what it was while the program ran: \(count(.before)) states are as "
      + "before, \(count(.after)) as at the end, \(count(.between)) in between, \(count(.never)) have a name as it never was. "
      + "Names that were neither there before nor at the end do not count. Whether a state is wrong, only a check can say."
  }
}
