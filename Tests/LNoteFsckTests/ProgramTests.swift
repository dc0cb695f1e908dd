import Bytes
import Files
import JSON
import LNoteFormat
import Processes
import TestSupport
import Testing

@testable import LNoteFsck

/// The built program on real folders of the host.
@Suite(.serialized) struct ProgramTests {
  /// A folder "Notes" of the host that holds the bench's document.
  static func folder(_ damage: (Bench) throws -> Void = { _ in }) throws -> TemporaryDirectory {
    let bench = try Bench()
    try damage(bench)
    let directory = try TemporaryDirectory("fsck")
    let volume = try directory.volume()
    try volume.makeDirectories("Notes")
    try bench.disk.exportTree(to: HostVolume(root: directory.path.appending("Notes")))
    return directory
  }

  static func run(_ arguments: [String], in directory: TemporaryDirectory) throws -> (status: Int32, text: String) {
    var launch = Launch(try builtProgram("lnote-fsck").description, arguments)
    launch.workingDirectory = directory.path.bytes
    let result = try launch.run(limitMilliseconds: 20_000)
    guard case .exited(let status) = result.ending else {
      Issue.record("\(result.ending): \(result.errorText)")
      return (-1, "")
    }
    return (Int32(status), result.outputText + result.errorText)
  }

  static let usage: [[String]] = [
    [], ["--jsen", "Notes"], ["-p", "-y", "Notes"], ["--to", "Copy", "Notes"], ["nowhere"], ["--explain", "LN0000"],
    ["-j", "0", "Notes"], ["--json"], ["--json", "--jsen"], ["--json", "nowhere"],
    ["--accept-loss", "page-0", "Notes"], ["--accept-loss", "all", "Notes"], ["--accept-loss", "12", "Notes"],
  ]

  @Test(arguments: usage) func everyUsageErrorEndsWith16(arguments: [String]) throws {
    let (status, text) = try ProgramTests.run(arguments, in: ProgramTests.folder())
    #expect(status == 16, "\(text)")
    if arguments.first == "--json" {
      let lines = try JSONLines.parse(Array(text.utf8))
      #expect(lines.last?["type"]?.string == "summary")
      #expect(lines.count { $0["type"]?.string == "summary" } == 1)
    } else {
      #expect(text.contains("lnote-fsck"))
    }
  }

  @Test func aSoundFolderIsCleanAndNothingChanges() throws {
    let directory = try ProgramTests.folder()
    let before = try ProgramTests.picture(directory)
    let looked = try ProgramTests.accessTimes(directory)
    let (status, text) = try ProgramTests.run(["Notes"], in: directory)
    #expect(status == 0)
    #expect(try ProgramTests.accessTimes(directory) == looked)
    #expect(text.hasPrefix("1 document, 3 pages, 1 image, "))
    #expect(text.hasSuffix("Nothing was changed.\n"))
    #expect(try ProgramTests.picture(directory) == before)
    // The document itself, the folder around it by ".", and with a slash behind it.
    for argument in ["Notes/\(Bench.package)", "Notes/", ".", "./Notes/\(Bench.package)/"] {
      #expect(try ProgramTests.run([argument], in: directory).status == 0)
    }
  }

  @Test func damageIs4RepairedIs5AndThen4() throws {
    let directory = try ProgramTests.folder { bench in
      try bench.damage(PackagePaths.page(Bench.pages[0])) { $0 = Array($0.dropLast(33)) }
    }
    let before = try ProgramTests.picture(directory)
    #expect(try ProgramTests.run(["Notes"], in: directory).status == 4)
    #expect(try ProgramTests.run(["-n", "-q", "Notes"], in: directory).status == 4)
    #expect(try ProgramTests.picture(directory) == before)
    let copy = try ProgramTests.run(["-y", "--to", "Copy", "Notes"], in: directory)
    #expect(copy.status == 5, "\(copy.text)")
    #expect(try ProgramTests.picture(directory, "Notes") == before.filter { $0.hasPrefix("Notes/") })
    #expect(try ProgramTests.run(["Copy"], in: directory).status == 4)
    let repair = try ProgramTests.run(["-y", "Notes"], in: directory)
    #expect(repair.status == 5)
    #expect(repair.text.contains("    Notes/\(Bench.package)-lost+found/"))
    let after = try ProgramTests.picture(directory)
    #expect(try ProgramTests.run(["-y", "Notes"], in: directory).status == 4)
    #expect(try ProgramTests.picture(directory) == after)
  }

