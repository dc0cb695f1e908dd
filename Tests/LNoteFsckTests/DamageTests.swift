import Testing

@testable import LNoteFsck

@Suite struct DamageTests {
  @Test(arguments: DamageCase.all) func aCheckFindsExactlyThisAndWritesNothing(row: DamageCase) throws {
    let bench = try Bench()
    try row.damage(bench)
    let before = try bench.picture()
    let report = bench.check()
    #expect(codes(report.found) == row.found)
    #expect(report.exit.rawValue & 1 == 0)
    #expect(try bench.picture() == before)
  }

  @Test(arguments: DamageCase.all) func aRepairLeavesExactlyThisAndTheSecondRunWritesNothing(row: DamageCase) throws {
    let bench = try Bench()
    try row.damage(bench)
    let first = bench.repair()
    #expect(codes(first.left) == row.left, "\(first.actions.map(\.step.description))")
    #expect(first.exit.rawValue == row.exit)
    let after = try bench.picture()
    let second = bench.repair()
    #expect(codes(second.found) == row.left)
    #expect(second.actions.isEmpty)
    #expect(second.exit.rawValue == row.exit & ~1)
    #expect(try bench.picture() == after)
  }

  @Test func aSoundDocumentHasNoProblem() throws {
    let bench = try Bench()
    let report = bench.check()
    #expect(codes(report.found) == "")
    #expect(report.isClean)
    #expect(report.exit == [])
    #expect(report.title == "Physics 3")
    let before = try bench.picture()
    #expect(bench.repair().actions.isEmpty)
    #expect(try bench.picture() == before)
  }
}
