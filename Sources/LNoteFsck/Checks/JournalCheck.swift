import Files
import LNoteFormat

/// Journals: LN6001 to LN6011, LN1104, LN2017, LN3004. The first that applies is told of each.
///
/// Nothing here puts changes into a page: what needs that is reported, and nothing is changed.
enum JournalCheck {
  static func problems(in view: PackageView) -> [Problem] {
    // While nobody knows which pages there are, only what a journal says of itself is told.
    view.facts.journals.flatMap { journal -> [Problem] in
      guard let content = journal.content else { return [] }
      return [problem(of: journal, content, view)].compactMap { problem in
        guard var problem else { return nil }
        problem.path = journal.file.path
        problem.page = view.place(journal.id)
        problem.slots["what"] = view.name(ofJournal: journal)
        return problem
      }
    }
  }

  private static func problem(
    of journal: JournalFacts, _ content: JournalContent, _ view: PackageView
  ) -> Problem? {
    let aside = RepairAction.setAside(journal.file.path)
    switch content.condition {
    case .headerCut:
      // A journal gets its name when its header is on the disk: no crash of an app that syncs leaves less.
      return heavier(Problem(.journalTornTail, evidence: "\(content.bytes) bytes", action: aside))
        .saying(Sentences.journalCut(view.name(ofJournal: journal), content.bytes))
    case .nulFilled:
      return heavier(Problem(.journalZeroTail, evidence: "\(content.bytes) bytes", action: aside))
        .saying(
          content.isGlanced
            ? Sentences.journalBeginsWithZeros(view.name(ofJournal: journal))
            : Sentences.journalOfZeros(view.name(ofJournal: journal), content.bytes))
    case .versionUnknown(let version):
      return Problem(.pageVersion, evidence: "format version \(version)", slots: ["version": "\(version)"])
    case .headerDamaged, .headerFault:
      var problem = Problem(.journalHeaderDamaged, evidence: "\(content.condition)")
      if !content.isGlanced { problem.slots["kept"] = Sentences.changesReadable(content.behind) }
      return kept(problem, journal, aside)
    default: break
    }
    guard let header = content.header else { return nil }
    switch view.standing(of: journal) {
    case .unknown: return nil
    case .misnamed(let page):
      var problem = Problem(
        .nameIdentityDiffers, repairClass: .report, evidence: "the identity inside is \(page)",
        slots: ["other": view.name(ofContent: page)])
      problem.details = [Sentences.journalStays]
      return problem
    case .deleted:
      return Problem(.deletionUnfinished, slots: ["file": "\(journal.file.path)"], action: aside)
        .saying(Sentences.journalOfDeletedPage(journal.file.path))
    case .stale: return stale(journal, header, aside, view)
    case .withoutPage:
      return kept(Problem(.journalWithoutPage, evidence: "on generation \(header.base)"), content, journal, aside)
    case .future(let found):
      let problem = Problem(
        .futureJournal, evidence: "on generation \(header.base), the page has \(found)",
        slots: ["base": "\(header.base)", "found": "\(found)"])
      return kept(problem, content, journal, aside)
    case .otherTimeline:
      return kept(
        Problem(.journalOfOtherTimeline, evidence: "on generation \(header.base)"), content, journal, aside)
    case .pageUnknown: return unmerged(journal, content, view)
    case .applies: return damaged(journal, content) ?? unmerged(journal, content, view)
    }
  }

  // MARK: What does not belong to the page that is there

  /// It stays while it may hold what the page has lost.
  private static func stale(
    _ journal: JournalFacts, _ header: JournalHeader, _ aside: RepairAction, _ view: PackageView
  ) -> Problem {
    var problem = Problem(.staleJournal, evidence: "on generation \(header.base)", action: aside)
    let isLossOpen = view.entry(journal.id)?.losses.contains { !$0.isAccepted } ?? false
    if isLossOpen || view.page(journal.id)?.isReadable != true {
      (problem.action, problem.repairClass) = (nil, .report)
      problem.details = [Sentences.staleJournalStays]
    }
    return problem
  }

