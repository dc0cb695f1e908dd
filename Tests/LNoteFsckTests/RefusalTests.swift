import FaultDisk
import FileTracing
import Files
import LNoteFormat
import TestSupport
import Testing

@testable import LNoteFsck

/// Repairs and copies that cannot begin: they say why, and change nothing.
@Suite struct RefusalTests {
  static func damaged() throws -> Bench {
    let bench = try Bench()
    try bench.damage(PackagePaths.page(Bench.pages[0])) { $0[200] ^= 1 }
    return bench
  }

  static func text(_ report: PackageReport, _ mode: RunReport.Mode) -> String {
    var run = RunReport(mode: mode, arguments: ["Notes"])
    run.add(RunReport.Item(report: report, shown: "Notes/\(Bench.package)", prefix: "Notes/"))
    // Without the codes at the right edge, which stand in the middle of sentences.
    return run.plainText.split(whereSeparator: \.isWhitespace).filter { !$0.hasPrefix("LN") }.joined(separator: " ")
  }

  static let obstacles: [FileKind] = [.regular, .symbolicLink, .fifo]

  @Test(arguments: obstacles) func nothingIsRepairedWhereNothingCanBeSetAside(kind: FileKind) throws {
    let bench = try RefusalTests.damaged()
    let place = SetAsidePlace(beside: Bench.package, in: bench.volume).parent
    if kind == .regular {
      try bench.volume.make(place, [1])
    } else {
      try bench.volume.makeDirectories("elsewhere")
      try bench.makeNode(besides: place, kind: kind)
    }
    let before = try bench.picture()
    let report = bench.repair()
    #expect(codes(report.found) == "LN3001")
    #expect(report.exit.rawValue == 12)
    #expect(report.actions.isEmpty)
    let text = RefusalTests.text(report, .repair(.all))
    #expect(text.contains("The repair could not begin at \(place)"), "\(text)")
    #expect(!text.contains("open in another program") && !text.contains("the cable"), "\(text)")
    #expect(try bench.picture() == before)
  }

  @Test func aFolderThatCannotBeOpenedForTheLockIsTrouble() throws {
    for nth: UInt64 in 1...3 {
      let bench = try RefusalTests.damaged()
      try bench.disk.arm(OperationalTests.rule("EMFILE", [.open], Bench.package.description, nth: nth))
      let report = bench.repair()
      if bench.disk.firings.isEmpty { break }
      #expect(report.exit.contains(.operational), "\(nth)")
      #expect(!codes(report.left).contains("LN0002"), "\(nth)")
      bench.disk.clearAll()
      #expect(bench.repair().exit.rawValue == 5)
    }
  }

  @Test func anImageThatCannotBeReadAgainIsTrouble() throws {
    for nth: UInt64 in 1...6 {
      let bench = try Bench()
      try bench.damage(PackagePaths.asset(Bench.asset)) { $0[700] ^= 1 }
      try bench.disk.arm(OperationalTests.rule("EIO", [.open], "\(Bench.asset).jpg", nth: nth))
      let report = bench.repair()
      if bench.disk.firings.isEmpty { return }
      #expect(report.exit.contains(.operational), "\(nth): \(codes(report.left))")
      #expect(!report.left.contains { $0.kind == .knownLoss } || nth > 2, "\(nth)")
    }
    Issue.record("the image was opened more than six times")
  }

  @Test func aSecondCopyAndAFullDiskSayWhatIsInTheWay() throws {
    let bench = try RefusalTests.damaged()
    let fsck = Fsck(volume: bench.volume, now: Bench.now)
    let target = FaultDisk().volume()
    #expect(fsck.repairCopy(of: Bench.package, to: Bench.package, on: target).exit.rawValue == 5)
    let again = fsck.repairCopy(of: Bench.package, to: Bench.package, on: target)
    let text = RefusalTests.text(again, .copy(to: "Copy"))
    #expect(text.contains("is there already; nothing was written"), "\(text)")
    #expect(!text.contains("the cable"))
    let small = FaultDisk()
    small.setFreeSpace(bytes: 1000)
    let full = fsck.repairCopy(of: Bench.package, to: Bench.package, on: small.volume())
    #expect(RefusalTests.text(full, .copy(to: "Copy")).contains("There is no room for the copy"))
    bench.disk.setFreeSpace(bytes: 4096)
    let here = RefusalTests.text(bench.repair(), .repair(.all))
    #expect(here.contains("There is no room to repair"), "\(here)")
  }

  @Test func aLinkInPlaceOfAFolderIsNotCopied() throws {
    let bench = try RefusalTests.damaged()
    let thumbnails = Bench.package.appending(PackagePaths.thumbnails)
    for page in Bench.pages { try bench.remove(PackagePaths.thumbnail(page)) }
    try bench.volume.removeDirectory(thumbnails)
    try bench.makeNode(PackagePaths.thumbnails, kind: .symbolicLink)
    let target = FaultDisk().volume()
    let report = Fsck(volume: bench.volume, now: Bench.now).repairCopy(of: Bench.package, to: Bench.package, on: target)
    #expect(report.exit.rawValue == 12)
    #expect(try target.tree() == [])
  }

  @Test func aCopyReportsWhatTheSourceIsLike() throws {
    let bench = try Bench()
    try bench.makeNode("pages/pipe", kind: .fifo)
    let target = FaultDisk().volume()
    let report = Fsck(volume: bench.volume, now: Bench.now).repairCopy(of: Bench.package, to: Bench.package, on: target)
    #expect(codes(report.found) == "LN1002")
    #expect(report.exit.rawValue == 0)
  }

  static let contents: [[UInt8]] = [
    [], [0], [UInt8](repeating: 0, count: SurveyLimits.pieceBytes + 3),
    [1] + [UInt8](repeating: 0, count: 2 * SurveyLimits.pieceBytes),
    [UInt8](repeating: 0, count: SurveyLimits.pieceBytes) + [7],
  ]

  @Test(arguments: contents.indices) func aFileWithHolesIsCopiedExactly(index: Int) throws {
    let source = FaultDisk().volume()
    let target = FaultDisk().volume()
    try source.make("a", RefusalTests.contents[index])
    try source.copyFile("a", to: "b", of: target, permissions: 0o644)
    #expect(try target.bytes(of: "b") == RefusalTests.contents[index])
  }

  @Test func aPageThatSaysTooMuchIsNotCalledLarge() throws {
    let bench = try Bench()
    try bench.damage(PackagePaths.page(Bench.pages[0])) { bytes in
      (bytes[32], bytes[33], bytes[34], bytes[35]) = (0x41, 0x42, 0x0F, 0)  // 1,000,001
      bytes = Bench.sealed(header: bytes)
    }
    let found = bench.check().found.filter { $0.kind == .resourceLimit }
    #expect(found.map(\.message) == ["Page 1 of 3 says that it holds more than the format allows. It was not read."])
  }
}
