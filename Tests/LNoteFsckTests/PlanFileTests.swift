import Files
import JSON
import LNoteFormat
import Processes
import TestSupport
import Testing

@testable import LNoteFsck

/// The file of a plan: its schema, what is refused of it, and the program that writes and reads it.
@Suite struct PlanFileTests {
  static func value(_ plan: SavedPlan) throws -> JSONValue { try JSONValue.parse(plan.encoded()) }

  @Test func thePlanOfEveryDamageFitsItsSchemaAndReadsTheSame() throws {
    var lines: [UInt8] = []
    for row in DamageCase.all {
      let bench = try Bench()
      try row.damage(bench)
      guard let plan = try bench.savedPlan() else { continue }
      #expect(try SavedPlan.read(plan.encoded()) == plan)
      lines += JSONLines.line(try Self.value(plan))
    }
    #expect(try JSONLineTests.refused(lines, by: "fsck-plan") == [:])
  }

  @Test func theSchemaRefusesWhatLacksAFieldOrHasOneTooMany() throws {
    let plan = try #require(try PlanTests.damaged().savedPlan())
    let fields = try #require(try Self.value(plan).object)
    var wrong: [JSONValue] = [.object(fields.merging(["more": 1]) { $1 })]
    for name in fields.keys {
      wrong.append(.object(fields.filter { $0.key != name }))
      wrong.append(.object(fields.merging([name: 7]) { $1 }))
    }
    let refused = try JSONLineTests.refused(wrong.flatMap { JSONLines.line($0) }, by: "fsck-plan")
    #expect(refused.count == wrong.count)
  }

  static let faults: [(old: String, new: String, says: String)] = [
    ("lnote-fsck plan", "shopping list", "format"), ("\"version\": 1", "\"version\": 2", "version is 2"),
    ("\"version\": 1", "\"version\": \"1\"", "version must be"), ("\"yes\"", "\"no\"", "mode"),
    ("\"made\": \"2026", "\"made\": \"x2026", "made"),
    ("\"documents\": [", "\"documents\": [7, ", "documents[0].package"),
    ("\"package\": \"", "\"package\": \"../", "documents[0].package"),
    ("\"package\": \"6F", "\"package\": \"..\", \"x\": \"6F", "documents[0].package"),
    ("\"steps\": [", "\"steps\": [[], ", "documents[0].steps[0].path"),
    ("\"path\": \"pages/", "\"path\": \"/etc/pages/", "documents[0].steps[1].inputs[0].path"),
    ("\"path\": \"pages/", "\"path\": \"pages/../../", "documents[0].steps[1].inputs[0].path"),
    ("\"kind\": \"regular\"", "\"kind\": \"regular file\"", "documents[0].steps[0].inputs[0]"),
    ("\"bytes\": ", "\"bytes\": -", "documents[0].steps[0].inputs[0]"),
    ("\"code\": \"LN", "\"code\": 7, \"x\": \"LN", "documents[0].steps[0].code"),
    ("\"mode\"", "\"made\": \"\", \"mode\"", "line "), ("{", "[", "line "),
    ("\"why\"", "\"\\uD800\": 1, \"why\"", "line "),
  ]

  @Test(arguments: faults) func whatIsNoPlanIsRefusedWithItsPlace(old: String, new: String, says: String) throws {
    let plan = try #require(try PlanTests.damaged().savedPlan())
    let text = String(decoding: plan.encoded(), as: UTF8.self)
    let changed = text.replacing(old, with: new, maxReplacements: 1)
    #expect(changed != text)
    do throws(PlanFault) {
      _ = try SavedPlan.read(Array(changed.utf8))
      Issue.record("\(new) was read")
    } catch {
      #expect("\(error)".hasPrefix(says), "\(error)")
    }
  }

  @Test func oneDocumentTwiceIsRefused() throws {
    var plan = try #require(try PlanTests.damaged().savedPlan())
    plan.documents += plan.documents
    #expect(throws: PlanFault.self) { try SavedPlan.read(plan.encoded()) }
  }

  /// Nothing of a plan's file is done that this program would not do itself.
  @Test func aPlanThatSaysOtherThanTheProgramWouldDoIsRefused() throws {
    let bench = try PlanTests.damaged()
    let plan = try #require(try bench.savedPlan())
    let text = String(decoding: plan.encoded(), as: UTF8.self)
    let page3 = "\(DamageCase.page3)"
    for (old, new) in [
      ("LN1501 set aside", "LN1501 remove"), ("\(DamageCase.page1)", page3), ("LN3001", "LN3002"),
      ("\(PlanTests.leftover)", "\(DamageCase.picture)"),
    ] {
      let changed = text.replacing(old, with: new)
      #expect(changed != text, "\(old)")
      guard let read = try? SavedPlan.read(Array(changed.utf8)) else { continue }
      let before = try bench.picture()
      #expect(bench.apply(read).exit.contains(.operational), "\(old)")
      #expect(try bench.picture() == before, "\(old)")
    }
  }

  // MARK: The program

