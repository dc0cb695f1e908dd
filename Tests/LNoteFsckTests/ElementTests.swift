import LNoteFormat
import Testing

@testable import LNoteFsck

/// Whole pages that hold what no writer means: what their repair writes, and how often.
@Suite struct ElementTests {
  private static func strong() -> PageElement {
    var stroke = Bench.stroke(1, samples: 10)
    stroke.samples[4].pressure = .max
    return .stroke(stroke)
  }

  @Test func aPageIsWrittenOnceWhateverIsOddInIt() throws {
    let bench = try Bench()
    try bench.rewrite(page: 0) { page in
      page.elements[0] = Self.strong()
      page.elements.append(page.elements[1])
    }
    let report = bench.repair()
    #expect(report.actions.count { $0.step.path == DamageCase.page1 } == 1)
    #expect(try bench.page(0).generation == 6)
  }

  /// An entry that lags is put right with the page; another version of the page comes first.
  @Test(arguments: [(UInt64(5), true), (6, true), (4, false)])
  func whatIsOddIsAmendedWhereThePageStays(generation: UInt64, isAmended: Bool) throws {
    let bench = try Bench()
    try bench.write(page: 0) { page in
      page.elements[0] = Self.strong()
      page.generation = generation
    }
    let odd = bench.check().found.filter { $0.kind == .valueOutOfRange }
    #expect(odd.map(\.action) == [isAmended ? .amendPage(Bench.pages[0], .pressure) : nil])
  }

  @Test func aSizeIsPutRightInThePageAndInItsEntryAtOnce() throws {
    let bench = try Bench()
    try bench.write(page: 0) { $0.canvas.width = 0 }
    try bench.edit { $0.pages[0].canvas.width = 0 }
    let report = bench.repair()
    #expect(report.actions.count { $0.step.path == PackagePaths.document } == 1)
    #expect(try bench.page(0).canvas == bench.readDocument().pages[0].canvas)
  }

  @Test func theSmallPictureIsDrawnAnew() throws {
    let bench = try Bench()
    try bench.rewrite(page: 0) { $0.elements[0] = Self.strong() }
    let before = try bench.bytes(DamageCase.small1)
    #expect(bench.repair().actions.contains { $0.step.path == DamageCase.small1 })
    #expect(try bench.bytes(DamageCase.small1) != before)
  }

  @Test func anImageThatAnotherPlaceWasGivenIsLostThere() throws {
    let bench = try Bench()
    try bench.rewrite(page: 2) { page in
      page.elements = [.image(Bench.image(of: Bench.asset, Bench.picture + [0], element: 22))]
    }
    #expect(bench.check().found.map(\.loss.elements) == [1])
  }
}
