import Bytes
import Files
import JSON
import LNoteFormat
import Processes
import TestSupport
import Testing

@testable import LNoteFsck

/// The built program on raw bytes: an ext4 whose files were deleted, and what it refuses.
@Suite struct CarveProgramTests {
  private static func tool(_ path: String, _ arguments: [String], in directory: TemporaryDirectory) throws {
    var launch = Launch(path, arguments)
    launch.workingDirectory = directory.path.bytes
    let result = try launch.run(limitMilliseconds: 60_000)
    #expect(result.ending.isSuccess, "\(path) \(arguments): \(result.errorText)")
  }

  /// A file system of 4 MB with the bench's document, and all of its files deleted again.
  private static func deleted() throws -> TemporaryDirectory {
    let directory = try ProgramTests.folder()
    try tool("/usr/sbin/mkfs.ext4", ["-q", "-b", "1024", "-d", "Notes", "disk.img", "4096"], in: directory)
    let package = "\(Bench.package)"
    let files =
      ["document.json", "manifest.json", "\(PackagePaths.asset(Bench.asset))"]
      + Bench.pages.map { "\(PackagePaths.page($0))" }
    for file in files {
      try tool("/usr/sbin/debugfs", ["-w", "-R", "rm \(package)/\(file)", "disk.img"], in: directory)
    }
    return directory
  }

  @Test func whatWasDeletedOnExt4ComesBack() throws {
    let directory = try CarveProgramTests.deleted()
    let before = try ProgramTests.picture(directory)
    let (status, text) = try ProgramTests.run(["--carve", "disk.img", "--to", "Found"], in: directory)
    #expect(status == 0, "\(text)")
    #expect(text.contains("Physics 3: whole"))
    #expect(text.contains("3 pages, whole"))
    #expect(try ProgramTests.picture(directory).filter { !$0.hasPrefix("Found") } == before)
    let volume = try directory.volume()
    for page in Bench.pages {
      let path = Bench.package.appending(PackagePaths.page(page))
      let found = try volume.bytes(of: BytePath("Found").appending(path))
      #expect(try found == volume.bytes(of: BytePath("Notes").appending(path)))
    }
    let check = try ProgramTests.run(["Found"], in: directory)
    #expect(check.status == 0, "\(check.text)")
  }

  @Test func theLinesFitTheSchema() throws {
    let directory = try CarveProgramTests.deleted()
    let volume = try directory.volume()
    var image = try volume.bytes(of: "disk.img")
    let page = try volume.bytes(of: BytePath("Notes").appending(Bench.package).appending(DamageCase.page1))
    let start = try #require((0..<(image.count / 1024)).map { $0 * 1024 }.first { image[$0...].starts(with: page) })
    image[start + 100] ^= 1
    try volume.make("hurt.img", image)
    let (status, text) = try ProgramTests.run(["--json", "--carve", "--to", "Found", "hurt.img"], in: directory)
    #expect(status == 4, "\(text)")
    let lines = try JSONLines.parse(Array(text.utf8))
    #expect(lines.map { $0["type"]?.string } == ["start", "carved", "summary"])
    #expect(lines[1]["loss"]?["elements"]?.integer == 1)
    #expect(lines[2]["exit"]?.integer == 4)
    #expect(try JSONLineTests.refused(Array(text.utf8)) == [:])
  }

  static let refused: [[String]] = [
    ["--carve", "disk.img"], ["--carve", "--to", "Found"], ["--carve", "--to", "Notes", "disk.img"],
    ["--carve", "--to", "Notes/Found", "Notes"], ["--carve", "--to", "Found", "nowhere"],
    ["--carve", "--to", "Found", "link"], ["--carve", "-y", "--to", "Found", "disk.img"],
    ["--carve", "--to", "no/folder", "disk.img"], ["--json", "--carve", "disk.img"],
  ]

  @Test func whatMakesNoSenseIsRefusedAndNothingIsMade() throws {
    let directory = try ProgramTests.folder()
    try directory.volume().make("disk.img", [UInt8](repeating: 0, count: 5000))
    try directory.makeSymbolicLink(to: "disk.img", at: "link")
    let before = try ProgramTests.picture(directory)
    for arguments in CarveProgramTests.refused {
      let (status, text) = try ProgramTests.run(arguments, in: directory)
      #expect(status == 16, "\(arguments): \(text)")
    }
    #expect(try ProgramTests.picture(directory) == before)
    let (status, text) = try ProgramTests.run(["--carve", "--to", "Found", "disk.img"], in: directory)
    #expect(status == 8)
    #expect(text.contains("no page and no document was found"))
  }
}
