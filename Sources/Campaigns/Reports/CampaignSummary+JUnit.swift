import Pages
import Terminal

extension CampaignSummary {
  /// So many passing cases of a kind have a line each; of more, one line tells how many.
  static let junitPassesMax = 5_000
  /// How much of a scenario a failure shows, in characters.
  static let junitScenarioMax = 64 << 10

  /// junit.xml: one suite a kind of case, one test case a case, for Jenkins and GitLab.
  ///
  /// Only what both take: no time, no file, no `error`, properties of suites only, each name once.
  package func junit(_ facts: RunFacts) -> String {
    var failures: [PlannedCase: (bucket: Bucket, finding: CampaignFinding)] = [:]
    for bucket in buckets {
      guard let finding = bucket.finding else { continue }
      for planned in bucket.cases { failures[planned] = (bucket, finding) }
    }
    let suites = PlannedCase.Kind.allCases.compactMap { suite($0, failures, facts) }
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + Markup.element("testsuites", .joined(suites)).description
      + "\n"
  }

  private func suite(
    _ kind: PlannedCase.Kind, _ failures: [PlannedCase: (bucket: Bucket, finding: CampaignFinding)], _ facts: RunFacts
  ) -> Markup? {
    let reasons = Dictionary(unknown.map { ($0.planned, $0.why) }) { first, _ in first }
    var (cases, failed, skipped, passing): ([Markup], Int, Int, [PlannedCase]) = ([], 0, 0, [])
    for planned in missing where planned.kind == kind {
      failed += 1
      cases.append(Self.failing(planned, "missing", "was not run"))
    }
    for planned in missedCanaries where planned.kind == kind {
      failed += 1
      cases.append(Self.failing(planned, "canary", "a store that must be convicted passed"))
    }
    let told = Set(missedCanaries)
    for planned in ran where planned.kind == kind && !told.contains(planned) {
      if let (bucket, finding) = failures[planned] {
        (failed, skipped) = bucket.state == .parked ? (failed, skipped + 1) : (failed + 1, skipped)
        cases.append(Self.failing(planned, bucket, finding, facts))
      } else if let why = reasons[planned] {
        skipped += 1
        cases.append(Self.testCase(planned, .element("skipped", ["message": why])))
      } else {
        passing.append(planned)
      }
    }
    if passing.count > Self.junitPassesMax {
      cases.append(Self.testCase(kind, "\(Figures.grouped(passing.count)) cases that passed", .nothing))
    } else {
      cases += passing.map { Self.testCase($0, .nothing) }
    }
    if cases.isEmpty { return nil }
    let properties = [("build", plan.build), ("plan", plan.digest), ("seed", "\(plan.seed)")].map {
      Markup.element("property", ["name": $0.0, "value": $0.1])
    }
    return .element(
      "testsuite",
      [
        "name": "lnote.\(kind.rawValue)", "tests": "\(cases.count)", "failures": "\(failed)", "errors": "0",
        "skipped": "\(skipped)",
      ], .element("properties", .joined(properties)), .joined(cases))
  }

  private static func testCase(_ planned: PlannedCase, _ content: Markup) -> Markup {
    testCase(planned.kind, planned.identity, content)
  }

  private static func testCase(_ kind: PlannedCase.Kind, _ name: String, _ content: Markup) -> Markup {
    .element("testcase", ["classname": "lnote.\(kind.rawValue)", "name": name], content)
  }

  private static func failing(_ planned: PlannedCase, _ type: String, _ message: String) -> Markup {
    testCase(planned, .element("failure", ["type": type, "message": message], Markup(message)))
  }

  private static func failing(
    _ planned: PlannedCase, _ bucket: Bucket, _ finding: CampaignFinding, _ facts: RunFacts
  ) -> Markup {
    if let parked = bucket.parked, bucket.state == .parked {
      let message = "\(finding.sentence) - parked until \(parked.until): \(parked.issue), \(parked.why)"
      return testCase(planned, .element("skipped", ["message": message]))
    }
    let place = finding.line.map { "line \($0)" } ?? "no line"
    let text =
      "\(finding.sentence)\n\(place): \(finding.got)\n\(bucket.standing)\n\(bucket.runCommand(facts))\n\n"
      + finding.scenario.prefix(junitScenarioMax)
    return testCase(
      planned, .element("failure", ["type": finding.signature, "message": finding.sentence], Markup(text)))
  }
}