  /// What holds changes is kept where it is; what holds none can be set aside.
  private static func kept(_ problem: Problem, _ journal: JournalFacts, _ aside: RepairAction) -> Problem {
    var problem = problem
    if journal.holdsChanges {
      problem.details = [Sentences.journalStays]
    } else {
      (problem.severity, problem.repairClass, problem.action) = (.warning, .consent, aside)
      problem.details = [Sentences.journalHoldsNothing]
    }
    return problem
  }

  private static func kept(
    _ problem: Problem, _ content: JournalContent, _ journal: JournalFacts, _ aside: RepairAction
  ) -> Problem {
    var problem = kept(problem, journal, aside)
    if journal.holdsChanges && !content.isGlanced {
      problem.details.insert(Sentences.journalHolds(content.changes + content.behind), at: 0)
    }
    return problem
  }

  private static func heavier(_ problem: Problem) -> Problem {
    var problem = problem
    (problem.severity, problem.repairClass) = (.warning, .consent)
    return problem
  }

  // MARK: What stands in it

  private static func damaged(_ journal: JournalFacts, _ content: JournalContent) -> Problem? {
    let cut = RepairAction.cutJournal(journal.file.path, end: content.goodEnd)
    let evidence = content.damage.map { "change \($0.index + 1): \($0.fault)" } ?? ""
    var found: Problem
    switch content.condition {
    case .zeroTail(let count):
      found = Problem(.journalZeroTail, slots: ["extra": Sentences.bytes(UInt64(count))], action: cut)
    case .tornTail(let count):
      if content.damage?.fault.isNoLength == true {
        found = Problem(.journalInsaneLength, repairClass: .consent, action: cut)
        found.details = [Sentences.journalTailIsCut(UInt64(count))]
      } else {
        found = Problem(.journalTornTail, slots: ["extra": Sentences.bytes(UInt64(count))], action: cut)
        if content.endsInWholeFrame {
          found = heavier(found)
          found.details = [Sentences.lastChangeIsBad]
        }
      }
    case .damagedInside:
      // A length that reaches beyond the end is disproved by what stands there.
      let isNoLength = content.damage.map { $0.fault.isNoLength || $0.fault == .cut } ?? false
      found = Problem(isNoLength ? .journalInsaneLength : .journalDamagedInside)
      found.slots["kept"] = Sentences.changesAround(content.changes, content.behind)
      found.details = [Sentences.changesAroundStay(content.changes, content.behind)]
    default: return nil
    }
    found.offset = content.damage.map { UInt64($0.offset) }
    found.slots["place"] = found.offset.map { " at byte \(Sentences.grouped($0))" }
    found.evidence = evidence
    return found
  }

  private static func unmerged(
    _ journal: JournalFacts, _ content: JournalContent, _ view: PackageView
  ) -> Problem? {
    if content.isGlanced {
      if !journal.holdsChanges { return nil }
      return Problem(.unmergedJournal).saying(Sentences.journalNotRead(view.name(ofJournal: journal)))
    }
    if content.unknownChanges > 0 || !content.misfits.isNothing {
      return Problem(
        .journalAnomaly, slots: ["misfits": Sentences.misfits(content.misfits, unknown: content.unknownChanges)],
        details: [Sentences.journalStays])
    }
    if !journal.holdsChanges { return nil }
    let count = content.changes + content.behind
    return Problem(
      .unmergedJournal, evidence: "\(content.changes) changes", slots: ["changes": Sentences.changes(count)])
  }
}

extension FrameFault {
  /// True where the length is one that no change has.
  fileprivate var isNoLength: Bool {
    switch self {
    case .lengthImplausible, .zeroLength: true
    default: false
    }
  }
}

extension Problem {
  /// The same with a sentence in the message's place.
  fileprivate func saying(_ statement: String) -> Problem {
    var problem = self
    problem.statement = statement
    return problem
  }
}
