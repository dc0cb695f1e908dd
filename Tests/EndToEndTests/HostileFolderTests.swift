import Files
import Glibc
import JSON
import Processes
import TestSupport
import Testing

/// Folders that no app made, as somebody might hand them to a support desk: judged with little memory, and unchanged.
@Suite struct HostileFolderTests {
  /// Something that should not be in a folder of notes.
  struct Hostile: Sendable, CustomTestStringConvertible {
    let name: String
    /// The codes that tell of it.
    let codes: Set<String>
    /// How a check ends.
    let exit: Int
    /// What the user reads, lines joined.
    let says: String
    let make: @Sendable (NotesFolder) throws -> Void

    var testDescription: String { name }
  }

  static let rows = [
    Hostile(
      name: "a page of ten gigabytes", codes: ["LN0011"], exit: 4,
      says: "Page 1 of 2 is larger than the format allows: 11 GB, the limit is 268 MB. It was not read."
    ) { notes in
      #expect(truncate(notes.workshop.path.appending(notes.pages[0]).description, 10 << 30) == 0)
    },
    Hostile(
      name: "lists within lists, 200,000 deep", codes: ["LN2015"], exit: 4,
      says: "holds lists within lists beyond all measure"
    ) { notes in
      let deep = [UInt8](repeating: UInt8(ascii: "["), count: 200_000)
      try notes.workshop.volume().replace(notes.package.appending("document.json"), with: deep)
    },
    Hostile(
      name: "a thousand names of no use", codes: ["LN1603"], exit: 0,
      says: "1,000 files in pages are not known to this tool; a newer app may own them. They stay."
    ) { notes in
      let volume = try notes.workshop.volume()
      for number in 1...1000 { try volume.make(notes.pages[0].parent.appending(BytePath("junk\(number)")), []) }
      for number in 1...60 { try volume.make(notes.package.appending(BytePath(".nfs\(number)")), []) }
    },
    Hostile(
      name: "more names than anybody reads", codes: ["LN0011"], exit: 8,
      says: "The folder assets holds more than 100,000 files, which no app made: it was not read."
    ) { notes in
      // Second names of one file are made faster than files.
      let folder = notes.workshop.path.appending(notes.package.appending("assets")).description
      let first = folder + "/n"
      let file = creat(first, 0o600)
      #expect(file >= 0 && close(file) == 0)
      for place in 0...3 {
        if place > 0 { #expect(creat("\(first)-\(place)", 0o600) >= 0) }
        for number in 0..<25_001 {
          guard link(place > 0 ? "\(first)-\(place)" : first, "\(folder)/\(place)-\(number)") == 0 else {
            Issue.record("link: errno \(errno)")
            return
          }
        }
      }
    },
    Hostile(
      name: "names that a terminal would obey, or cannot show", codes: ["LN1603"], exit: 0,
      says: "pages/\\x1B]0;Rich\\x07 is not known to this tool"
    ) { notes in
      let volume = try notes.workshop.volume()
      let folder = notes.pages[0].parent
      for name in [
        Array("\u{1B}]0;Rich\u{7}".utf8), Array("new\nline".utf8), Array("\u{202E}gpj".utf8),
        [UInt8](repeating: 0xFF, count: 255), [UInt8](repeating: UInt8(ascii: "a"), count: 255),
      ] { try volume.make(BytePath(bytes: folder.bytes + [UInt8(ascii: "/")] + name), []) }
    },
    Hostile(
      name: "links that lead in circles", codes: ["LN1003"], exit: 4, says: "pages/loop is a symbolic link"
    ) { notes in
      let volume = try notes.workshop.volume()
      try volume.makeSymbolicLink(notes.pages[0].parent.appending("loop"), to: "loop")
      try volume.makeSymbolicLink(notes.pages[0].parent.appending("up"), to: "..")
      try volume.makeSymbolicLink("Notes/circle", to: ".")
    },
  ]

  /// What a check may take: a program of ours begins with some 10.
  static let megabytesMax = 128

  @Test(arguments: rows) func itIsJudgedWithLittleMemoryAndUnchanged(row: Hostile) throws {
    let notes = try NotesFolder()
    try row.make(notes)
    let before = try times(notes)
    let result = try measured(notes, [])
    let text = result.text.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
    let told = text.joined(separator: " ").replacing(/\ LN[0-9]{4}/, with: "")
    #expect(told.contains(row.says), "\(result.text.prefix(4000))")
    #expect(result.exit == row.exit)
    #expect(!result.text.utf8.contains { $0 < 0x20 && $0 != 0x0A })
    #expect(result.megabytes < HostileFolderTests.megabytesMax, "\(result.megabytes) MB")
    let codes = result.text.matches(of: /LN[0-9]{4}/).map { String($0.output) }
    #expect(row.codes.isSubset(of: codes), "\(codes)")
    #expect(codes.count <= 10, "\(codes)")
    #expect(try times(notes) == before)
  }

  /// When something was last made, removed or renamed in each folder: a picture of a crowd would take longer.
  private func times(_ notes: NotesFolder) throws -> [Int64] {
    let folders = ["pages", "assets", "thumbnails"].map { notes.package.appending($0) }
    return try (["Notes", notes.package] + folders).map { try notes.workshop.volume().status(at: $0).changed }
  }

  /// A run, and the most memory that it had at once.
  private func measured(_ notes: NotesFolder, _ words: [String]) throws -> (exit: Int, text: String, megabytes: Int) {
    let starter = """
      import os, sys
      child = os.spawnv(os.P_NOWAIT, sys.argv[1], sys.argv[1:])
      _, status, usage = os.wait4(child, 0)
      print(usage.ru_maxrss // 1024, file=sys.stderr)
      sys.exit(os.waitstatus_to_exitcode(status))
      """
    let program = try builtProgram("lnote-fsck").description
    let launch = notes.workshop.wrapped(Launch("python3", ["-I", "-S", "-c", starter, program] + words + ["Notes"]))
    let result = try launch.run(limitMilliseconds: Workshop.millisecondsMax)
    guard case .exited(let status) = result.ending else { return (-1, result.errorText, 0) }
    return (status, result.outputText, Int(result.errorText.split(separator: "\n").last ?? "") ?? .max)
  }
}
