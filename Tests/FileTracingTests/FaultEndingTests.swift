import FileTracing
import Files
import Testing

/// A cut or kill right behind an operation that another rule spoils.
@Suite struct FaultEndingTests {
  private static let rename = FaultOperation(kind: .rename, path: "a.tmp", otherPath: "a", canTear: true)

  private static func rule(_ name: String, _ effect: FaultEffect, _ phase: FaultPhase) -> FaultRule {
    FaultRule(
      name: name, effect: effect, operations: [.rename], occurrence: FaultOccurrence(nth: 1), phase: phase)
  }

  static let torn = rule("torn", .tornRename(.targetEmpty), .during)
  static let cut = rule("cut", .powerCut(.keepNone), .after)
  static let cutBefore = rule("cut", .powerCut(.keepNone), .before)
  static let error = rule("error", .errno(.eio), .before)

  static let rows: [(rules: [FaultRule], main: String?, ending: String?)] = [
    ([torn, cut], "torn", "cut"),
    ([error, cut], "error", "cut"),
    ([cut, torn], "cut", nil),
    ([torn, cutBefore], "torn", nil),
    ([torn, error], "torn", nil),
    ([torn, cut, rule("kill", .kill, .after)], "torn", "cut"),
    ([cut], "cut", nil),
  ]

  @Test(arguments: rows) func decides(rules: [FaultRule], main: String?, ending: String?) throws {
    var table = FaultTable(seed: 1)
    for rule in rules { try table.arm(rule) }
    let decision = table.decide(FaultEndingTests.rename)
    #expect(decision.rule == main)
    #expect(decision.ending?.rule == ending)
  }
}
