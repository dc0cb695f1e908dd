import JSON
import Pages

/// A failure: what it is, and the few lines that show it every time.
package struct CampaignFinding: Sendable {
  /// What tells it from other failures: what was found, the role of the file, the last step, the store.
  ///
  /// No line of code and no number of an operation is in it, so that it lives through edits.
  package var signature: String
  /// What is wrong, for people.
  package var sentence: String
  /// The concrete scenario, as text.
  package var scenario: String
  /// The line of the scenario that does not hold, from 1; nil where it is none of them.
  package var line: Int?
  /// What came instead.
  package var got: String
  /// The models under which it can happen; empty where no crash takes part.
  package var models: [String] = []
  /// How many of the runs behind the first failed in the same way.
  package var again = Again(failed: 0, of: 0)
  /// What shrinking did, nil where nothing was shrunk.
  ///
  /// "31 steps -> 5 steps, 412 runs, 40 to see what matters".
  package var shrunk: String?
  /// The crash, operation by operation, and the blocks; nil where no crash takes part.
  package var crash: CrashPage.Finding?
  /// The page that it is about, as it should be and as it is; nil where there is none to show.
  package var page: PagePair?

  /// What begins a comment behind a step whose values do not matter.
  package static let explanationMark = "  # or "

  /// A line of a scenario and the comment that says what of it does not matter.
  ///
  /// The comment is empty where there is none.
  package static func explained(_ line: Substring) -> (step: Substring, explanation: Substring) {
    guard let mark = line.firstRange(of: explanationMark + "any other ") else { return (line, "") }
    return (line[..<mark.lowerBound], line[mark.lowerBound...])
  }

  /// How often it came back.
  package struct Again: Sendable, Equatable {
    /// So many failed in the same way.
    package var failed: Int
    /// Of so many.
    package var of: Int

    /// So many of so many.
    package init(failed: Int, of: Int) {
      self.failed = failed
      self.of = of
    }

    /// True where it failed in some runs only.
    package var isFlaky: Bool { failed < of }
  }

  /// A failure that these words tell.
  package init(signature: String, sentence: String, scenario: String, line: Int?, got: String) {
    self.signature = signature
    self.sentence = sentence
    self.scenario = scenario
    self.line = line
    self.got = got
  }

  /// A worker's death or silence, which is a failure of its own.
  package static func worker(_ what: String, in planned: PlannedCase, scenario: String) -> CampaignFinding {
    CampaignFinding(
      signature: "worker/\(what)", sentence: "The program itself ended: \(what)", scenario: scenario, line: nil,
      got: "\(what) in \(planned.identity)")
  }

  /// The signature as the name of a file: letters, digits and hyphens, at most 80 characters.
  package var fileName: String { Self.fileName(of: signature) }

  /// A signature as the name of a file.
  package static func fileName(of signature: String) -> String {
    var name = ""
    for character in signature.lowercased() {
      if character.isASCII && (character.isLetter || character.isNumber) {
        name.append(character)
      } else if !name.isEmpty && name.last != "-" {
        name.append("-")
      }
    }
    while name.last == "-" { name.removeLast() }
    let mark = shortMark(of: signature)
    // Two signatures may have the same letters and digits: then the mark tells them apart.
    return name.count <= 70 && name == signature ? name : "\(name.prefix(70))-\(mark)"
  }
}

extension CampaignFinding {
  /// The failure as an object.
  var json: JSONValue { json(page: page?.json ?? .null) }

  /// The failure as an object, with this as its page.
  func json(page: JSONValue) -> JSONValue {
    .object([
      "signature": .string(signature), "sentence": .string(sentence), "scenario": .string(scenario),
      "line": line.map { JSONValue($0) } ?? .null, "got": .string(got),
      "models": .array(models.map { .string($0) }), "failed": JSONValue(again.failed), "of": JSONValue(again.of),
      "shrunk": JSONValue(shrunk), "crash": crash?.json ?? .null, "page": page,
    ])
  }

  /// The failure of an object.
  init(json: JSONValue) throws(CampaignError) {
    let fields = try Fields(json, of: "a finding")
    self.init(
      signature: try fields.string("signature"), sentence: try fields.string("sentence"),
      scenario: try fields.string("scenario"), line: try fields.optionalInteger("line"),
      got: try fields.string("got"))
    models = try fields.strings("models")
    again = Again(failed: try fields.integer("failed"), of: try fields.integer("of"))
    shrunk = try fields.optionalString("shrunk")
    let crash = try fields.value("crash")
    if !crash.isNull {
      guard let read = CrashPage.Finding(json: crash) else {
        throw fields.wrong("crash", "is no crash of this version")
      }
      self.crash = read
    }
    if let page = fields.optionalValue("page") { self.page = try PagePair(json: page) }
  }
}
