import Files
import Glibc
import LNoteFormat
import Processes
import Synchronization
import TestSupport
import Testing

@testable import LNoteFsck

/// `--lock-wait` and `-C`: what other programs have to do with a run.
@Suite(.serialized) struct WaitTests {
  /// A bench that another volume has locked, and how to let it go.
  static func locked() throws -> (bench: Bench, release: () -> Void) {
    let bench = try Bench()
    try bench.damage(DamageCase.page1) { $0[200] ^= 1 }
    let other = bench.disk.volume()
    let folder = try other.open(Bench.package, for: .directory)
    try other.lockExclusively(folder)
    return (bench, { try? other.close(folder) })
  }

  /// A checker that lets the lock go when it was asked to wait so many times, and gives up behind the last of them.
  static func fsck(_ bench: Bench, releasingAt place: Int, of asks: Int, _ release: @escaping () -> Void) -> Fsck {
    nonisolated(unsafe) let release = release
    let asked = Mutex(0)
    return Fsck(
      volume: bench.volume, now: Bench.now,
      waits: {
        asked.withLock { asked in
          asked += 1
          if asked == place { release() }
          return asked <= asks
        }
      })
  }

  @Test func aRepairWaitsUntilTheDocumentIsClosed() throws {
    for place in [1, 3] {
      let (bench, release) = try WaitTests.locked()
      let report = WaitTests.fsck(bench, releasingAt: place, of: 5, release).repair(Bench.package, mode: .all)
      #expect(report.exit.rawValue == 5 && !codes(report.found).contains("LN0002"))
    }
    let (bench, release) = try WaitTests.locked()
    let report = WaitTests.fsck(bench, releasingAt: 9, of: 3, release).repair(Bench.package, mode: .all)
    #expect(report.exit.rawValue == 12 && report.actions.isEmpty)
    release()
  }

  @Test func aCheckAPlanAndACopyWaitToo() throws {
    for mode in ["check", "plan", "copy", "undo"] {
      for (place, isOpen) in [(2, false), (9, true)] {
        let (bench, release) = try WaitTests.locked()
        let fsck = WaitTests.fsck(bench, releasingAt: place, of: 3, release)
        let target = try Bench()
        let report =
          switch mode {
          case "check": fsck.check(Bench.package)
          case "plan": fsck.plan(Bench.package, mode: .all)
          case "copy": fsck.repairCopy(of: Bench.package, to: "Copy.lnote", on: target.volume)
          default: fsck.undo(Bench.package)
          }
        #expect(codes(report.found + report.left).contains("LN0002") == isOpen, "\(mode)")
        release()
      }
    }
  }

  /// The document of "Notes", locked by this process.
  static func lock(in directory: TemporaryDirectory) throws -> (HostVolume, OpenFile) {
    let volume = try directory.volume()
    let folder = try volume.open(BytePath("Notes").appending(Bench.package), for: .directory)
    try volume.lockExclusively(folder)
    return (volume, folder)
  }

  @Test func theProgramWaitsAndSaysSo() throws {
    let directory = try ProgramTests.folder { try $0.remove(DamageCase.manifest) }
    let (volume, folder) = try WaitTests.lock(in: directory)
    let child = try InterruptionTests.start(["-y", "--lock-wait", "600", "Notes"], in: directory)
    while try !InterruptionTests.text("error", in: directory).contains("waiting for Notes/\(Bench.package), which is") {
      kill(child.id, SIGUSR1)
      #expect(try child.wait(milliseconds: 20) == nil)
    }
    try volume.close(folder)
    #expect(try child.wait(milliseconds: 60_000) == .exited(1))
    // Without it, or for 0 seconds, a repair does not wait.
    let (again, held) = try WaitTests.lock(in: directory)
    try volume.unlink(BytePath("Notes").appending(Bench.package).appending(DamageCase.manifest))
    #expect(try ProgramTests.run(["-y", "--lock-wait", "0", "Notes"], in: directory).status == 8)
    try again.close(held)
  }

