import Files
import Glibc
import Processes
import TestSupport
import Testing

@testable import LNoteFsck

/// The built program with `--ask`, on a terminal.
@Suite(.serialized) struct AskProgramTests {
  /// Two documents with a problem each: a page that is cut off, and a manifest that is gone; with the first one two.
  static func folder() throws -> TemporaryDirectory {
    let directory = try TemporaryDirectory("ask")
    for number in ["1", "2"] {
      let bench = try Bench()
      if number == "1" { try bench.damage(DamageCase.page1) { $0 = Array($0.dropLast(33)) } }
      try bench.remove(DamageCase.manifest)
      let folder = BytePath("Notes/\(number)")
      try directory.volume().makeDirectories(folder)
      try bench.disk.exportTree(to: HostVolume(root: directory.path.appending(folder)))
    }
    return directory
  }

  static let endOfInput = "\u{4}"

  /// What is typed, how the run ends, and which documents are changed.
  static let dialogues: [(typed: [String], status: Int, changed: Set<String>)] = [
    (["y\n", "y\n", "y\n"], 5, ["1", "2"]), (["a\n"], 5, ["1", "2"]), (["n\n", "n\n", endOfInput], 4, []),
    (["?\n", "\n", "jein\n", "\u{E4}\u{FFFF}\n", "n\n", "n\n", "y\n"], 5, ["2"]), (["y\n", "q\n"], 37, ["1"]),
    (["n\n", "a\n"], 5, ["1", "2"]), (["maybe" + endOfInput + endOfInput], 36, []),
  ]

  @Test(arguments: dialogues.indices) func onlyWhatWasPermittedIsDone(_ row: Int) throws {
    let (typed, status, changed) = Self.dialogues[row]
    let directory = try Self.folder()
    let before = try ProgramTests.picture(directory, "Notes")
    var terminal = try TestTerminal(["-i", "Notes"], in: directory)
    for (place, line) in typed.enumerated() {
      try terminal.awaitQuestion(place + 1)
      // Nothing at all is written before something is permitted.
      if !typed[..<place].contains(where: { "ya".contains($0.first ?? " ") }) {
        #expect(try ProgramTests.picture(directory, "Notes") == before)
      }
      try terminal.type(line)
    }
    #expect(try terminal.end() == .exited(status), "\(typed): \(terminal.screen)")
    let output = try InterruptionTests.text("output", in: directory)
    #expect(output.contains("Nothing was changed.") == changed.isEmpty, "\(output)")
    for number in ["1", "2"] {
      let own = "Notes/\(number)/"
      let same =
        try ProgramTests.picture(directory, "Notes").filter { $0.hasPrefix(own) }
        == before.filter { $0.hasPrefix(own) }
      #expect(same != changed.contains(number), "\(typed): \(number)")
    }
    #expect(terminal.screen.contains("say what the answers mean") == typed.contains("?\n"))
    #expect(terminal.screen.contains("Please answer y, n, a or q") == typed.contains("jein\n"))
    #expect(terminal.screen.contains("Do this? [y/n/a/q/?] "))
    #expect(output.contains("not looked at") == (status & 32 != 0))
  }

  @Test func theQuestionSaysWhatWillBeDoneAndWhatItCosts() throws {
    let directory = try Self.folder()
    var terminal = try TestTerminal(["--ask", "Notes"], in: directory)
    try terminal.awaitQuestion(1)
    for words in [
      "Physics 3", "Page 1 of 3 is cut off", "LN3002", "step    2. Write page 1 anew",
      "What it cannot bring back: 3 points of strokes that are kept in part.",
    ] {
      #expect(terminal.screen.contains(words), "\(words): \(terminal.screen)")
    }
    try terminal.type("q\n")
    #expect(try terminal.end() == .exited(36))
  }

  /// What is typed, how the run ends, and which copies are repaired; the documents themselves stay as they are.
  static let copies: [(typed: [String], status: Int, repaired: Set<String>)] = [
    (["a\n"], 5, ["1", "2"]), (["n\n", "n\n", "y\n"], 5, ["2"]), (["n\n", "n\n", "n\n"], 4, []),
  ]

  @Test(arguments: copies.indices) func withToTheCopyIsRepairedAsFarAsThatIsPermitted(_ row: Int) throws {
    let (typed, status, repaired) = Self.copies[row]
    let directory = try Self.folder()
    let before = try ProgramTests.picture(directory, "Notes")
    var terminal = try TestTerminal(["-i", "--to", "Copy", "Notes"], in: directory)
    for (place, line) in typed.enumerated() {
      try terminal.awaitQuestion(place + 1)
      try terminal.type(line)
    }
    #expect(try terminal.end() == .exited(status), "\(typed): \(terminal.screen)")
    #expect(try ProgramTests.picture(directory, "Notes") == before)
    let copy = try ProgramTests.picture(directory, "Copy")
    for number in ["1", "2"] {
      let hasManifest = copy.contains { $0.hasPrefix("Copy/\(number)/") && $0.contains("manifest.json") }
      #expect(hasManifest == repaired.contains(number), "\(typed): \(number): \(copy)")
    }
  }

