import Files
import JSON
import LNoteFormat
import TestSupport
import Testing

@testable import LNoteFsck

/// `--quarantine` with the built program, on real folders of the host.
@Suite(.serialized) struct QuarantineProgramTests {
  static func damaged() throws -> TemporaryDirectory {
    try ProgramTests.folder { bench in
      try bench.damage(PackagePaths.page(Bench.pages[0])) { $0 = Array($0.dropLast(33)) }
    }
  }

  @Test func aRepairSetsAsideThereAndTheUndoTakesItFromThere() throws {
    let directory = try Self.damaged()
    let package = "Notes/\(Bench.package)"
    let before = try directory.volume().picture(below: BytePath(package)).filter { !$0.contains(" directory ") }
    let (status, text) = try ProgramTests.run(["-y", "--quarantine", "Q/", "Notes"], in: directory)
    #expect(status == 5)
    #expect(text.contains("\n    Q/\(Bench.package)-lost+found/"), "\(text)")
    #expect(text.contains("      lnote-fsck --undo --quarantine Q \(package)\n"), "\(text)")
    #expect(try directory.volume().entries(of: "Notes", countMax: 9).map(\.name) == [Bench.package])
    // Without the folder there is nothing to take back; with one that is not there, nothing can be.
    #expect(try ProgramTests.run(["--undo", package], in: directory).status == 12)
    #expect(try ProgramTests.run(["--undo", "--quarantine", "R", package], in: directory).status == 16)
    #expect(try ProgramTests.run(["--undo", "--quarantine", "Q", package], in: directory).status == 5)
    #expect(
      try directory.volume().picture(below: BytePath(package)).filter { !$0.contains(" directory ") } == before)
    let json = try ProgramTests.run(["-y", "--json", "--quarantine", "Q", "Notes"], in: directory)
    let verify = try #require(JSONLines.parse(Array(json.text.utf8)).first { $0["type"]?.string == "verify" })
    #expect(verify["setAside"]?.string?.hasPrefix("Q/\(Bench.package)-lost+found/") == true)
  }

  static let refused: [(words: [String], says: String)] = [
    (["--quarantine", "Q", "Notes"], "goes with -y, -i, -p or --undo"),
    (["-n", "--quarantine", "Q", "Notes"], "goes with -y, -i, -p or --undo"),
    (["-y", "--to", "Copy", "--quarantine", "Q", "Notes"], "leave it out"),
    (["-y", "--quarantine", "Notes/\(Bench.package)", "Notes"], "lies in a document"),
    (["-y", "--quarantine", "Notes/\(Bench.package)/new", "Notes"], "lies in a document"),
    (["-y", "--quarantine", "Link", "Notes"], "leads through a link"),
    (["-y", "--quarantine", "Link/Q", "Notes"], "leads through a link"),
    (["-y", "--quarantine", "nowhere/Q", "Notes"], "nothing can be set aside"),
    (["-y", "--quarantine", "File", "Notes"], "nothing can be set aside"),
    (["-y", "--quarantine", "/", "Notes"], "nothing can be set aside"),
    (["-y", "--quarantine", "Q", "Notes", "Notes/\(Bench.package)"], "two documents of the name"),
    (["--carve", "--to", "C", "--quarantine", "Q", "Notes"], "--carve"),
  ]

  @Test(arguments: refused) func whatMakesNoSenseIsRefused(words: [String], says: String) throws {
    let directory = try Self.damaged()
    try directory.makeSymbolicLink(to: "Notes", at: "Link")
    try directory.volume().make("File", [])
    let before = try ProgramTests.picture(directory, "Notes")
    let (status, text) = try ProgramTests.run(words, in: directory)
    #expect(status == 16)
    #expect(text.contains(says), "\(text)")
    #expect(try ProgramTests.picture(directory, "Notes") == before)
  }
}
