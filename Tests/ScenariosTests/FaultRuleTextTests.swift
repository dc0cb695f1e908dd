import FileTracing
import Files
import TestSupport
import Testing

@testable import Scenarios

/// A rule is shown in the words in which it is written.
@Suite struct FaultRuleTextTests {
  private static func read(_ text: String, name: String = "f") -> FaultRule? {
    let reading = FaultPlanReading.read(argument: text, option: "--fault", name: name)
    #expect(reading.text == "", "\(text)")
    return reading.plan?.rules.first
  }

  @Test func theLinesOfThePageAreShownAsTheyAre() throws {
    let rows = try FaultsPageTests.rows()
    #expect(rows.count > 30)
    for (line, _) in rows { #expect(Self.read(line)?.text == line) }
  }

  @Test(arguments: [
    "maybe EIO on any", #"kill on create or write of "a/**/*.tmp" or "b\"\\" every 2 times 1 during"#,
    #"torn-rename target-prefix on rename from "a" probability 1.0"#,
    "slow 90s on write or fsync or getxattr or sync every 3 after-bytes 1MiB probability 0.000001 times 4",
    "power-cut keep-all on rename before", "EIO on sync after",
  ])
  func isShownAsItWasWritten(_ text: String) {
    // A word of the language that no disk performs yet cannot be armed.
    let known = text.replacing("getxattr or ", with: OperationKind.nameable.contains(.getxattr) ? "getxattr or " : "")
    #expect(Self.read(known)?.text == known)
  }

  @Test func whatIsShownCanBeWrittenAgain() {
    var numbers = SeededGenerator(seed: 5)
    var words: Set<FaultWord> = []
    for _ in 0..<4000 {
      let rule = Self.rule(&numbers)
      guard rule.refusal == nil else { continue }
      words.insert(rule.effect.word)
      let again = Self.read(rule.text)
      #expect(again == rule, "\(rule.text)")
      let plan = FaultPlanReading.read(
        Array("\(rule.isOptional ? "maybe " : "")fault f = \(rule.bareText)".utf8), file: "p")
      #expect(plan.plan?.rules == [rule], "\(rule.text)")
      if again != rule { return }
    }
    #expect(words == Set(FaultWord.allCases))
  }

  // MARK: Rules by chance

  private static func rule(_ numbers: inout SeededGenerator) -> FaultRule {
    let effect = effect(&numbers)
    let possible = effect.operationsNeeded?.filter(OperationKind.nameable.contains) ?? OperationKind.nameable
    let mayBeAny = effect.operationsNeeded == nil && Int.random(in: 0..<4, using: &numbers) == 0
    let count = Int.random(in: 1...min(3, possible.count), using: &numbers)
    let operations = mayBeAny ? [] : Set(possible.shuffled(using: &numbers).prefix(count))
    let phases = effect.phasesPossible.sorted { $0.rawValue < $1.rawValue }
    var occurrence = FaultOccurrence()
    if Bool.random(using: &numbers) { occurrence.nth = UInt64.random(in: 1...9, using: &numbers) }
    if Bool.random(using: &numbers), occurrence.nth == nil { occurrence.every = .random(in: 1...9, using: &numbers) }
    if Bool.random(using: &numbers) { occurrence.afterBytes = .random(in: 0...(1 << 30), using: &numbers) }
    if Bool.random(using: &numbers) {
      occurrence.probability = Double(Int.random(in: 1...1_000_000, using: &numbers)) / 1_000_000
    }
    if Bool.random(using: &numbers), occurrence.nth == nil { occurrence.times = .random(in: 1...9, using: &numbers) }
    return FaultRule(
      name: "f", effect: effect, operations: operations, target: target(operations, &numbers), occurrence: occurrence,
      phase: phases.randomElement(using: &numbers), isOptional: Bool.random(using: &numbers))
  }

  private static func target(_ operations: Set<OperationKind>, _ numbers: inout SeededGenerator) -> FaultTarget? {
    guard Bool.random(using: &numbers) else { return nil }
    let globs = ["a", "**/*.tmp", "a b", "ä\u{1F4C4}", "q\"\\", "tab\tx", "?"].shuffled(using: &numbers)
    let patterns = globs.prefix(Int.random(in: 1...3, using: &numbers)).map { NamePattern(BytePath($0)) }
    let hasTwoPaths = !operations.isEmpty && operations.isSubset(of: [.rename, .link])
    let sides: [FaultTarget.Side] = hasTwoPaths ? [.either, .from, .to] : [.either]
    let side = sides.randomElement(using: &numbers) ?? .either
    return FaultTarget(patterns: patterns, side: side, spelling: FaultTarget.spelling(of: patterns))
  }

  private static func effect(_ numbers: inout SeededGenerator) -> FaultEffect {
    let bytes = UInt64.random(in: 1...4, using: &numbers) << UInt64.random(in: 0...12, using: &numbers)
    switch FaultWord.allCases.randomElement(using: &numbers) ?? .errno {
    case .errno:
      return .errno(
        Errno.numbers.randomElement(using: &numbers).flatMap { Errno(name: $0.name) } ?? .eio)
    case .shortWrite: return .shortWrite(bytesMax: bytes)
    case .tornWrite: return .tornWrite(bytesMax: bytes & ~511)
    case .tornRename:
      let way = TornRename.all.randomElement(using: &numbers) ?? .notDone
      return .tornRename(
        way.name == "target-prefix" && Bool.random(using: &numbers) ? .targetPrefix(bytes: bytes) : way)
    case .fsyncFail: return .fsyncFail(DirtyPages.allCases.randomElement(using: &numbers) ?? .drop)
    case .flip: return .flip(bits: bytes)
    case .shortRead: return .shortRead(bytesMax: bytes)
    case .slow:
      return .slow(milliseconds: bytes * [1, 1000, 60_000][Int.random(in: 0..<3, using: &numbers)] % 86_400_000)
    case .powerCut: return .powerCut(Bool.random(using: &numbers) ? .keepAll : .keepNone)
    case .kill: return .kill
    case let word: return word.plainEffect ?? .kill
    }
  }
}