  @Test func aRepairIsTakenBackOnTheHost() throws {
    let directory = try ProgramTests.folder { bench in
      try bench.damage(PackagePaths.page(Bench.pages[0])) { $0 = Array($0.dropLast(33)) }
    }
    let package = "Notes/\(Bench.package)"
    let before = try directory.volume().picture(below: BytePath(package)).filter { !$0.contains(" directory ") }
    #expect(try ProgramTests.run(["--undo", package], in: directory).status == 12)
    let repair = try ProgramTests.run(["-y", "Notes"], in: directory)
    #expect(repair.text.contains("      lnote-fsck --undo \(package)\n"))
    // A folder may hold many documents, each with a last repair of its own: that is not meant.
    #expect(try ProgramTests.run(["--undo", "Notes"], in: directory).status == 16)
    #expect(try ProgramTests.run(["--undo", "-y", package], in: directory).status == 16)
    let undo = try ProgramTests.run(["--undo", package], in: directory)
    #expect(undo.status == 5 && undo.text.contains("was taken back."), "\(undo.text)")
    #expect(
      try directory.volume().picture(below: BytePath(package)).filter { !$0.contains(" directory ") } == before)
    let json = try ProgramTests.run(["--undo", "--json", package], in: directory)
    #expect(json.status == 12 && json.text.contains("\"verdict\":\"incomplete\""), "\(json.text)")
  }

  static let inside: [[String]] = [
    ["Notes/Copy", "Notes"], ["Notes", "Notes"], ["Notes/../Notes/Copy", "./Notes"], ["Link/Copy", "Notes"],
    ["Notes/\(Bench.package)/Copy", "Notes/\(Bench.package)"],
  ]

  @Test(arguments: inside) func aCopyIsNeverWrittenIntoTheSource(words: [String]) throws {
    let directory = try ProgramTests.folder { try $0.remove(PackagePaths.manifest) }
    try directory.makeSymbolicLink(to: "Notes", at: "Link")
    let before = try ProgramTests.picture(directory)
    let (status, text) = try ProgramTests.run(["-y", "--to"] + words, in: directory)
    #expect(status == 16)
    #expect(text.contains("name one outside of it"), "\(text)")
    #expect(try ProgramTests.picture(directory) == before)
    // Beside a document, but not in it.
    #expect(try ProgramTests.run(["-y", "--to", "Copy", "Notes/\(Bench.package)"], in: directory).status == 1)
  }

  @Test func documentsAreDrawnBesideTheRunAndNothingElseChanges() throws {
    let directory = try ProgramTests.folder { bench in
      try bench.damage(PackagePaths.page(Bench.pages[0])) { $0 = Array($0.dropLast(33)) }
    }
    let before = try ProgramTests.picture(directory)
    #expect(try ProgramTests.run(["--render", "Notes/PDF", "Notes"], in: directory).status == 16)
    #expect(try ProgramTests.picture(directory) == before)
    let (status, text) = try ProgramTests.run(["--render", "PDF", "Notes"], in: directory)
    #expect(status == 4)
    #expect(text.contains("\nDrawn: 1 document with 3 pages in PDF\n"), "\(text)")
    let volume = try directory.volume()
    let found = try volume.bytes(of: "PDF/Physics 3.pdf")
    #expect(DrawingTests.heights(found).map { $0 > 1194 } == [true, false, false])
    #expect(try ProgramTests.picture(directory, "Notes") == before.filter { $0.hasPrefix("Notes/") })
    // With a repair: what was repaired.
    #expect(try ProgramTests.run(["-y", "--to", "Copy", "--render", "PDF", "Notes"], in: directory).status == 5)
    #expect(try volume.bytes(of: "PDF/Physics 3.pdf") == found)
    #expect(try volume.tree(below: "PDF").map(\.description) == ["PDF/Physics 3 (2).pdf", "PDF/Physics 3.pdf"])
  }

  @Test func aReportForABrowserIsWrittenOnceAndNowhereElse() throws {
    let directory = try ProgramTests.folder { bench in
      try bench.damage(PackagePaths.page(Bench.pages[0])) { $0 = Array($0.dropLast(33)) }
    }
    let before = try ProgramTests.picture(directory)
    #expect(try ProgramTests.run(["--report", "Notes/\(Bench.package)/r.html", "Notes"], in: directory).status == 16)
    #expect(try ProgramTests.run(["--private", "Notes"], in: directory).status == 16)
    #expect(try ProgramTests.run(["--report", "nowhere/r.html", "Notes"], in: directory).status == 16)
    #expect(try ProgramTests.picture(directory) == before)
    #expect(try ProgramTests.run(["--report", "r.html", "Notes"], in: directory).status == 4)
    let volume = try directory.volume()
    let html = String(decoding: try volume.bytes(of: "r.html"), as: UTF8.self)
    #expect(html.contains("What can be read") && html.contains("Physics 3"))
    #expect(try ProgramTests.picture(directory, "Notes") == before.filter { $0.hasPrefix("Notes/") })
    let again = try ProgramTests.run(["--report", "r.html", "Notes"], in: directory)
    #expect(again.status == 16 && again.text.contains("it stays"), "\(again.text)")
    #expect(try ProgramTests.run(["-y", "--report", "p.html", "--private", "Notes"], in: directory).status == 5)
    let plain = String(decoding: try volume.bytes(of: "p.html"), as: UTF8.self)
    #expect(!plain.contains("Physics") && !plain.contains("<img"))
  }

  @Test func aFIFOAndALinkAreNeverOpened() throws {
    let directory = try ProgramTests.folder { bench in
      try bench.remove(PackagePaths.page(Bench.pages[0]))
      try bench.remove(PackagePaths.page(Bench.pages[2]))
    }
    let package = BytePath("Notes").appending(Bench.package)
    try directory.makeFIFO(at: package.appending(PackagePaths.page(Bench.pages[0])))
    try directory.makeSymbolicLink(to: "/dev/zero", at: package.appending(PackagePaths.page(Bench.pages[2])))
    let start = monotonicNanoseconds()
    let (status, text) = try ProgramTests.run(["Notes"], in: directory)
    #expect(monotonicNanoseconds() - start < 1_000_000_000)
    #expect(status == 4)
    #expect(text.contains("LN1002") && text.contains("LN1003"))
    #expect(try ProgramTests.run(["-y", "Notes"], in: directory).status == 5)
  }

  @Test func anOpenDocumentIsNotRepaired() throws {
    let directory = try ProgramTests.folder { try $0.remove(PackagePaths.manifest) }
    let volume = try directory.volume()
    let folder = try volume.open(BytePath("Notes").appending(Bench.package), for: .directory)
    try volume.lockExclusively(folder)
    let (status, text) = try ProgramTests.run(["-y", "Notes"], in: directory)
    #expect(status == 8)
    #expect(text.contains("open in another program"))
    try volume.close(folder)
    #expect(try ProgramTests.run(["-y", "Notes"], in: directory).status == 1)
  }

  @Test func jsonHasOneLineAFindingAndTheSummaryLast() throws {
    let directory = try ProgramTests.folder { try $0.remove(PackagePaths.page(Bench.pages[0])) }
    let (status, text) = try ProgramTests.run(["--json", "-j", "1", "Notes"], in: directory)
    #expect(status == 4)
    let lines = try JSONLines.parse(Array(text.utf8))
    #expect(lines.map { $0["type"]?.string } == ["start", "problem", "summary"])
    #expect(lines[1]["package"]?.string == "Notes/\(Bench.package)")
  }

  @Test func helpVersionAndExplanation() throws {
    let directory = try TemporaryDirectory("fsck")
    #expect(try ProgramTests.run(["--version"], in: directory).text == "lnote-fsck 1.0\n")
    #expect(try ProgramTests.run(["--help"], in: directory).text.contains("--to"))
    let (status, text) = try ProgramTests.run(["--explain", "page-truncated"], in: directory)
    #expect(status == 0 && text == ProblemKind.pageTruncated.explanation)
    #expect(try ProgramTests.run(["."], in: directory).status == 8)
  }

  /// When each file was last read, as stat(1) tells it.
  static func accessTimes(_ directory: TemporaryDirectory) throws -> String {
    let volume = try directory.volume()
    let files = try volume.tree().filter { try volume.status(at: $0).kind == .regular }
    var launch = Launch("/usr/bin/stat", ["-c", "%n %.9X"] + files.map(\.description))
    launch.workingDirectory = directory.path.bytes
    return try launch.run(limitMilliseconds: 20_000).outputText
  }

  /// Names, kinds, permissions, times and bytes; times of change too.
  static func picture(_ directory: TemporaryDirectory, _ below: BytePath = .root) throws -> [String] {
    let volume = try directory.volume()
    return try volume.tree(below: below).map { path in
      let status = try volume.status(at: path)
      let digest = status.kind == .regular ? XXH3.digest64(of: try volume.bytes(of: path)) : 0
      return "\(path) \(status.kind) \(status.permissions) \(status.modified) \(status.changed) \(digest)"
    }
  }
}