  @Test func aPlanIsMadeReadAndApplied() throws {
    let directory = try ProgramTests.folder { try $0.damage(DamageCase.page1) { $0 = Array($0.dropLast(33)) } }
    let before = try ProgramTests.picture(directory, "Notes")
    let looked = try ProgramTests.run(["--plan", "Notes"], in: directory)
    #expect(looked.status == 4 && looked.text.contains("step    1. "), "\(looked.text)")
    let saved = try ProgramTests.run(["--save-plan", "plan.json", "Notes"], in: directory)
    #expect(saved.status == 4 && saved.text.contains("lnote-fsck --apply-plan plan.json Notes"), "\(saved.text)")
    #expect(try ProgramTests.picture(directory, "Notes") == before)
    let bytes = try directory.volume().bytes(of: "plan.json")
    #expect(try JSONLineTests.refused(JSONLines.line(try JSONValue.parse(bytes)), by: "fsck-plan") == [:])
    let json = try ProgramTests.run(["--plan", "--json", "Notes"], in: directory)
    #expect(try JSONLineTests.refused(Array(json.text.utf8)) == [:])
    let steps = try JSONLines.parse(Array(json.text.utf8)).first { $0["type"]?.string == "plan" }?["steps"]
    let kept = try JSONValue.parse(bytes)["documents"]?[0]?["steps"]
    // Their results hold the time at which the plan was made.
    let inputs = { (steps: JSONValue?) in steps?.array?.map { [$0["action"], $0["inputs"]] } }
    #expect(inputs(steps) != nil && inputs(steps) == inputs(kept))
    // A plan is never written over a file.
    #expect(try ProgramTests.run(["--save-plan", "plan.json", "Notes"], in: directory).status == 16)
    let applied = try ProgramTests.run(["--apply-plan", "plan.json", "--json", "Notes"], in: directory)
    #expect(applied.status == 5, "\(applied.text)")
    #expect(try JSONLineTests.refused(Array(applied.text.utf8)) == [:])
    #expect(try ProgramTests.run(["--apply-plan", "plan.json", "Notes"], in: directory).status == 4)
    let undo = try ProgramTests.run(["--undo", "Notes/\(Bench.package)"], in: directory)
    #expect(undo.status == 5, "\(undo.text)")
    try directory.volume().replace(
      BytePath("Notes/\(Bench.package)").appending(DamageCase.page1), with: [1, 2, 3])
    let refused = try ProgramTests.run(["--apply-plan", "plan.json", "Notes"], in: directory)
    #expect(refused.status == 12 && refused.text.contains("it has changed"), "\(refused.text)")
  }

  @Test func aPlanOfAnArchiveIsAppliedToTheFolder() throws {
    let directory = try ProgramTests.folder { bench in
      try bench.damage(DamageCase.page1) { $0 = Array($0.dropLast(33)) }
      try bench.put(bench.snapshots[2].encoded(), at: PlanTests.leftover)
    }
    var launch = Launch("tar", ["-cf", "Notes.tar", "Notes"])
    launch.workingDirectory = directory.path.bytes
    #expect(try launch.run(limitMilliseconds: 20_000).ending.isSuccess)
    let saved = try ProgramTests.run(["--save-plan", "plan.json", "Notes.tar"], in: directory)
    #expect(saved.status == 4 && saved.text.contains("lnote-fsck --apply-plan plan.json FOLDER"), "\(saved.text)")
    #expect(try ProgramTests.run(["--apply-plan", "plan.json", "Notes.tar"], in: directory).status == 16)
    let applied = try ProgramTests.run(["--apply-plan", "plan.json", "Notes"], in: directory)
    #expect(applied.status == 5, "\(applied.text)")
    #expect(try ProgramTests.run(["-y", "Notes"], in: directory).status == 4)
  }

  @Test func whatMakesNoSenseEndsWith16() throws {
    let directory = try ProgramTests.folder { try $0.damage(DamageCase.page1) { $0 = Array($0.dropLast(33)) } }
    _ = try ProgramTests.run(["--save-plan", "plan.json", "Notes"], in: directory)
    try directory.volume().make("list.json", text: "{\"format\": \"list\"}")
    try directory.volume().makeDirectories("Empty")
    let volume = try directory.volume()
    let huge = try volume.open("huge.json", for: .creating(permissions: 0o600))
    try volume.truncate(huge, to: 1 << 30)
    try volume.close(huge)
    for words in [
      ["--apply-plan", "nowhere", "Notes"], ["--apply-plan", "list.json", "Notes"], ["--apply-plan", "Notes", "Notes"],
      ["--apply-plan", "huge.json", "Notes"], ["--apply-plan", "plan.json", "Notes", "Notes"],
      ["--apply-plan", "plan.json", "-y", "Notes"], ["--plan", "--undo", "Notes/\(Bench.package)"],
      ["--plan", "-y", "--to", "Copy", "Notes"], ["--save-plan", "Notes/\(Bench.package)/plan.json", "Notes"],
    ] {
      let (status, text) = try ProgramTests.run(words, in: directory)
      #expect(status == 16, "\(words): \(text)")
    }
  }
}
