import FileTracing
import Files
import Glibc
import JSON
import Processes
import TestSupport
import Testing

/// `lnote-fsck` on notes that the store wrote and something damaged: a clear message, the right exit status, and
/// nothing changed that should not be.
@Suite(.serialized) struct FsckBadInputTests {
  /// One way in which notes can be bad, and what comes of it.
  struct BadInput: Sendable, CustomTestStringConvertible {
    let name: String
    /// The code that tells of it.
    let code: String
    /// What the user reads.
    let says: String
    /// The exit status of a repair, and of a check behind it.
    let repaired: Int
    let afterwards: Int
    /// The elements that are there after a repair; one that was cut in the middle is still one.
    let elements: Int
    let damage: @Sendable (NotesFolder) throws -> Void

    var testDescription: String { name }
  }

  static let rows = [
    BadInput(
      name: "a page cut short", code: "LN3002",
      says: "Page 1 of 2 is cut off: 100 bytes are missing at its end.", repaired: 5, afterwards: 4,
      elements: NotesFolder.elementCount
    ) { try $0.cutFirstPage() },
    BadInput(
      name: "an empty document", code: "LN1203", says: "document.json is empty (0 bytes).", repaired: 1,
      afterwards: 0, elements: NotesFolder.elementCount
    ) { notes in
      try notes.workshop.volume().replace(notes.package.appending("document.json"), with: [])
    },
    BadInput(
      name: "a FIFO as page", code: "LN1002",
      says: "Page 1 of 2 is a pipe (FIFO), not a file; it was not opened.", repaired: 5, afterwards: 4,
      elements: NotesFolder.elementCount - 30
    ) { notes in
      try notes.workshop.volume().unlink(notes.pages[0])
      #expect(mkfifo(notes.workshop.path.appending(notes.pages[0]).description, 0o600) == 0)
    },
    BadInput(
      name: "a terminal escape in the title", code: "LN3002", says: "\\x1B]0;Rich\\x07\\x1B[2JTrip",
      repaired: 5, afterwards: 4, elements: NotesFolder.elementCount
    ) { notes in
      let store = try StoreProcess(opening: notes)
      let document = JSONValue.string(String(notes.package.name.description.dropLast(6)))
      let title = JSONValue.string("\u{1B}]0;Rich\u{7}\u{1B}[2JTrip")
      for (number, line) in [["do": "title", "document": document, "title": title], ["do": "background"]].enumerated() {
        let command = (line as [String: JSONValue]).merging(["number": JSONValue(number + 2)]) { $1 }
        #expect(try store.ask(.object(command))["errors"]?.array == [])
      }
      _ = try store.ask(["number": 4, "do": "close", "document": document])
      try notes.cutFirstPage()
    },
  ]

  @Test(arguments: rows) func aCheckSaysSoAndChangesNothing(row: BadInput) throws {
    let notes = try NotesFolder()
    #expect(try notes.fsck().ending == .exited(0))
    try row.damage(notes)
    let before = try notes.picture()
    let result = try notes.fsck()
    #expect(result.ending == .exited(4), "\(result.outputText)")
    #expect(result.outputText.contains(row.says) && result.outputText.contains(row.code), "\(result.outputText)")
    #expect(result.outputText.contains("Nothing was changed."))
    #expect(!result.output.contains { $0 < 0x20 && $0 != 0x0A })
    #expect(result.errorText == "")

    let json = try notes.fsck(["--json"])
    #expect(json.ending == .exited(4))
    let lines = try Self.lines(json)
    #expect(lines.contains { $0["type"]?.string == "problem" && $0["code"]?.string == row.code })
    #expect(lines.last?["exit"]?.integer == 4)
    #expect(try notes.picture() == before)
  }

  /// Every line is JSON, and exactly one is a summary: the last.
  static func lines(_ result: ProgramResult) throws -> [JSONValue] {
    #expect(result.errorText == "")
    let lines = try result.output.split(separator: UInt8(ascii: "\n")).map { try JSONValue.parse(Array($0)) }
    #expect(lines.count { $0["type"]?.string == "summary" } == 1)
    #expect(lines.last?["type"]?.string == "summary")
    return lines
  }

