import FileTracing
import Files
import Linting
import Testing

/// What a run of steps leaves: the tables, with rows that must stay silent.
struct LintTests {
  /// Findings as "line cause path", in their order.
  private func lint(_ start: [String], _ steps: [String]) -> [String] {
    Lint.findings(LintRun(start, steps).records, start: LintRun.start(start)).map {
      "\($0.step.number) \($0.cause.rawValue) \($0.path)"
    }
  }

  static let silent: [(name: String, start: [String], steps: [String])] = [
    ("nothing", ["a"], []),
    (
      "a correct save", ["a"],
      ["create a.tmp", "write a.tmp 5", "fsync a.tmp", "rename a.tmp a", "fsync ."]
    ),
    ("a correct new file", [], ["create a", "write a 5", "fsync a", "fsync ."]),
    ("the directory may be synced first", [], ["create a", "fsync .", "write a 5", "fsync a"]),
    ("O_SYNC: an fsync behind each write", ["a"], ["write a 5", "fsync a", "write a 5 5", "fsync a"]),
    ("made and removed again", [], ["create t", "write t 5", "unlink t"]),
    ("made, moved and removed again", [], ["create t", "fsync t", "rename t u", "unlink u"]),
    (
      "a directory made and removed with what was in it", [],
      ["mkdir d", "create d/a", "write d/a 1", "unlink d/a", "rmdir d"]
    ),
    ("reads only", ["a"], ["open a", "read a", "readdir .", "statfs .", "close a"]),
    ("refused", ["a"], ["create a!", "write a 5!", "unlink a!", "rename a b!"]),
    ("unlinked while open", ["a"], ["open a", "unlink a", "fsync .", "write a 5"]),
    ("sync", [], ["create a", "write a 5", "sync"]),
    ("sync seen by its mark", [], ["create a", "write a 5", "mark"]),
    ("a truncate that changes nothing", ["a"], ["truncate a 10"]),
    ("room kept behind the end", ["a"], ["allocate a 1 4096"]),
    ("room for bytes that are there", ["a"], ["allocate a 0 10"]),
    ("a rename onto itself", ["a"], ["rename a a"]),
    ("a rename onto another name of the file", ["a"], ["link a b", "fsync .", "rename a b"]),
    ("removed and the directory synced", ["a"], ["unlink a", "fsync ."]),
    (
      "moved to another directory, new one synced first", ["d/", "e/", "d/a"], ["rename d/a e/a", "fsync e", "fsync d"]
    ),
    ("moved there and back", ["a"], ["rename a b", "rename b a"]),
    ("an empty new file has no bytes to lose", [], ["create a", "fsync ."]),
    (
      "removed only after the new one is durable", ["old"],
      ["create new", "write new 5", "fsync new", "fsync .", "unlink old", "fsync ."]
    ),
    ("a renamed directory", ["d/", "d/a"], ["rename d e", "fsync .", "write e/a 5", "fsync e/a"]),
    ("emptied on purpose and synced", ["a"], ["truncate a 0", "fsync a", "write a 5", "fsync a"]),
    ("a journal made anew", ["j"], ["unlink j", "create j", "write j 5", "fsync j", "fsync ."]),
    ("a mark of the user", ["a"], ["mark saved"]),
  ]

  @Test(arguments: silent) func staysSilent(_ name: String, _ start: [String], _ steps: [String]) {
    #expect(lint(start, steps) == [])
  }

