import FileTracing
import Files
import LNoteFormat
import LNoteStore
import Scenarios
import Terminal

extension CaseRun {
  /// Looks whether an expectation holds, and says so in the report.
  func expect(_ expectation: Expectation, _ step: CheckedStep) throws(HarnessError) {
    defer { failures = [] }
    switch expectation {
    case .fsckClean, .fsckNoLoss, .fsckExactly, .fsckNever: try expectCheck(expectation, step)
    case .error(let errno):
      let seen = failures.compactMap { $0.errno?.name }
      let count = seen.filter { $0 == errno.name }.count
      answer(
        step, count > 0, yes: "yes, \(Figures.counted(count, "time"))",
        no: seen.isEmpty ? "nothing failed" : "what failed: \(seen.joined(separator: ", "))")
    case .ok: answer(step, failures.isEmpty, yes: "yes", no: failures.first?.message ?? "")
    case .documentLoads:
      let closed = ledger.documentIDs.filter { !open.contains($0) }
      answer(step, closed.isEmpty, yes: "yes", no: "\(Figures.counted(closed.count, "document")) not open")
    case .fileCount(let patterns, let comparison, let count):
      let found = try filesMatching(patterns)
      answer(
        step, comparison.holds(found, count), yes: "yes; \(Figures.counted(found, "file"))",
        no: Figures.counted(found, "file"))
    case .page(let page, let wanted): try expectPage(PageName(page), wanted, step)
    case .elementMissing(let element):
      try expectMissing(element.element.noteID, step)
    }
  }

  /// What cannot be read proves nothing, so every page that the user sees must be readable.
  private func expectMissing(_ element: NoteID, _ step: CheckedStep) throws(HarnessError) {
    for page in ledger.pages.keys.sorted()
    where ledger.documents[page.document]?.working.pages.contains(page.page) == true {
      guard let elements = try content(of: page) else {
        return fail(step, "NO: page \(spelling(of: page)) cannot be read")
      }
      if elements.contains(where: { $0.id == element }) { return fail(step, "NO: it is on page \(spelling(of: page))") }
    }
    tell(step, "yes")
  }

  /// Writes "yes…" or "NO: …", which convicts the store.
  func answer(_ step: CheckedStep, _ holds: Bool, yes: String, no: String) {
    if holds { tell(step, yes) } else { fail(step, "NO: \(no)") }
  }

  private func filesMatching(_ patterns: Expectation.NamePatterns) throws(HarnessError) -> Int {
    try looking { () throws(HarnessError) in
      try HarnessError.onDisk { () throws(FileCallError) in
        var found = 0
        var directories: [BytePath] = [.root]
        while let directory = directories.popLast() {
          for entry in try disk.volume.entries(of: directory, countMax: 1_000_000) {
            let path = directory.appending(entry.name)
            if entry.kind == .directory { directories.append(path) }
            if entry.kind != .directory, patterns.patterns.contains(where: { $0.matches(path) }) { found += 1 }
          }
        }
        return found
      }
    }
  }

  // MARK: Pages

  /// A page's elements: as the store shows them where it has the document open, else as the disk holds them.
  private func content(of page: PageName) throws(HarnessError) -> [PageElement]? {
    if open.contains(page.document), subject != nil {
      let before = failures
      let answer = try ask(.readPage(page))
      failures = before
      guard case .page(let shown)? = answer?.payload else { return nil }
      return shown.elements
    }
    return try looking { () throws(HarnessError) in
      DocumentReading(volume: disk.volume, memory: memory?.documents).elements(of: page)
    }
  }

  private func expectPage(_ page: PageName, _ wanted: PageExpectation, _ step: CheckedStep) throws(HarnessError) {
    if case .missing = wanted {
      guard let document = try contentOnDisk(page.document) else {
        return fail(step, "NO: the document cannot be read")
      }
      return answer(step, !document.state.pages.contains(page.page), yes: "yes", no: "the document lists it")
    }
    guard let elements = try content(of: page) else {
      fail(step, "NO: the page cannot be read")
      return
    }
    guard let history = ledger.pages[page] else {
      fail(step, "NO: nobody made this page")
      return
    }
    let shown = Figures.counted(elements.count, "element")
    switch wanted {
    case .missing: break
    case .hasElements(let count): answer(step, elements.count == count, yes: "yes", no: "it has \(shown)")
    case .equals(let state):
      let other = content(history, page, state)
      answer(step, elements == other, yes: "yes; \(shown)", no: difference(elements, other))
    case .atLeast(let state):
      let missing = missing(of: content(history, page, state), in: elements)
      answer(step, missing == 0, yes: "yes; \(shown)", no: "\(Figures.counted(missing, "element")) missing")
    case .between(let first, let last):
      let lowest = index(history, page, first)
      let highest = index(history, page, last)
      let found = history.index(of: elements, from: lowest, through: highest)
      answer(
        step, found != nil, yes: "yes; \(shown)", no: "\(shown), and the page never was so in between")
    }
  }

  private func content(_ history: History<[PageElement]>, _ page: PageName, _ state: ContentState) -> [PageElement] {
    switch state {
    case .empty: []
    case .latest: history.latest
    case .lastDurable: history.lastDurable ?? []
    case .remembered: history.versions[index(history, page, state)].content
    }
  }

  private func index(_ history: History<[PageElement]>, _ page: PageName, _ state: ContentState) -> Int {
    switch state {
    case .empty: 0
    case .latest: history.latestIndex
    case .lastDurable: history.durableIndex ?? 0
    case .remembered(let name): remembered[name]?[page] ?? 0
    }
  }

  private func difference(_ elements: [PageElement], _ wanted: [PageElement]) -> String {
    let missing = missing(of: wanted, in: elements)
    let extra = self.missing(of: elements, in: wanted)
    if missing == 0 && extra == 0 { return "the same elements in another order" }
    return "\(Figures.counted(missing, "element")) missing, \(extra) too many"
  }

  private func missing(of wanted: [PageElement], in elements: [PageElement]) -> Int {
    if wanted == elements { return 0 }
    let there = Set(elements)
    return wanted.filter { !there.contains($0) }.count
  }
}