  @Test(arguments: rows) func aRepairIsJudgedByAReaderThatSharesNoCode(row: BadInput) throws {
    let notes = try NotesFolder()
    try row.damage(notes)
    let damaged = try notes.picture()
    // A repaired copy leaves the folder as it is.
    #expect(try notes.fsck(["-y", "--to", "Copy"]).ending == .exited(row.repaired))
    #expect(try notes.workshop.volume().picture(below: "Notes") == damaged.filter { $0.hasPrefix("Notes/") })

    let result = try notes.fsck(["-y"])
    #expect(result.ending == .exited(row.repaired), "\(result.outputText)")
    #expect(result.outputText.contains("Nothing was deleted. What was set aside is in"))
    let reading = try notes.readIndependently()
    #expect(reading.errors == [])
    #expect(reading.elements == row.elements)
    // Every byte that was there is there still, in its place or set aside.
    let digests = { (lines: [String]) in Set(lines.compactMap { $0.split(separator: " ").last }) }
    #expect(digests(damaged).subtracting(digests(try notes.picture())) == [])

    let repaired = try notes.picture()
    #expect(try notes.fsck().ending == .exited(row.afterwards))
    #expect(try notes.fsck(["-y"]).ending == .exited(row.afterwards))
    #expect(try notes.picture() == repaired)
  }

  @Test func soundNotesAreLeftAlone() throws {
    let notes = try NotesFolder()
    let before = try notes.picture()
    for words in [[], ["-p"], ["-y"], ["--json", "-y"]] {
      let result = try notes.fsck(words)
      #expect(result.ending == .exited(0), "\(result.outputText)")
    }
    #expect(try notes.picture() == before)
    let reading = try notes.readIndependently()
    #expect(reading.errors == [])
    #expect(reading.elements == NotesFolder.elementCount)
  }

  @Test func notesThatAreOpenElsewhereAreCheckedAndNotRepaired() throws {
    let notes = try NotesFolder()
    try notes.cutFirstPage()
    let store = try StoreProcess(opening: notes)
    let before = try notes.picture()
    let isOpen = "The document is open in another program (process \(store.id))."
    for (words, status) in [([], 4), (["-y"], 12), (["-p"], 12), (["-y", "--to", "Copy"], 12)] {
      let result = try notes.fsck(words)
      #expect(result.ending == .exited(status), "\(words)\n\(result.outputText)")
      #expect(result.outputText.contains(isOpen))
      // The check goes on all the same.
      #expect(result.outputText.contains("Page 1 of 2 is cut off"))
      #expect(result.outputText.contains("Nothing was changed."))
    }
    let lines = try Self.lines(try notes.fsck(["--json", "-y"]))
    #expect(lines.contains { $0["type"]?.string == "error" && $0["code"]?.string == "LN0002" })
    #expect(try notes.picture().filter { $0.hasPrefix("Notes") } == before.filter { $0.hasPrefix("Notes") })
    withExtendedLifetime(store) {}
  }

