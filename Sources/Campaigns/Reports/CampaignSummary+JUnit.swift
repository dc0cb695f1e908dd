import Pages
import Terminal

extension CampaignSummary {
  /// So many passing cases of a kind have a line each; of more, one line tells how many.
  static let junitPassesMax = 5_000
  /// How much of a scenario a failure shows, in characters.
  static let junitScenarioMax = 64 << 10
  /// How much of a message is shown, in characters.
  static let junitMessageMax = 1_000
  /// The most bytes that all cases have together: GitLab refuses files of more than 30 MB.
  package static let junitBytesMax = 24 << 20

  /// junit.xml: one suite a kind of case, one test case a case, for Jenkins and GitLab.
  ///
  /// Only what both take: no time, no file, no `error`, properties of suites only, each name once.
  package func junit(_ facts: RunFacts, bytesMax: Int = junitBytesMax) -> String {
    var room = bytesMax
    var suites: [Markup] = []
    for kind in PlannedCase.Kind.allCases {
      let suite = suite(kind, facts, room: room)
      room = suite.room
      if suite.isEmpty { continue }
      suites.append(suite.element([("build", plan.build), ("plan", plan.digest), ("seed", "\(plan.seed)")]))
    }
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + Markup.element("testsuites", .joined(suites)).description
      + "\n"
  }

  /// What needs somebody comes first, so that it is what there is room for.
  private func suite(_ kind: PlannedCase.Kind, _ facts: RunFacts, room: Int) -> JUnitSuite {
    var suite = JUnitSuite(kind, room: room)
    var told: Set<PlannedCase> = []
    for planned in missedCanaries where planned.kind == kind {
      told.insert(planned)
      suite.add(planned.identity, .failed, Self.failure("canary", "a store that must be convicted passed"))
    }
    for bucket in buckets {
      guard let finding = bucket.finding else { continue }
      for planned in bucket.cases where planned.kind == kind && told.insert(planned).inserted {
        let isParked = bucket.state == .parked
        suite.add(
          planned.identity, isParked ? .skipped : .failed, Self.content(of: planned, bucket, finding, facts))
      }
    }
    for planned in missing where planned.kind == kind {
      suite.add(planned.identity, .failed, Self.failure("missing", "was not run"))
    }
    for (planned, why) in unknown where planned.kind == kind && told.insert(planned).inserted {
      suite.add(planned.identity, .skipped, .element("skipped", ["message": String(why.prefix(Self.junitMessageMax))]))
    }
    let passing = ran.filter { $0.kind == kind && !told.contains($0) }
    if passing.count > Self.junitPassesMax {
      suite.add("\(Figures.grouped(passing.count)) cases that passed", .passed)
    } else {
      for planned in passing { suite.add(planned.identity, .passed) }
    }
    return suite
  }

  private static func failure(_ type: String, _ message: String) -> Markup {
    .element("failure", ["type": type, "message": message], Markup(message))
  }

  /// The first case of a failure has its scenario; the others name that case.
  private static func content(
    of planned: PlannedCase, _ bucket: Bucket, _ finding: CampaignFinding, _ facts: RunFacts
  ) -> Markup {
    let sentence = String(finding.sentence.prefix(junitMessageMax))
    if let parked = bucket.parked, bucket.state == .parked {
      return .element(
        "skipped", ["message": "\(sentence) - parked until \(parked.until): \(parked.issue), \(parked.why)"])
    }
    var text = "\(sentence)\n\(bucket.standing)\n\(bucket.runCommand(facts))\n"
    if let first = bucket.cases.first, first != planned {
      text += "the scenario is at \(first.identity)\n"
    } else {
      let place = finding.line.map { "line \($0)" } ?? "no line"
      text += "\(place): \(finding.got)\n\n" + finding.scenario.prefix(junitScenarioMax)
    }
    return .element("failure", ["type": finding.signature, "message": sentence], Markup(text))
  }
}