  @Test func aSignalEndsTheWaiting() throws {
    let directory = try ProgramTests.folder { try $0.remove(DamageCase.manifest) }
    let (volume, folder) = try WaitTests.lock(in: directory)
    let child = try InterruptionTests.start(["-y", "--lock-wait", "600", "Notes"], in: directory)
    kill(child.id, SIGTERM)
    guard case .exited(let status)? = try child.wait(milliseconds: 60_000) else {
      Issue.record("it did not end by itself")
      return
    }
    #expect(status & 32 != 0 || status == 8, "\(status)")
    try volume.close(folder)
  }

  // MARK: -C

  /// What a run writes to its third descriptor.
  static func progress(_ arguments: [String], in directory: TemporaryDirectory) throws -> (status: Int, lines: [String])
  {
    var launch = Launch(
      "sh", ["-c", "exec \"$0\" \"$@\" 3>progress", try builtProgram("lnote-fsck").description] + arguments)
    launch.workingDirectory = directory.path.bytes
    let result = try launch.run(limitMilliseconds: 60_000)
    guard case .exited(let status) = result.ending else { return (-1, []) }
    let text = try InterruptionTests.text("progress", in: directory)
    return (status, text.split(separator: "\n").map(String.init))
  }

  @Test(arguments: [[], ["--quick"], ["--json"], ["-q"], ["-y", "--to", "Copy"]])
  func linesOfProgressAreE2fscks(arguments: [String]) throws {
    let directory = try ProgramTests.folder()
    let (status, lines) = try WaitTests.progress(arguments + ["-C", "3", "Notes"], in: directory)
    #expect(status == 0 && !lines.isEmpty)
    var last = 0
    for line in lines {
      let words = line.split(separator: " ")
      let numbers = words.prefix(3).compactMap { Int($0) }
      #expect(words.count == 4 && numbers.count == 3, "\(line)")
      #expect(numbers[0] == 1 && numbers[1] >= last && numbers[1] <= numbers[2], "\(lines)")
      #expect(words[3] == "Notes/\(Bench.package)")
      last = numbers[1]
    }
    let end = try #require(lines.last).split(separator: " ")
    #expect(end[1] == end[2] && (arguments == ["--quick"]) == (end[2] == "1"), "\(lines)")
  }

  @Test func aReaderThatIsGoneEndsTheLinesAndNotTheRun() throws {
    let directory = try ProgramTests.folder()
    let program = try builtProgram("lnote-fsck").description
    var launch = Launch("bash", ["-c", "\"$0\" -C 3 Notes 3> >(exec true); echo $?", program])
    launch.workingDirectory = directory.path.bytes
    let result = try launch.run(limitMilliseconds: 60_000)
    #expect(result.outputText.hasSuffix("Nothing was changed.\n0\n"), "\(result.outputText) \(result.errorText)")
  }

  static let senseless: [(arguments: [String], says: String)] = [
    (["-C", "0", "Notes"], "--progress-fd"), (["-C", "x", "Notes"], "--progress-fd"),
    (["-C", "900", "Notes"], "-C 900 is no descriptor"), (["--json", "-C", "1", "Notes"], "another descriptor"),
    (["--lock-wait", "-1", "Notes"], "--lock-wait"), (["--lock-wait", "soon", "Notes"], "--lock-wait"),
    (["--carve", "--lock-wait", "3", "--to", "F", "Notes"], "--carve and --lock-wait"),
    (["--carve", "-C", "3", "--to", "F", "Notes"], "--carve and --progress-fd"),
  ]

  @Test(arguments: senseless.indices) func whatMakesNoSenseEndsWith16(index: Int) throws {
    let row = WaitTests.senseless[index]
    let (status, text) = try ProgramTests.run(row.arguments, in: ProgramTests.folder())
    #expect(status == 16 && text.contains(row.says), "\(text)")
  }

  @Test func aDescriptorThatIsOnlyReadIsRefused() throws {
    let directory = try ProgramTests.folder()
    var launch = Launch(
      "sh", ["-c", "exec \"$0\" -C 3 Notes 3</dev/null", try builtProgram("lnote-fsck").description])
    launch.workingDirectory = directory.path.bytes
    let result = try launch.run(limitMilliseconds: 60_000)
    #expect(result.ending == .exited(16) && result.errorText.contains("open for writing"), "\(result.errorText)")
  }
}
