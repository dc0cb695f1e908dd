import Files
import Testing

@testable import Scenarios

/// The texts and words that the tests of this room share.
enum ScenarioTexts {
  static let vocabulary = ScenarioVocabulary(
    mutants: [
      "overwrite-in-place", "asset-file-not-synced", "page-before-asset", "load-failure-is-empty", "replace-item",
      "retry-fsync", "cleans-unproven",
    ],
    problems: [
      ("LN1203", "zero-length"), ("LN1601", "foreign-file"), ("LN1603", "unknown-file"), ("LN2005", "page-missing"),
      ("LN3002", "page-truncated"), ("LN4001", "asset-missing"), ("LN4002", "asset-orphan"),
      ("LN4005", "asset-truncated"), ("LN4006", "asset-damaged"), ("LN9001", "known-loss"),
    ],
    models: ["strict", "ext4-ordered", "xfs", "btrfs", "posix-weakest"])

  /// The project's folder, from the place of this file.
  static func folder(_ path: String = #filePath) -> BytePath { BytePath(path).parent.parent.parent }

  static func fixture(_ name: String) throws -> [UInt8] { try file("Tests/Fixtures/scenarios/\(name)") }

  static func file(_ path: String) throws -> [UInt8] {
    try HostVolume(root: folder()).readWhole(BytePath(path), sizeMax: Scenario.fileBytesMax)
  }

  static let examples = [
    "01-background-torn-rename.scn", "02-disk-full-while-autosaving.scn", "03-fsync-fails-once.scn",
    "04-random-editing-session.scn", "05-fail-the-nth-operation.scn", "06-counterexample-photo-empty.scn",
    "07-external-git.scn", "08-photo-power-cut.scn",
  ]

  static let ours = [
    "first-strokes.scn", "photo-power-cut.scn", "torn-document.scn", "disk-full.scn", "photo-never-synced.scn",
    "photo-synced.scn", "every-crash-photo.scn", "every-crash-cleaning.scn", "every-crash-convicted.scn",
    "every-failure.scn", "cases/d01-truncate-in-place.scn", "cases/d01-truncate-in-place-convicted.scn",
    "cases/d02-asset-not-synced.scn", "cases/d02-asset-not-synced-convicted.scn", "cases/d03-full-disk.scn",
    "cases/d04-load-failure.scn", "cases/d04-load-failure-convicted.scn", "cases/d05-replace-item.scn",
    "cases/d05-replace-item-convicted.scn", "cases/d10-cleaner.scn", "cases/d10-cleaner-convicted.scn",
    "cases/d19-known-loss.scn", "cases/d20-hidden-files.scn",
  ]

  /// What the parser says of a text; empty where nothing is wrong.
  static func parsing(_ text: String) -> String {
    let source = SourceText(text)
    return Parser.scenario(in: text).diagnostics.reported.map { source.shown($0, file: "bg.scn") }.joined()
  }

  static func reading(_ text: String, overrides: [(name: String, value: String)] = []) -> ScenarioReading {
    ScenarioReading.read(Array(text.utf8), file: "bg.scn", vocabulary: vocabulary, overrides: overrides)
  }

  /// The first lines of the diagnostics, without the shown source.
  static func heads(_ text: String) -> [String] {
    text.split(separator: "\n").filter { $0.hasPrefix("bg.scn") }.map(String.init)
  }

  /// A runnable file of one document with two pages and these steps, which begin in line 3.
  static func withSteps(_ steps: String) -> String {
    "scenario v1 \"test\"\ndocument \"Trip\" { page p1; page p2 }\n\(steps)\n"
  }

  /// The steps of a file that must be without errors.
  static func steps(_ steps: String) throws -> [CheckedStep] {
    let reading = reading(withSteps(steps))
    return try #require(reading.scenario, Comment(rawValue: reading.text)).steps
  }
}
