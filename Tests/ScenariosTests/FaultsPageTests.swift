import FileTracing
import Files
import Testing

@testable import Scenarios

/// The page of faults for strangers has a line to copy for every effect, and says which no disk shows.
@Suite struct FaultsPageTests {
  /// The rows of the table: the line to copy, and the whole row.
  static func rows() throws -> [(fault: String, row: Substring)] {
    let page = String(decoding: try ScenarioTexts.file("Docs/your-program/faults.md"), as: UTF8.self)
    return page.split(separator: "\n").filter { $0.hasPrefix("| `") && $0.contains(" on ") }.map { row in
      (String(row.split(separator: "`")[1]), row)
    }
  }

  /// The effect that a line stands for, whether or not a disk can do it yet.
  static func effect(of line: String) throws -> FaultEffect {
    let (lines, diagnostics) = Parser.planLines(in: line, isArgument: true)
    #expect(!diagnostics.hasErrors, "\(line)")
    let builder = FaultRuleBuilder(
      environment: Environment(), resolve: { (target) throws(Diagnostic) in throw Diagnostic(.error, target.place, "") }
    )
    guard case .fault(let fault)? = lines.first else {
      throw Diagnostic(.error, SourcePlace(line: 1, column: 1, length: 1), line)
    }
    return try builder.effect(fault.effect)
  }

  @Test func everyEffectHasItsLine() throws {
    let words = try Self.rows().map { try Self.effect(of: $0.fault).word }
    #expect(Set(words) == Set(FaultWord.allCases))
  }

  @Test func theLinesCanBeArmed() throws {
    for (line, _) in try Self.rows() {
      let reading = FaultPlanReading.read(argument: line, option: "--fault", name: "f")
      let others = reading.diagnostics.filter { !$0.message.contains("cannot be armed yet") }
      #expect(others.isEmpty, "\(line)")
    }
  }

  @Test func labelsWhatNoDiskShows() throws {
    for (line, row) in try Self.rows() {
      let effect = try Self.effect(of: line)
      #expect(row.contains("no disk") == effect.isShownByNoDisk, "\(line)")
    }
  }
}
