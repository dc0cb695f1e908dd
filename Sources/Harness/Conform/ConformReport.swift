import JSON
import Terminal

/// What came of trying a store's driver against the protocol.
package struct ConformReport: Sendable {
  /// The driver and its words.
  package var driver: String
  /// Each check with what came of it, in order.
  package var results: [(check: ConformCheck, result: ConformResult)]

  /// A report of these results.
  package init(driver: String, results: [(check: ConformCheck, result: ConformResult)]) {
    self.driver = driver
    self.results = results
  }

  /// A failure convicts; without one, an open question leaves all open.
  package var verdict: Verdict {
    results.reduce(.passed) { verdict, entry in
      switch entry.result {
      case .passed: verdict
      case .failed: verdict.joined(.failed)
      case .unknown: verdict.joined(.inconclusive)
      }
    }
  }

  /// The report for a terminal: a line a check, a sentence for each that did not pass.
  package var text: String {
    let width = (ConformCheck.allCases.map { displayColumns($0.rawValue) }.max() ?? 0) + 2
    var text = "\(printable(Array(driver.utf8)))\n"
    for (check, result) in results {
      let first = "  " + padded(check.rawValue, columns: width) + padded(result.word, columns: 9)
      let sentence = result.sentence ?? check.sentence
      let rest = String(repeating: " ", count: displayColumns(first))
      text +=
        wrapped(printable(Array(sentence.utf8)), columns: 100, first: first, rest: rest).joined(separator: "\n") + "\n"
    }
    let counts = ["pass", "FAIL", "unknown"].map { word in (word, results.filter { $0.result.word == word }.count) }
    return text + Figures.counted(results.count, "check") + ": "
      + counts.filter { $0.1 > 0 }.map { "\($0.1) \($0.0)" }.joined(separator: ", ") + "\n"
  }

  /// The report as one JSON object.
  package var json: JSONValue {
    .object([
      "driver": .string(driver), "verdict": .string(verdict.rawValue),
      "checks": .array(
        results.map { entry in
          .object([
            "name": .string(entry.check.rawValue), "means": .string(entry.check.sentence),
            "result": .string(entry.result.word.lowercased()),
            "sentence": entry.result.sentence.map { .string($0) } ?? .null,
          ])
        }),
    ])
  }
}

/// What came of one check.
package enum ConformResult: Hashable, Sendable {
  case passed
  /// The driver does something else than the protocol says.
  case failed(String)
  /// Nothing can be said: a check in front of it failed, or the machine was in the way.
  case unknown(String)

  /// "pass", "FAIL" or "unknown".
  var word: String {
    switch self {
    case .passed: "pass"
    case .failed: "FAIL"
    case .unknown: "unknown"
    }
  }

  /// Why it did not pass.
  package var sentence: String? {
    switch self {
    case .passed: nil
    case .failed(let sentence), .unknown(let sentence): sentence
    }
  }
}

/// One thing that a driver has to do; its name is what a report calls it.
package enum ConformCheck: String, CaseIterable, Sendable {
  case greeting, start
  case refusedStart = "refused-start"
  case documents, pages, strokes, undo, pictures, library, clock
  case accounting = "durable-or-unsaved"
  case saving, closing
  case letGo = "let-go"
  case order
  case errors = "told-errors"
  case unknownCommand = "unknown-command"
  case garbageLine = "garbage-line"
  case locking, kill
  case endOfInput = "end-of-input"
  case powerCut = "power-cut"
  case fullDisk = "full-disk"
  case deadline

  /// What it asks for, in one sentence.
  package var sentence: String {
    switch self {
    case .greeting: "the first line says hello, protocol 1, and lists engines and mutants"
    case .start: "the caller's first line is answered with ready"
    case .refusedStart: "a first line that cannot be followed is answered with a reason, and exit status 2 or 4"
    case .documents: "documents are created, renamed, closed and opened again"
    case .pages: "pages are added at their place, moved and deleted"
    case .strokes: "strokes are drawn, moved, erased into pieces and deleted"
    case .undo: "the last change is taken back, and made again"
    case .pictures: "a picture is durable when its answer comes, and shown on its page"
    case .library: "the library lists each document"
    case .clock: "the clock moves by advance, and autosaves come with it"
    case .accounting: "every accepted edit is durable or unsaved"
    case .saving: "background makes every edit durable, and says so"
    case .closing: "closing saves what is unsaved"
    case .letGo: "letting go gives the lock back, and saves nothing"
    case .order: "commands that come at once are answered one by one, in order"
    case .errors: "what cannot be done is told as an error, and changes nothing"
    case .unknownCommand: "an unknown command is answered with one error of kind invalid"
    case .garbageLine: "a line that is no JSON is answered with number 0 and one error of kind invalid"
    case .locking: "a document that is open elsewhere is locked"
    case .kill: "after a kill, what was called durable is there, and no lock is in the way"
    case .endOfInput: "the driver ends with status 0 when its input ends"
    case .powerCut: "what was called durable survives a power cut"
    case .fullDisk: "a full disk is told as an error; what is unsaved stays so, and is saved when there is room"
    case .deadline: "every answer comes in time"
    }
  }
}