  @Test func controlCEndsItAndNothingIsDone() throws {
    let directory = try Self.folder()
    let before = try ProgramTests.picture(directory, "Notes")
    var terminal = try TestTerminal(["-i", "Notes"], in: directory)
    try terminal.awaitQuestion(1)
    terminal.interrupt()
    #expect(try terminal.end() == .exited(36), "\(terminal.screen)")
    #expect(try ProgramTests.picture(directory, "Notes") == before)
  }

  @Test func whatWasTypedBeforeTheQuestionIsNoAnswer() throws {
    let directory = try Self.folder()
    let before = try ProgramTests.picture(directory, "Notes")
    var terminal = try TestTerminal(["-i", "Notes"], in: directory)
    try terminal.awaitQuestion(1)
    try terminal.type("n\ny\ny\n")
    // The second question is asked all the same, and the others too.
    try terminal.awaitQuestion(2)
    try terminal.type("q\n")
    #expect(try terminal.end() == .exited(36))
    #expect(try ProgramTests.picture(directory, "Notes") == before)
  }

  static let refused: [[String]] = [
    ["-i", "Notes"], ["--ask", "--report", "page.html", "Notes"], ["-i", "--json", "Notes"],
  ]

  @Test(arguments: refused) func withoutATerminalNothingIsBegun(arguments: [String]) throws {
    let directory = try Self.folder()
    let before = try ProgramTests.picture(directory)
    let (status, text) = try ProgramTests.run(arguments, in: directory)
    #expect(status == 16 && text.contains("--ask asks on a terminal"), "\(text)")
    #expect(try ProgramTests.picture(directory) == before)
  }

  static let conflicts: [[String]] = [
    ["-y"], ["-p"], ["-n"], ["--plan"], ["--save-plan", "P"], ["--apply-plan", "P"], ["--undo"],
    ["--accept-loss", "all"], ["--to", "Copy", "--quarantine", "Q"], ["--quick"], ["--carve", "--to", "Copy"],
    ["--as-is"],
  ]

  @Test(arguments: conflicts) func whatSaysSomethingElseIsAUsageError(others: [String]) throws {
    let directory = try Self.folder()
    let before = try ProgramTests.picture(directory)
    var terminal = try TestTerminal(["-i"] + others + ["Notes"], in: directory)
    #expect(try terminal.end() == .exited(16), "\(terminal.screen)")
    #expect(!terminal.screen.contains("asks on a terminal"))
    #expect(try ProgramTests.picture(directory).filter { !$0.hasPrefix("output") } == before)
  }
}

/// The program on a terminal of its own: a test reads its screen and types.
struct TestTerminal {
  /// TIOCSPTLCK and TIOCGPTN, as in ioctl_tty(2).
  private static let (setLock, getNumber): (UInt, UInt) = (0x4004_5431, 0x8004_5430)

  private let master: Descriptor
  private let slave: Descriptor
  private let child: ChildProcess
  /// Everything that was shown, with what was typed.
  private(set) var screen = ""

  init(_ arguments: [String], in directory: TemporaryDirectory) throws {
    // unlockpt(3) and ptsname(3) are not to be seen from Swift; these are the calls that they make.
    master = Descriptor(open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC))
    var (lock, number): (CInt, CInt) = (0, -1)
    #expect(ioctl(master.number, TestTerminal.setLock, &lock) == 0)
    #expect(ioctl(master.number, TestTerminal.getNumber, &number) == 0)
    slave = Descriptor(open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC))
    #expect(slave.number >= 0)
    var launch = Launch(try builtProgram("lnote-fsck").description, arguments)
    launch.workingDirectory = directory.path.bytes
    launch.input = .descriptor(slave)
    launch.error = .descriptor(slave)
    launch.output = .file(directory.path.appending("output").bytes)
    child = try ChildProcess(launch)
  }

  /// Waits until so many questions were asked.
  mutating func awaitQuestion(_ count: Int) throws {
    while screen.split(separator: "[y/n/a/q/?] ", omittingEmptySubsequences: false).count <= count {
      let bytes = try #require(
        try readSome(from: master.number, bytesMax: 4096, until: .after(milliseconds: 60_000)), "\(screen)")
      screen += String(decoding: bytes, as: UTF8.self)
    }
  }

  func type(_ text: String) throws {
    let bytes = Array(text.utf8)
    #expect(write(master.number, bytes, bytes.count) == bytes.count)
  }

  func interrupt() { kill(child.id, SIGINT) }

  /// Reads what is shown until the program ends.
  mutating func end() throws -> ProcessEnding? {
    let ending = try child.wait(milliseconds: 60_000)
    while let bytes = try readSome(from: master.number, bytesMax: 4096, until: .after(milliseconds: 0)) {
      screen += String(decoding: bytes, as: UTF8.self)
    }
    return ending
  }
}
