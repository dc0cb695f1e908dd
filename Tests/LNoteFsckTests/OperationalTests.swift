import FaultDisk
import FileTracing
import Files
import LNoteFormat
import TestSupport
import Testing

@testable import LNoteFsck

/// Trouble that is not in the document: it is reported, and nothing is repaired.
@Suite struct OperationalTests {
  static let errors: [(errno: String, code: String)] = [
    ("EIO", "LN0005"), ("EACCES", "LN0006"), ("EPERM", "LN0006"), ("ENOMEM", "LN0005"),
  ]

  static func rule(_ errno: String, _ operations: Set<OperationKind>, _ glob: String, nth: UInt64? = nil) -> FaultRule {
    FaultRule(
      name: "trouble", effect: .errno(Errno(name: errno) ?? Errno(rawValue: 5)), operations: operations,
      target: FaultTarget(patterns: [NamePattern(BytePath("**/" + glob))], spelling: glob),
      occurrence: FaultOccurrence(nth: nth))
  }

  @Test(arguments: errors) func aPageThatCannotBeReadIsNotRepaired(errno: String, code: String) throws {
    let bench = try Bench()
    try bench.put(Bench.picture, at: PackagePaths.asset(Bench.free))
    try bench.damage(PackagePaths.page(Bench.pages[1])) { $0[200] ^= 1 }
    try bench.disk.arm(OperationalTests.rule(errno, [.open], "\(Bench.pages[0]).content"))
    let before = try bench.picture(leavingOut: "\(Bench.pages[0]).content")
    let report = bench.check()
    #expect(codes(report.found) == "\(code) LN3001 LN4003")
    #expect(report.exit.rawValue == 12)
    let repair = bench.repair()
    #expect(repair.actions.isEmpty)
    #expect(repair.exit.rawValue == 12)
    #expect(try bench.picture(leavingOut: "\(Bench.pages[0]).content") == before)
  }

  @Test(arguments: ["pages", "assets"]) func aFolderThatCannotBeListedHidesNoMissingFiles(folder: String) throws {
    let bench = try Bench()
    try bench.disk.arm(OperationalTests.rule("EACCES", [.readdir], folder))
    let report = bench.repair()
    // An image that only a page could show is no longer called unused either.
    #expect(codes(report.found) == (folder == "pages" ? "LN0006 LN4003" : "LN0006"))
    #expect(report.exit.rawValue == 8)
    #expect(report.actions.isEmpty)
  }

  @Test func aReadThatFailsInTheMiddleIsTrouble() throws {
    let bench = try Bench()
    try bench.disk.arm(OperationalTests.rule("EIO", [.read], "\(Bench.asset).jpg"))
    let report = bench.repair()
    #expect(codes(report.found) == "LN0005")
    #expect(report.exit.rawValue == 8)
  }

  @Test func aPackageWithoutRightsIsTrouble() throws {
    let bench = try Bench()
    try bench.disk.arm(OperationalTests.rule("EACCES", [.open, .readdir], Bench.package.description))
    let report = bench.repair()
    #expect(codes(report.found) == "LN0006")
    #expect(report.exit.rawValue == 8)
    #expect(report.actions.isEmpty)
  }

  @Test func anOpenDocumentIsCheckedButNotRepaired() throws {
    let bench = try Bench()
    try bench.damage(PackagePaths.page(Bench.pages[0])) { $0[200] ^= 1 }
    try bench.put(Bench.picture, at: PackagePaths.asset(Bench.free))
    let other = bench.disk.volume()
    let folder = try other.open(Bench.package, for: .directory)
    try other.lockExclusively(folder)
    let before = try bench.picture()
    #expect(codes(bench.check().found) == "LN0002 LN3001 LN4003")
    #expect(bench.check().exit.rawValue == 4)
    let repair = bench.repair()
    #expect(repair.exit.rawValue == 12)
    #expect(repair.actions.isEmpty)
    #expect(try bench.picture() == before)
    try other.close(folder)
    #expect(bench.repair().exit.rawValue == 5)
  }

  @Test func aCheckLetsTheLockGo() throws {
    let bench = try Bench()
    _ = bench.check()
    _ = bench.repair()
    let other = bench.disk.volume()
    let folder = try other.open(Bench.package, for: .directory)
    try other.lockExclusively(folder)
  }

  @Test func aFullDiskIsNotRepairedAndNothingChanges() throws {
    let bench = try Bench()
    try bench.damage(PackagePaths.page(Bench.pages[0])) { $0[200] ^= 1 }
    let before = try bench.picture()
    bench.disk.setFreeSpace(bytes: 4096)
    let check = bench.check()
    #expect(codes(check.found) == "LN3001")
    #expect(check.exit.rawValue == 4)
    let repair = bench.repair()
    #expect(codes(repair.left) == "LN0010 LN3001")
    #expect(repair.exit.rawValue == 12)
    #expect(repair.actions.isEmpty)
    #expect(try bench.picture() == before)
    bench.disk.setFreeSpace(bytes: nil)
    #expect(bench.repair().exit.rawValue == 5)
  }

  @Test func aSoundDocumentOnAFullDiskNeedsNoRoom() throws {
    let bench = try Bench()
    bench.disk.setFreeSpace(bytes: 0)
    #expect(bench.repair().exit.rawValue == 0)
  }

  static let notPackages: [(name: String, found: String, make: @Sendable (FaultVolume) throws -> Void)] = [
    ("a file", "LN0001", { try $0.make("X.lnote", [1]) }),
    ("an empty folder", "LN0001", { try $0.makeDirectories("X.lnote") }),
    ("a folder with other things", "LN0001", { try $0.make("X.lnote/a.txt", [1]) }),
    ("nothing", "LN0001", { _ in }),
    ("pages alone", "LN1001 LN1001 LN2001", { try $0.makeDirectories("X.lnote/pages") }),
  ]

  @Test(arguments: notPackages) func whatIsNoPackageIsLeftAlone(
    name: String, found: String, make: @Sendable (FaultVolume) throws -> Void
  ) throws {
    let volume = FaultDisk().volume()
    try make(volume)
    let report = Fsck(volume: volume, now: Bench.now).check("X.lnote")
    #expect(codes(report.found) == found)
    #expect(report.exit == .errorsLeft)
  }

  @Test func aRepairThatMeetsAnErrorEndsAndCanBeRunAgain() throws {
    for nth: UInt64 in 1...80 {
      let bench = try Bench()
      try bench.damage(PackagePaths.page(Bench.pages[0])) { $0 = Array($0.dropLast(33)) }
      try bench.disk.arm(
        FaultRule(
          name: "trouble", effect: .errno(Errno(name: "EIO") ?? Errno(rawValue: 5)),
          operations: [.create, .write, .fsync, .rename, .link, .mkdir], occurrence: FaultOccurrence(nth: nth)))
      let first = bench.repair()
      let didFire = !bench.disk.firings.isEmpty
      bench.disk.clearAll()
      #expect(first.exit.contains(.operational) == didFire, "\(nth)")
      let second = bench.repair()
      #expect(codes(second.left) == "LN9001", "\(nth): \(codes(first.left))")
      #expect(second.left.map(\.loss.elements) == [0], "\(nth)")
      #expect(try bench.keeps(strokes: 3), "\(nth)")
      if !didFire { return }
    }
    Issue.record("the repair has more than 80 calls")
  }
}
