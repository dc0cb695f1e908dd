import Files
import JSON
import Testing

@testable import FileTracing

/// Every effect with every operation: which rules are refused, and that the others keep their JSON form.
@Suite struct FaultEffectTests {
  static let rules: [FaultRule] = FaultEffects.all.flatMap { effect in
    OperationKind.nameable.flatMap { kind in
      [FaultPhase.before, .during, .after].map { phase in
        FaultRule(name: "f", effect: effect, operations: [kind], phase: phase)
      }
    }
  }

  @Test func everyEffectIsInTheTable() {
    #expect(Set(FaultEffects.all.map(\.word)) == Set(FaultWord.allCases))
  }

  @Test func aRuleReadsBackFromItsJSON() throws {
    for rule in Self.rules {
      #expect(try FaultRule(json: JSONValue.parse(rule.json.serialized())) == rule)
    }
  }

  /// What each effect can hit, written down once more: any operation, or these.
  static let hits: [(word: FaultWord, kinds: String)] = [
    (.errno, "any"), (.remountReadOnly, "any"), (.shutdown, "any"), (.lockedDevice, "any"), (.slow, "any"),
    (.hang, "any"), (.powerCut, "any"), (.kill, "any"), (.shortWrite, "write"), (.tornWrite, "write"),
    (.asyncError, "write"), (.tornRename, "rename"), (.fsyncFail, "fsync"), (.fsyncLie, "fsync"),
    (.flip, "read write"), (.zeroBlock, "read write"), (.misplacedBlock, "read write"), (.badSector, "read write"),
    (.staleRead, "read"), (.shortRead, "read"), (.shuffled, "readdir"),
    (
      .rolledBack,
      "create open read write truncate fsync rename link close setattr allocate getxattr setxattr listxattr "
        + "removexattr lock"
    ),
    (
      .placeholder,
      "create open read write truncate fsync rename link close setattr allocate getxattr setxattr listxattr "
        + "removexattr lock"
    ),
  ]

  @Test func onlyWhatItCanHit() {
    #expect(Set(Self.hits.map(\.word)) == Set(FaultWord.allCases))
    for rule in Self.rules where rule.phase == rule.effect.phaseByDefault {
      let row = Self.hits.first { $0.word == rule.effect.word }
      let words = row?.kinds.split(separator: " ").map(String.init) ?? []
      let canHit = words == ["any"] || words.contains(rule.operations.first?.rawValue ?? "")
      let reason = rule.reasonToRefuse
      #expect((reason?.contains(" hits ") == true) == !canHit, "\(rule.effect) on \(rule.operations)")
    }
  }

  @Test func anyIsRefusedWhereOnlySomeCanBeHit() {
    for effect in FaultEffects.all {
      let row = Self.hits.first { $0.word == effect.word }
      let reason = FaultRule(name: "f", effect: effect, operations: []).reasonToRefuse
      #expect((reason?.contains(" hits ") == true) == (row?.kinds != "any"), "\(effect)")
    }
  }

  static let phases: [(effect: FaultEffect, kind: OperationKind, phase: FaultPhase, reason: String)] = [
    (.fsyncLie, .fsync, .after, "fsync-lie happens during its operation; leave the phase out"),
    (.badSector, .read, .before, "bad-sector happens during its operation; leave the phase out"),
    (.shuffled, .readdir, .before, "shuffled happens during its operation; leave the phase out"),
    (.shutdown, .write, .during, "shutdown happens before or after its operation, not during it"),
    (.rolledBack, .open, .during, "rolled-back happens before or after its operation, not during it"),
    (.slow(milliseconds: 1), .write, .after, "slow is about the answer; leave the phase out"),
    (.hang, .write, .during, "hang is about the answer; leave the phase out"),
  ]

  @Test(arguments: phases)
  func refusesAPhase(row: (effect: FaultEffect, kind: OperationKind, phase: FaultPhase, reason: String)) {
    let rule = FaultRule(name: "f", effect: row.effect, operations: [row.kind], phase: row.phase)
    #expect(rule.reasonToRefuse == row.reason)
    #expect(FaultRule(name: "f", effect: row.effect, operations: [row.kind]).reasonToRefuse != row.reason)
  }

  static let amounts: [(effect: FaultEffect, kind: OperationKind, reason: String)] = [
    (.flip(bits: 0), .read, "flip 0 bits changes nothing; leave the fault out"),
    (.flip(bits: 8_355_841), .write, "a write is at most 1020KiB, so 8355841 bits are more than it has"),
    (.shortRead(bytesMax: 0), .read, "a read of nothing is the end of the file; write at least 1B"),
    (.slow(milliseconds: 0), .read, "slow 0ms is no delay; leave the fault out"),
    (
      .slow(milliseconds: 86_400_001), .read,
      "a delay is at most a day; write 'hang' for an answer that never comes"
    ),
    (.tornWrite(bytesMax: 100), .write, "a disk writes whole sectors; write a multiple of 512B"),
    (
      .tornWrite(bytesMax: 255 << 12), .write,
      "a write is at most 1020KiB, so none is cut to 1044480B; write less than 1020KiB"
    ),
    (.asyncError, .read, "async-error hits writes only; write 'on write'"),
    (.badSector, .fsync, "bad-sector hits reads and writes only; write 'on read' or 'on write'"),
    (.shuffled, .read, "shuffled hits listings only; write 'on readdir'"),
    (.fsyncLie, .close, "fsync-lie hits fsyncs only; write 'on fsync'"),
    (
      .placeholder, .unlink,
      "placeholder hits only create open read write truncate fsync rename link close setattr allocate getxattr "
        + "setxattr listxattr removexattr lock"
    ),
  ]

  @Test(arguments: amounts)
  func refusesAnAmountOrAnOperation(row: (effect: FaultEffect, kind: OperationKind, reason: String)) {
    #expect(FaultRule(name: "f", effect: row.effect, operations: [row.kind]).reasonToRefuse == row.reason)
  }

  @Test func labelsWhatNoDiskShows() {
    let labelled = FaultEffects.all.filter(\.isShownByNoDisk)
    #expect(
      Set(labelled) == [
        .rolledBack, .placeholder, .tornRename(.neitherName), .tornRename(.oldTarget), .tornRename(.sourceOnly),
      ])
    #expect(
      FaultRule(name: "f", effect: .rolledBack, operations: [.open]).label == "bridges and broken layers only")
    #expect(FaultRule(name: "f", effect: .fsyncLie, operations: [.fsync]).label == nil)
  }
}
