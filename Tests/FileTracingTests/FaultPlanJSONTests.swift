import FileTracing
import Files
import JSON
import Testing

@Suite struct FaultPlanJSONTests {
  static let rules: [FaultRule] =
    [
      FaultRule(name: "f1", effect: .errno(.enospc), operations: [.write, .fsync]),
      FaultRule(name: "f2", effect: .errno(.eio), operations: [], phase: .after, isOptional: true),
      FaultRule(
        name: "f3", effect: .shortWrite(bytesMax: 4096), operations: [.write],
        target: FaultTarget(
          patterns: [NamePattern("a/*.x"), NamePattern(BytePath(bytes: [0xFF, 0x2A]))], spelling: "page p1"),
        occurrence: FaultOccurrence(nth: 4, every: 2, afterBytes: 1 << 40, probability: 0.125, times: 1)),
      FaultRule(
        name: "f4", effect: .powerCut(.keepNone), operations: [.rename],
        target: FaultTarget(patterns: [NamePattern("**")], side: .to, spelling: "x"), phase: .during),
      FaultRule(name: "f5", effect: .powerCut(.keepAll), operations: [.rename]),
      FaultRule(name: "f6", effect: .kill, operations: [.close], phase: .before),
      FaultRule(name: "f7", effect: .tornRename(.targetPrefix(bytes: 7)), operations: [.rename]),
    ] + TornRename.all.map { FaultRule(name: $0.name, effect: .tornRename($0), operations: [.rename]) }

  @Test(arguments: rules) func comesBack(rule: FaultRule) throws {
    #expect(try FaultRule(json: rule.json) == rule)
    #expect(try FaultRule(json: JSONValue.parse(rule.json.serialized())) == rule)
  }

  @Test func aPlanComesBack() throws {
    let plan = FaultPlan(rules: FaultPlanJSONTests.rules)
    #expect(try FaultPlan(json: plan.json) == plan)
  }

