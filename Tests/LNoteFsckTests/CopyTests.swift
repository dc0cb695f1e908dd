import FaultDisk
import FileTracing
import Files
import LNoteFormat
import TestSupport
import Testing

@testable import LNoteFsck

/// Copies: what is not in them, and what killed runs leave.
@Suite struct CopyTests {
  static func copy(_ bench: Bench, to target: FaultVolume) -> PackageReport {
    Fsck(volume: bench.volume, now: Bench.now).repairCopy(of: Bench.package, to: Bench.package, on: target)
  }

  @Test func linksAndPipesThatAreLeftOutAreNamed() throws {
    let bench = try Bench()
    try bench.makeNode("pages/pipe", kind: .fifo)
    try bench.makeNode("away", kind: .symbolicLink)
    let report = CopyTests.copy(bench, to: FaultDisk().volume())
    #expect(report.leftOut.map(\.path) == ["away", "pages/pipe"])
    #expect(report.leftOut.map(\.kind) == [.symbolicLink, .fifo])
    let text = RefusalTests.text(report, .copy(to: "Copy"))
    #expect(
      text.contains(
        "Not in the copy, since only files and folders are copied: away (a symbolic link) and pages/pipe (a pipe (FIFO))."
      ),
      "\(text)")
  }

  @Test func whatAKilledRunLeftIsRemovedByTheNextAndTold() throws {
    // The run is killed at each operation of a copy in turn; the next run ends with the same copy and nothing else.
    let bench = try Bench()
    let sound = FaultDisk().volume()
    #expect(CopyTests.copy(bench, to: sound).exit == [])
    let expected = try sound.tree()
    var removals = 0
    for nth: UInt64 in 1...200 {
      let disk = FaultDisk()
      let volume = disk.volume()
      try disk.arm(
        FaultRule(
          name: "kill", effect: .kill, operations: [.create, .write, .mkdir, .fsync, .rename],
          occurrence: FaultOccurrence(nth: nth)))
      _ = CopyTests.copy(bench, to: volume)
      let isOver = disk.firings.isEmpty
      disk.clearAll()
      let next = Fsck(volume: bench.volume, now: Timestamp(milliseconds: Bench.now.milliseconds + 1))
        .repairCopy(of: Bench.package, to: Bench.package, on: disk.volume())
      #expect(try disk.volume().tree() == expected, "\(nth)")
      if let removed = next.removedCopies.first {
        removals += 1
        #expect(removed.hasPrefix(".") && removed.hasSuffix(".lnote-fsck-copy"))
        #expect(
          RefusalTests.text(next, .copy(to: "Copy")).contains("An unfinished copy that an earlier run left behind"))
      }
      if isOver { break }
    }
    #expect(removals > 20)
  }

  @Test func whatAnotherRunWritesAndWhatIsNotOursStays() throws {
    let bench = try Bench()
    let target = FaultDisk().volume()
    let running = BytePath(".\(Bench.package).1796047331000.lnote-fsck-copy")
    let others = [".\(Bench.package).x.lnote-fsck-copy/a", ".X.lnote.1.lnote-fsck-copy/a", ".\(Bench.package).1.tmp/a"]
    for path in others { try target.make(BytePath(path), [1]) }
    try target.makeDirectories(running)
    let folder = try target.open(running, for: .directory)
    try target.lockExclusively(folder)
    let report = CopyTests.copy(bench, to: target)
    #expect(report.removedCopies == [])
    #expect((try? target.status(at: running)) != nil)
    for path in others { #expect((try? target.status(at: BytePath(path))) != nil) }
  }
}
