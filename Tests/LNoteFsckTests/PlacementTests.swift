import Files
import LNoteFormat
import Testing

@testable import LNoteFsck

/// Pages under other pages' names: each comes to its own, wherever it was and wherever a repair is ended.
@Suite struct PlacementTests {
  /// Which page's content stands in the place of each of the three; 0 for none.
  private static let standings = (0..<64).map { [$0 % 4, $0 / 4 % 4, $0 / 16] }

  /// A package with these standings, and what is whole in it; perhaps with page 2 as a temporary file too.
  private static func bench(_ standing: [Int], temporary: Bool) throws -> (bench: Bench, whole: Set<Int>) {
    let bench = try Bench()
    for (place, content) in standing.enumerated() {
      let path = PackagePaths.page(Bench.pages[place])
      if content == 0 {
        try bench.remove(path)
      } else {
        try bench.put(bench.snapshots[content - 1].encoded(), at: path)
      }
    }
    if temporary { try bench.writeTemporary(page: 1) { _ in } }
    return (bench, Set(standing.filter { $0 > 0 }.map { $0 - 1 } + (temporary ? [1] : [])))
  }

  /// Each page that was there is in its own place as it was, and nothing is left to do.
  private static func expectInPlace(_ whole: Set<Int>, _ bench: Bench, _ what: String) throws {
    for place in whole {
      let bytes = try? bench.bytes(PackagePaths.page(Bench.pages[place]))
      #expect(bytes == bench.snapshots[place].encoded(), "\(what): page \(place + 1)")
    }
    #expect(bench.repair().actions.isEmpty, "\(what)")
  }

  @Test(arguments: [false, true]) func aPageThatIsAnywhereComesToItsOwnPlace(temporary: Bool) throws {
    for standing in Self.standings {
      let (bench, whole) = try Self.bench(standing, temporary: temporary)
      // What needs no consent keeps nothing from its place later.
      if temporary { _ = bench.repair(.automatic) }
      _ = bench.repair()
      try Self.expectInPlace(whole, bench, "\(standing)")
    }
  }

  @Test(arguments: standings.filter { Set($0) == [1, 2, 3] }) func aRepairEndedAnywhereIsGoneOnWith(
    standing: [Int]
  ) throws {
    var stop = 0
    while true {
      let (bench, whole) = try Self.bench(standing, temporary: false)
      let isWhole = !Bench.Again(bench).repair(endingBehind: stop).exit.contains(.cancelled)
      _ = bench.repair(.automatic)
      _ = bench.repair()
      try Self.expectInPlace(whole, bench, "\(standing), ended behind step \(stop)")
      if isWhole { return }
      stop += 1
    }
  }

  @Test(arguments: DamageCase.misplaced + DamageCase.identities) func aRepairEndedBehindAnyStepComesToTheSameEnd(
    row: DamageCase
  ) throws {
    var stop = 0
    while true {
      let bench = try Bench()
      try row.damage(bench)
      let isWhole = !Bench.Again(bench).repair(endingBehind: stop).exit.contains(.cancelled)
      #expect(codes(bench.repair().left) == row.left, "ended behind step \(stop)")
      #expect(bench.repair().actions.isEmpty, "ended behind step \(stop)")
      if isWhole { return }
      stop += 1
    }
  }

  /// A ring takes one step more than its pages, and a chain none.
  @Test func onlyARingNeedsAPlaceOfItsOwn() throws {
    for (standing, steps) in [([2, 3, 1], 4), ([2, 1, 3], 3), ([0, 3, 1], 2), ([0, 1, 0], 1)] {
      let actions = try Self.bench(standing, temporary: false).bench.repair().actions
      #expect(actions.count { $0.step.code == ProblemKind.nameIdentityDiffers.code } == steps, "\(standing)")
    }
  }

  @Test func theCutStrokeOfAnotherPageIsNotTakenForThisOnes() throws {
    let bench = try Bench()
    try bench.put(Array(bench.snapshots[1].encoded().prefix(84 + 9 + 32 + 5 * 16)), at: DamageCase.page1)
    let report = bench.repair()
    #expect(try bench.page(0).elements == [])
    #expect(report.found.contains { $0.details.contains { $0.contains("1 stroke or image is in it") } })
  }
}