  @Test(.enabled(if: OtherUser.isPossible, "\(OtherUser.reason)"), arguments: ["pages", "a page", "the folder"])
  func whatTheUserMayNotReadIsNotRepaired(what: String) throws {
    let notes = try NotesFolder()
    try notes.cutFirstPage()
    let root = notes.workshop.path
    let locked = what == "pages" ? notes.package.appending("pages") : what == "a page" ? notes.pages[1] : "Notes"
    // All of it is the other user's own, so that nothing but these rights stands in the way.
    try OtherUser.own(root)
    #expect(chmod(root.appending(locked).description, 0) == 0)
    let before = try notes.picture()
    for words in [[], ["-y"]] {
      let result = try OtherUser.run(try notes.workshop.launch("lnote-fsck", words + ["Notes"]))
      // Only where the cut page can be seen, damage is found beside the trouble.
      #expect(result.ending == .exited(what == "a page" ? 12 : 8), "\(result.outputText)\(result.errorText)")
      #expect(result.outputText.contains("may not be read by you: Permission denied"))
      #expect(result.outputText.contains("LN0006"))
      #expect(result.outputText.contains("Nothing was changed."))
    }
    let json = try OtherUser.run(try notes.workshop.launch("lnote-fsck", ["--json", "-y", "Notes"]))
    #expect(try Self.lines(json).last?["byCode"]?["LN0006"]?.integer == 1)
    #expect(try notes.picture() == before)
    // With the rights back it is an ordinary repair.
    #expect(chmod(root.appending(locked).description, what == "a page" ? 0o600 : 0o755) == 0)
    #expect(try OtherUser.run(try notes.workshop.launch("lnote-fsck", ["-y", "Notes"])).ending == .exited(5))
  }
}

/// A user who is bound by permissions, as root is not.
enum OtherUser {
  static let reason = "needs a user other than root who can start the built programs (setpriv, and a path open to all)"

  private static let number: uid_t = 65534

  /// For anybody but root that is who runs the tests.
  private static var prefix: [String] {
    geteuid() != 0 ? [] : ["setpriv", "--reuid=\(number)", "--regid=\(number)", "--clear-groups", "--"]
  }

  static let isPossible: Bool = {
    guard let program = try? builtProgram("lnote-fsck").description else { return false }
    return (try? run(Launch(program, ["--version"])))?.ending.isSuccess == true
  }()

  /// Runs a program as that user.
  static func run(_ launch: Launch) throws -> ProgramResult {
    var other = launch
    if let setpriv = prefix.first {
      other.arguments = prefix.dropFirst().map { Array($0.utf8) } + [launch.program] + launch.arguments
      other.program = Array(setpriv.utf8)
    }
    return try other.run(limitMilliseconds: Workshop.millisecondsMax)
  }

  /// Gives that user everything below a directory, and a way to it.
  static func own(_ directory: BytePath) throws {
    guard geteuid() == 0 else { return }
    #expect(chmod(directory.parent.description, 0o755) == 0)
    for path in try [.root] + HostVolume(root: directory).tree() {
      #expect(lchown(directory.appending(path).description, number, number) == 0)
    }
  }
}

extension MountTests {
  @Suite struct FsckFullDiskTests {
    @Test func aRepairThatHasNoRoomChangesNothing() throws {
      let notes = try NotesFolder()
      try notes.cutFirstPage()
      let mount = try FaultFSMount(["--from", notes.workshop.path.appending("Notes").description])
      #expect(try mount.ask(.setFreeSpace(bytes: 0)) == .done)
      let before = try mount.volume().picture()
      let fsck = { (words: [String]) in
        try notes.workshop.run("lnote-fsck", words + [mount.mountPoint.description])
      }
      #expect(try fsck([]).ending == .exited(4))
      let result = try fsck(["-y"])
      #expect(result.ending == .exited(12), "\(result.outputText)")
      #expect(result.outputText.contains("LN0010") && result.outputText.contains("LN3002"), "\(result.outputText)")
      #expect(result.outputText.contains("there was no room to repair, and nothing\nwas changed (8)."))
      let lines = try FsckBadInputTests.lines(try fsck(["--json", "-y"]))
      #expect(lines.contains { $0["type"]?.string == "error" && $0["code"]?.string == "LN0010" })
      #expect(try mount.volume().picture() == before)
      // A copy has room elsewhere.
      #expect(try fsck(["-y", "--to", "Copy"]).ending == .exited(5))
      #expect(try mount.volume().picture() == before)

      #expect(try mount.ask(.setFreeSpace(bytes: nil)) == .done)
      #expect(try fsck(["-y"]).ending == .exited(5))
      #expect(try fsck([]).ending == .exited(4))
    }
  }
}