  static let bounds: [(json: String, bound: SpaceBound)] = [
    (#"{"free-space":{"bytes":65536},"rules":[]}"#, SpaceBound(bytes: 65536)),
    (#"{"free-space":{"bytes":0,"inodes":10}}"#, SpaceBound(bytes: 0, inodes: 10)),
    (#"{"free-space":{"inodes":1},"rules":[]}"#, SpaceBound(inodes: 1)),
  ]

  @Test(arguments: bounds) func aPlanMayBoundTheSpace(json: String, bound: SpaceBound) throws {
    let plan = try FaultPlan(json: JSONValue.parse(Array(json.utf8)))
    #expect(plan == FaultPlan(freeSpace: bound))
    #expect(try FaultPlan(json: plan.json) == plan)
  }

  static let wrongBounds: [(json: String, error: String)] = [
    (#"{}"#, "rules: is missing"),
    (#"{"free-space":{}}"#, "free-space: needs \"bytes\" or \"inodes\""),
    (#"{"free-space":65536}"#, "free-space: is not an object"),
    (#"{"free-space":{"bytes":-1}}"#, "free-space.bytes: is not a whole number from 0 on"),
    (#"{"free-space":{"blocks":1}}"#, "free-space.blocks: is unknown; known are bytes inodes"),
    (
      #"{"rules":[{"name":"free-space","effect":"kill"}]}"#,
      "rules[0]: 'free-space' is the name of the bound on space; choose another"
    ),
  ]

  @Test(arguments: wrongBounds) func refusesABound(json: String, error: String) throws {
    let value = try JSONValue.parse(Array(json.utf8))
    #expect { try FaultPlan(json: value) } throws: { "\($0)" == error }
  }

  @Test func reads() throws {
    let text = """
      {"rules": [{"name": "f", "effect": "torn-rename", "outcome": "target-prefix", "operations": ["rename"],
        "target": {"patterns": ["*.lnote/document.json"], "side": "to"}, "nth": 2, "phase": null}]}
      """
    let rule = FaultRule(
      name: "f", effect: .tornRename(.targetPrefix(bytes: nil)), operations: [.rename],
      target: FaultTarget(
        patterns: [NamePattern("*.lnote/document.json")], side: .to, spelling: "\"*.lnote/document.json\""),
      occurrence: FaultOccurrence(nth: 2))
    #expect(try FaultPlan(json: JSONValue.parse(Array(text.utf8))) == FaultPlan(rules: [rule]))
  }

  static let wrong: [(json: String, error: String)] = [
    ("[]", "is not an object"),
    ("{}", "rules: is missing"),
    (#"{"rules": 1}"#, "rules: is not a list"),
    (#"{"rules": [], "seed": 1}"#, "seed: is unknown; known are rules free-space"),
    (#"{"rules": [7]}"#, "rules[0]: is not an object"),
    (#"{"rules": [{"name": "f"}]}"#, "rules[0].effect: is missing"),
    (#"{"rules": [{"effect": "kill"}]}"#, "rules[0].name: is missing"),
    (
      #"{"rules": [{"name": "f", "effect": "explode"}]}"#,
      "rules[0].effect: 'explode' is none of errno short-write torn-write torn-rename fsync-fail fsync-lie flip zero-block "
        + "misplaced-block stale-read short-read bad-sector async-error remount-ro shutdown locked-device rolled-back "
        + "placeholder shuffled slow hang power-cut kill"
    ),
    (#"{"rules": [{"name": "f", "effect": "errno"}]}"#, "rules[0].errno: is missing"),
    (
      #"{"rules": [{"name": "f", "effect": "errno", "errno": "EFUN"}]}"#,
      "rules[0].errno: 'EFUN' is the name of no error"
    ),
    (#"{"rules": [{"name": "f", "effect": "kill", "errno": "EIO"}]}"#, "rules[0].errno: has no meaning for 'kill'"),
    (
      #"{"rules": [{"name": "f", "effect": "torn-rename", "outcome": "not-done", "bytes": 1}]}"#,
      "rules[0].bytes: has no meaning for 'not-done'"
    ),
    (
      #"{"rules": [{"name": "f", "effect": "torn-rename", "outcome": "torn"}]}"#,
      "rules[0].outcome: 'torn' is none of both-names neither-name target-empty target-zeros target-prefix "
        + "target-holes old-target source-only not-done done-but-error"
    ),
    (
      #"{"rules": [{"name": "f", "effect": "power-cut", "survivors": "some"}]}"#,
      "rules[0].survivors: 'some' is none of keep-all keep-none"
    ),
    (#"{"rules": [{"name": "f", "effect": "kill", "nth": -1}]}"#, "rules[0].nth: is not a whole number from 0 on"),
    (#"{"rules": [{"name": "f", "effect": "kill", "nth": 1.5}]}"#, "rules[0].nth: is not a whole number from 0 on"),
    (#"{"rules": [{"name": "f", "effect": "kill", "probability": "1"}]}"#, "rules[0].probability: is not a number"),
    (#"{"rules": [{"name": "f", "effect": "kill", "maybe": 1}]}"#, "rules[0].maybe: is neither true nor false"),
    (
      #"{"rules": [{"name": "f", "effect": "kill", "phase": "later"}]}"#,
      "rules[0].phase: 'later' is none of before during after"
    ),
    (
      #"{"rules": [{"name": "f", "effect": "kill", "operations": ["write", "chmod"]}]}"#,
      "rules[0].operations[1]: is none of create open read write truncate fsync rename unlink mkdir rmdir link "
        + "readdir statfs close symlink setattr allocate getxattr setxattr listxattr removexattr lock sync"
    ),
    (
      #"{"rules": [{"name": "f", "effect": "kill", "target": {"side": "to"}}]}"#,
      "rules[0].target.patterns: is missing"
    ),
    (
      #"{"rules": [{"name": "f", "effect": "kill", "target": {"patterns": ["a", 1]}}]}"#,
      "rules[0].target.patterns[1]: is neither a text nor {\"hex\": …}"
    ),
    (
      #"{"rules": [{"name": "f", "effect": "kill", "target": {"patterns": ["a"], "side": "form"}}]}"#,
      "rules[0].target.side: 'form' is none of either from to"
    ),
    (
      #"{"rules": [{"name": "f", "effect": "kill"}, {"name": "f", "effect": "kill"}]}"#,
      "rules[1].name: 'f' is the name of an earlier rule"
    ),
    (#"{"rules": [{"name": "f", "effect": "kill", "nth": 0}]}"#, "rules[0]: nth counts from 1"),
    (#"{"rules": [{"name": "f", "effect": "torn-write"}]}"#, "rules[0].bytes: is missing"),
    (#"{"rules": [{"name": "f", "effect": "fsync-fail"}]}"#, "rules[0].pages: is missing"),
    (
      #"{"rules": [{"name": "f", "effect": "fsync-fail", "pages": "lost"}]}"#,
      "rules[0].pages: 'lost' is none of drop-dirty keep-dirty"
    ),
    (#"{"rules": [{"name": "f", "effect": "flip", "bytes": 1}]}"#, "rules[0].bytes: has no meaning for 'flip'"),
    (#"{"rules": [{"name": "f", "effect": "slow", "bits": 1}]}"#, "rules[0].bits: has no meaning for 'slow'"),
    (#"{"rules": [{"name": "f", "effect": "slow"}]}"#, "rules[0].milliseconds: is missing"),
  ]

  @Test(arguments: wrong) func namesTheField(row: (json: String, error: String)) throws {
    let json = try JSONValue.parse(Array(row.json.utf8))
    let error = #expect(throws: FaultPlanError.self) { try FaultPlan(json: json) }
    #expect(error?.description == row.error)
  }
}
