import FaultDisk
import Files
import LNoteFormat
import Testing

@testable import LNoteFsck

/// Disks that know no locks, folders on other disks, files that were never written, links to documents.
@Suite struct SurroundingsTests {
  /// A disk on which flock fails, as on some network shares, and one folder lies elsewhere.
  private final class Share: VolumeLayer {
    let below: any Volume
    let foreign: BytePath?

    init(below: any Volume, foreign: BytePath?) {
      self.below = below
      self.foreign = foreign
    }

    func lockExclusively(_ file: OpenFile) throws(FileCallError) { throw FileCallError("flock", [], .enosys) }

    func status(at path: BytePath) throws(FileCallError) -> FileStatus {
      var status = try below.status(at: path)
      if path == foreign { status.device += 1 }
      return status
    }
  }

  private func fsck(_ bench: Bench, foreign: BytePath? = nil) -> Fsck {
    Fsck(volume: Share(below: bench.volume, foreign: foreign), now: Bench.now)
  }

  private func damaged() throws -> Bench {
    let bench = try Bench()
    try bench.put(Bench.picture, at: PackagePaths.asset(Bench.free))
    try bench.damage(PackagePaths.manifest) { $0[20] ^= 1 }
    return bench
  }

  @Test func withoutLocksAScriptsRepairDoesNothing() throws {
    let bench = try damaged()
    let before = try bench.picture()
    let check = fsck(bench).check(Bench.package)
    #expect(codes(check.found) == "LN0012 LN4003 LN5002")
    #expect(check.exit.rawValue == 0)
    let repair = fsck(bench).repair(Bench.package, mode: .automatic)
    #expect(codes(repair.left) == "LN0012 LN4003 LN5002")
    #expect(repair.exit.rawValue == 8 && repair.actions.isEmpty)
    #expect(try bench.picture() == before)
  }

  @Test func withoutLocksTheUsersRepairIsDoneButNoImageIsUnused() throws {
    let bench = try damaged()
    let repair = fsck(bench).repair(Bench.package, mode: .all)
    #expect(codes(repair.left) == "LN0012 LN4003")
    #expect(repair.exit.rawValue == 1)
    #expect(codes(bench.check().found) == "LN4002")
  }

  @Test func withoutLocksARepairIsTakenBack() throws {
    let bench = try damaged()
    let before = try bench.bytes(PackagePaths.manifest)
    _ = fsck(bench).repair(Bench.package, mode: .all)
    #expect(try bench.bytes(PackagePaths.manifest) != before)
    _ = fsck(bench).undo(Bench.package)
    #expect(try bench.bytes(PackagePaths.manifest) == before)
  }

  @Test func withoutLocksACopyIsRepaired() throws {
    let bench = try damaged()
    let target = FaultDisk().volume()
    let report = fsck(bench).repairCopy(of: Bench.package, to: Bench.package, on: target)
    #expect(report.isCopied && report.exit.rawValue == 1)
  }

  @Test func aFolderOnAnotherDiskIsTold() throws {
    let bench = try Bench()
    let foreign = Bench.package.appending(PackagePaths.assets)
    let report = fsck(bench, foreign: foreign).check(Bench.package)
    #expect(codes(report.found) == "LN0009 LN0012")
    #expect(report.found.first { $0.kind == .crossesDevice }?.path == PackagePaths.assets)
    #expect(report.exit.rawValue == 0)
  }

  /// A disk that has the length of one file and none of its bytes.
  private final class Hollow: VolumeLayer {
    let below: any Volume
    let hollow: BytePath

    init(below: any Volume, hollow: BytePath) {
      self.below = below
      self.hollow = hollow
    }

    func status(at path: BytePath) throws(FileCallError) -> FileStatus {
      var status = try below.status(at: path)
      status.allocated = path == hollow ? 0 : status.size
      return status
    }

    func status(of file: OpenFile) throws(FileCallError) -> FileStatus {
      var status = try below.status(of: file)
      if status.inode == (try? below.status(at: hollow))?.inode { status.allocated = 0 }
      return status
    }
  }

  @Test(arguments: [
    PackagePaths.page(Bench.pages[0]), PackagePaths.asset(Bench.asset), PackagePaths.document,
  ]) func whatWasNeverWrittenIsToldFromWhatIsZero(path: BytePath) throws {
    let bench = try Bench()
    let fsck = Fsck(volume: Hollow(below: bench.volume, hollow: Bench.package.appending(path)), now: Bench.now)
    // A disk that packs what it holds shows holes in sound files.
    #expect(codes(fsck.check(Bench.package).found) == "")
    try bench.damage(path) { $0 = [UInt8](repeating: 0, count: $0.count) }
    let found = codes(fsck.check(Bench.package).found)
    #expect(found.contains("LN1205") && !found.contains("LN1204"), "\(found)")
    #expect(codes(bench.check().found) == found.replacing("LN1205", with: "LN1204"))
    #expect(fsck.repair(Bench.package, mode: .all).didChange)
  }

  @Test func namesInsideAndOutsideAreToldApart() throws {
    let bench = try Bench()
    let page = Bench.package.appending(PackagePaths.page(Bench.pages[0]))
    try bench.volume.link(page, to: Bench.package.appending("pages/again"))
    #expect(codes(bench.check().found) == "LN1504")
    try bench.volume.link(page, to: "backup")
    #expect(codes(bench.check().found) == "LN1004 LN1504")
  }

  @Test func aLinkThatIsNamedIsFollowedAndTold() throws {
    let directory = try ProgramTests.folder()
    try directory.makeSymbolicLink(to: BytePath("Notes/\(Bench.package)"), at: "link")
    let (status, text) = try ProgramTests.run(["link"], in: directory)
    #expect(text.contains("link is a symbolic link"), "\(text)")
    #expect(text.contains("LN0008"))
    let (other, plain) = try ProgramTests.run(["Notes/\(Bench.package)"], in: directory)
    #expect(status == other)
    #expect(!plain.contains("LN0008"))
  }
}
