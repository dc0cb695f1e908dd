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

  private static let slow = rule("slow", .slow(milliseconds: 2000), .before)
  private static let slower = rule("slower", .slow(milliseconds: 3000), .before)

  /// Rules that make an answer slow, with others in every order.
  static let delayRows: [(rules: [FaultRule], main: String?, delays: [String], ending: String?, sum: UInt64)] = [
    ([slow], "slow", [], nil, 2000),
    ([slow, error], "error", ["slow"], nil, 2000),
    ([error, slow], "error", ["slow"], nil, 2000),
    ([slow, slower], "slow", ["slower"], nil, 5000),
    ([slow, error, slower, torn], "error", ["slow", "slower"], nil, 5000),
    ([slow, slower, error], "error", ["slow", "slower"], nil, 5000),
    ([slow, cut], "cut", ["slow"], nil, 2000),
    ([slow, torn, cut], "torn", ["slow"], "cut", 2000),
    ([torn, cut], "torn", [], "cut", 0),
  ]

  @Test(arguments: delayRows)
  func delaysDecideNothing(
    row: (rules: [FaultRule], main: String?, delays: [String], ending: String?, sum: UInt64)
  ) throws {
    var table = FaultTable(seed: 1)
    for rule in row.rules { try table.arm(rule) }
    let decision = table.decide(FaultEndingTests.rename)
    #expect(decision.rule == row.main)
    #expect(Set(decision.delays.map(\.rule)) == Set(row.delays) && decision.delays.count == row.delays.count)
    #expect(decision.ending?.rule == row.ending)
    #expect(decision.delayMilliseconds == row.sum)
    let hit = [decision.rule, decision.ending?.rule].compactMap { $0 } + decision.delays.map(\.rule)
    for counts in table.counts {
      #expect(counts.matched == 1 && counts.fired == (hit.contains(counts.rule.name) ? 1 : 0), "\(counts.rule.name)")
    }
  }

  @Test(arguments: rows) func decides(rules: [FaultRule], main: String?, ending: String?) throws {
    var table = FaultTable(seed: 1)
    for rule in rules { try table.arm(rule) }
    let decision = table.decide(FaultEndingTests.rename)
    #expect(decision.rule == main)
    #expect(decision.ending?.rule == ending)
  }
}
