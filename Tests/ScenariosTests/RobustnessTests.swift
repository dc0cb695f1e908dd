import Files
import TestSupport
import Testing

@testable import Scenarios

/// Whatever the bytes: reading ends, never traps, and either runs or says why not.
@Suite struct RobustnessTests {
  private static func read(_ bytes: [UInt8]) -> ScenarioReading {
    ScenarioReading.read(bytes, file: "bg.scn", vocabulary: ScenarioTexts.vocabulary)
  }

  private static func holds(_ reading: ScenarioReading) -> Bool {
    (reading.scenario != nil || reading.external != nil || reading.diagnostics.contains { $0.severity != .warning })
      && reading.diagnostics.count <= Diagnostic.countMax
  }

  static let good =
    ScenarioTexts.examples.map { "Tests/Fixtures/scenarios/\($0)" } + ScenarioTexts.ours.map { "Scenarios/\($0)" }

  /// Tokens left out, doubled, swapped, and taken from elsewhere.
  @Test(arguments: good) func survivesMutatedTokens(_ name: String) throws {
    let text = String(decoding: try ScenarioTexts.file(name), as: UTF8.self)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let tokens = lines.flatMap { $0.split(separator: " ").map(String.init) + ["\n"] }
    var random = SeededGenerator(seed: UInt64(name.utf8.reduce(7) { $0 &* 31 &+ Int($1) } & 0xFFFF))
    for _ in 0..<25 {
      var mutated = tokens
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0..<mutated.count, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: mutated.remove(at: place)
        case 1: mutated.insert(mutated[place], at: place)
        case 2: mutated.swapAt(place, Int.random(in: 0..<mutated.count, using: &random))
        case 3: mutated[place] = tokens[Int.random(in: 0..<tokens.count, using: &random)]
        default:
          mutated.insert(
            ["{", "}", "\"", "$", "..", "-", ";", "é", "\u{0}"].randomElement(using: &random) ?? "", at: place)
        }
      }
      #expect(Self.holds(Self.read(Array(mutated.joined(separator: " ").utf8))))
    }
  }

  @Test func survivesRandomBytes() throws {
    var random = SeededGenerator(seed: 11)
    let alphabet = Array("ab1.\"{}()$-=<>;#\n ,:x_E\\".utf8)
    for round in 0..<200 {
      let count = Int.random(in: 0..<200, using: &random)
      let bytes = (0..<count).map { _ in
        round % 4 == 0 ? UInt8.random(in: 0...255, using: &random) : alphabet.randomElement(using: &random) ?? 0
      }
      #expect(Self.holds(Self.read(bytes)))
      #expect(Self.holds(Self.read(Array("scenario v1 \"t\"\n".utf8) + bytes)))
      _ = FaultPlanReading.read(bytes, file: "plan")
    }
  }

  /// Every prefix of a good file, as an editor sees it while it is typed.
  @Test func survivesEveryPrefix() throws {
    let bytes = try ScenarioTexts.fixture("04-random-editing-session.scn")
    for count in stride(from: 0, to: bytes.count, by: 7) { #expect(Self.holds(Self.read(Array(bytes.prefix(count))))) }
  }

  @Test func boundsNesting() {
    let text = { (depth: Int) in
      String(repeating: "repeat 1 {\n", count: depth) + "close\n" + String(repeating: "}\n", count: depth)
    }
    #expect(ScenarioTexts.reading(ScenarioTexts.withSteps(text(64))).text == "")
    #expect(
      ScenarioTexts.heads(ScenarioTexts.parsing(ScenarioTexts.withSteps(text(65))))
        == ["bg.scn:67:10: error: blocks stand in each other at most 64 deep"])
    // Deep enough to overflow a stack that is not guarded; open at the end too.
    #expect(Self.holds(Self.read(Array(ScenarioTexts.withSteps(text(10_000)).utf8))))
    let open = ScenarioTexts.withSteps(String(repeating: "repeat 1 {", count: 10_000))
    #expect(Self.holds(Self.read(Array(open.utf8))))
    let choices = ScenarioTexts.withSteps(String(repeating: "any of { 1: ", count: 10_000))
    #expect(Self.holds(Self.read(Array(choices.utf8))))
  }

  @Test func boundsCalls() {
    let definitions = (0..<70).map { "define d\($0)() { do d\($0 + 1)() }" } + ["define d70() { close }"]
    let heads = ScenarioTexts.heads(
      ScenarioTexts.reading(ScenarioTexts.withSteps(definitions.joined(separator: "\n") + "\ndo d0()")).text)
    #expect(heads == ["bg.scn:66:19: error: blocks and calls stand in each other at most 64 deep"])
    // Each calls the next one twice: 2 to the 60th calls, were they not counted.
    let doubling = (0..<60).map { "define d\($0)() { do d\($0 + 1)(); do d\($0 + 1)() }" } + ["define d60() { }"]
    #expect(
      ScenarioTexts.heads(
        ScenarioTexts.reading(ScenarioTexts.withSteps(doubling.joined(separator: "\n") + "\ndo d0()")).text
      ).count == 1)
  }
}