  static let found: [(start: [String], steps: [String], findings: [String])] = [
    // open("a", "w").write(...) and cp
    ([], ["create a", "write a 5"], ["1 name-made a", "2 new-file-written a"]),
    ([], ["create a", "write a 5", "fsync a"], ["1 name-made a"]),
    ([], ["create a", "write a 5", "fsync ."], ["2 new-file-written a"]),
    ([], ["create a", "write a 5", "fsync a", "fsync .", "write a 5 5"], ["5 file-changed a"]),
    (["a"], ["write a 5"], ["1 file-changed a"]),
    (["a"], ["truncate a 4"], ["1 file-changed a"]),
    (["a"], ["truncate a 0"], ["1 file-changed a"]),
    (["a"], ["allocate a 0 4096"], ["1 file-changed a"]),
    (["a"], ["allocate a 3 4"], ["1 file-changed a"]),
    // A failed fsync makes nothing durable.
    (["a"], ["write a 5", "fsync a!"], ["1 file-changed a"]),
    // Between the two steps no content is on the disk, whatever comes after.
    (["a"], ["truncate a 0", "write a 5"], ["1 emptied-before-rewritten a", "2 file-changed a"]),
    (["a"], ["truncate a 0", "write a 5", "fsync a"], ["1 emptied-before-rewritten a"]),
    // Saving by rename, one fsync missing at a time.
    (["a"], ["create t", "write t 5", "fsync t", "rename t a"], ["4 name-moved a"]),
    (["a"], ["create t", "write t 5", "rename t a", "fsync ."], ["3 renamed-before-synced a"]),
    (["a"], ["create t", "write t 5", "rename t a", "fsync a", "fsync ."], ["3 renamed-before-synced a"]),
    ([], ["create t", "write t 5", "rename t a", "fsync ."], ["3 renamed-before-synced a"]),
    (
      ["a"], ["create t", "write t 5", "rename t a"],
      ["3 name-moved a", "3 renamed-before-synced a"]
    ),
    (
      ["a"], ["create t", "write t 5", "rename t a", "fsync .", "write a 5 5"],
      ["3 renamed-before-synced a", "5 file-changed a"].map { $0.replacing("file-changed", with: "new-file-written") }
    ),
    ([], ["mkdir d", "create d/a", "write d/a 1", "fsync d", "rename d e", "fsync ."], ["5 renamed-before-synced e"]),
    (["a", "b"], ["write a 5", "exchange a b", "fsync ."], ["2 renamed-before-synced b"]),
    (["a", "b"], ["exchange a b"], ["1 name-moved a", "1 name-moved b"]),
    // Names.
    ([], ["mkdir d"], ["1 name-made d"]),
    ([], ["mkdir d", "create d/a", "fsync d"], ["1 name-made d"]),
    ([], ["mkdir d", "create d/a", "fsync ."], ["2 name-made d/a"]),
    ([], ["symlink s"], ["1 name-made s"]),
    (["a"], ["link a b"], ["1 name-made b"]),
    (["a"], ["unlink a"], ["1 name-removed a"]),
    (["d/"], ["rmdir d"], ["1 name-removed d"]),
    (["a"], ["rename a b"], ["1 name-moved b"]),
    // One write, two names, one finding; the other name is durable.
    (["a"], ["link a b", "fsync .", "write b 5"], ["3 file-changed b"]),
    (["a"], ["open a", "rename a b", "fsync .", "write b 5"], ["4 file-changed b"]),
    // Two directories.
    (["d/", "e/", "d/a"], ["rename d/a e/a"], ["1 name-moved e/a"]),
    (["d/", "e/", "d/a"], ["rename d/a e/a", "fsync e"], ["1 name-moved d/a"]),
    (["d/", "e/", "d/a"], ["rename d/a e/a", "fsync d"], ["1 name-moved e/a", "2 old-directory-synced-first e/a"]),
    (
      ["d/", "e/", "d/a"], ["rename d/a e/a", "fsync d", "fsync e"],
      ["2 old-directory-synced-first e/a"]
    ),
    // The old one goes before the new one is durable: mv as cp and rm, and LevelDB's CURRENT and MANIFEST.
    (
      ["old"], ["create new", "write new 5", "unlink old", "fsync new", "fsync ."],
      ["3 removed-before-new-is-durable old"]
    ),
    (
      ["CURRENT", "M1"], ["create t", "write t 5", "fsync t", "rename t CURRENT", "unlink M1", "fsync ."],
      ["5 removed-before-new-is-durable M1"]
    ),
    (
      ["a"], ["create t", "write t 5", "fsync t", "unlink a", "rename t a", "fsync ."],
      ["4 removed-then-made-again a"]
    ),
    // Nothing behind a sync is covered by it.
    ([], ["create a", "sync", "write a 5"], ["3 file-changed a"]),
  ]

  @Test(arguments: found) func finds(_ start: [String], _ steps: [String], _ findings: [String]) {
    #expect(lint(start, steps) == findings)
  }

  @Test func sentencesNameTheLineAndTheFsync() throws {
    let steps = ["create t", "write t 5", "rename t a"]
    let found = Lint.findings(LintRun(["a"], steps).records, start: LintRun.start(["a"]))
    #expect(
      found.map(\.loss) == [
        "'a' may still be the old one",
        "'a' may be empty or full of zeros, and its old content gone: neither old nor new",
      ])
    #expect(
      found.map(\.remedy) == [
        "fsync the directory '.' (open it with O_DIRECTORY), after line 3", "fsync 't' between line 2 and line 3",
      ])
    #expect(found.map { $0.hiddenBy?.contains("auto_da_alloc") } == [nil, true])
    #expect(found[1].steps.map(\.words) == ["write t", "rename t -> a"])
  }

  static let kindness: [([String], [String?])] = [
    (
      ["create b", "write b 5", "fsync b"],
      ["ext4, XFS and btrfs settle it with the fsync of the file in line 3; fdatasync may not"]
    ),
    (
      ["create b", "write a 5", "fsync a"],
      ["ext4 and XFS settle it with the fsync in line 3, whatever it was of; btrfs does not"]
    ),
    (["unlink a"], [nil]),
    (["rename a b"], [nil]),
  ]

  @Test(arguments: kindness) func saysWhereFileSystemsAreKinder(_ steps: [String], _ expected: [String?]) {
    let found = Lint.findings(LintRun(["a"], steps).records, start: LintRun.start(["a"]))
    #expect(found.map(\.hiddenBy) == expected)
  }

  @Test func everyFindingHasItsSentences() {
    for row in LintTests.found {
      for finding in Lint.findings(LintRun(row.start, row.steps).records, start: LintRun.start(row.start)) {
        #expect(
          !finding.loss.isEmpty && finding.remedy.contains(finding.cause == .removedThenMade ? "rename" : "fsync"))
      }
    }
    let causes = LintTests.found.flatMap { row in row.findings.map { $0.split(separator: " ")[1] } }
    #expect(Set(causes.map(String.init)) == Set(LintFinding.Cause.allCases.map(\.rawValue)))
  }

  @Test func manyRemovalsBehindOneNewFileAreOneMatter() {
    let steps = ["create new", "unlink a", "unlink b", "unlink c", "fsync ."]
    let found = Lint.findings(LintRun(["a", "b", "c"], steps).records, start: LintRun.start(["a", "b", "c"]))
    #expect(found.map(\.alikeCount) == [2])
  }
}
