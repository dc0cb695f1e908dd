import Pages
import Terminal

/// A suite of junit.xml while it is filled: its cases, and how many bytes there is still room for.
struct JUnitSuite {
  /// What came of a case, as such files know it.
  enum Outcome: String, CaseIterable {
    case failed, skipped, passed
  }

  private let kind: PlannedCase.Kind
  private var cases: [Markup] = []
  private var counts: [Outcome: Int] = [:]
  /// Cases for which there was no room.
  private var more: [Outcome: Int] = [:]
  /// How many bytes the cases of this and later suites may have.
  private(set) var room: Int

  /// An empty suite of cases of a kind.
  init(_ kind: PlannedCase.Kind, room: Int) {
    self.kind = kind
    self.room = room
  }

  /// True where no case was added.
  var isEmpty: Bool { cases.isEmpty && more.isEmpty }

  /// Adds a case; where there is no room for it, it is counted.
  mutating func add(_ name: String, _ outcome: Outcome, _ content: Markup = .nothing) {
    let one = testCase(name, content)
    let bytes = one.description.utf8.count
    if bytes > room {
      more[outcome, default: 0] += 1
      return
    }
    room -= bytes
    cases.append(one)
    counts[outcome, default: 0] += 1
  }

  private func testCase(_ name: String, _ content: Markup) -> Markup {
    .element("testcase", ["classname": "lnote.\(kind.rawValue)", "name": name], content)
  }

  /// The suite as an element.
  func element(_ properties: [(name: String, value: String)]) -> Markup {
    var (cases, counts) = (cases, counts)
    for outcome in Outcome.allCases {
      guard let count = more[outcome] else { continue }
      let words = "\(Figures.counted(count, "more case")) \(outcome.rawValue); summary.json has all"
      let content: Markup =
        switch outcome {
        case .failed: .element("failure", ["type": "more", "message": words], Markup(words))
        case .skipped: .element("skipped", ["message": words])
        case .passed: .nothing
        }
      cases.append(testCase(words, content))
      counts[outcome, default: 0] += 1
    }
    let items = properties.map { Markup.element("property", ["name": $0.name, "value": $0.value]) }
    return .element(
      "testsuite",
      [
        "name": "lnote.\(kind.rawValue)", "tests": "\(cases.count)", "failures": "\(counts[.failed] ?? 0)",
        "errors": "0", "skipped": "\(counts[.skipped] ?? 0)",
      ], .element("properties", .joined(items)), .joined(cases))
  }
}
