import Files
import Glibc
import JSON
import Processes
import TestSupport
import Testing

@testable import LNoteFsck

/// Runs that the user ends, or that fail by themselves.
@Suite(.serialized) struct InterruptionTests {
  /// Damage that takes several rounds and steps to repair.
  static func damaged() throws -> Bench {
    let bench = try Bench()
    try bench.damage(PackagePaths.page(Bench.pages[0])) { $0 = Array($0.dropLast(33)) }
    try bench.remove(PackagePaths.document)
    try bench.remove(PackagePaths.asset(Bench.asset))
    try bench.put(Bench.picture, at: PackagePaths.asset(Bench.free))
    return bench
  }

  @Test func aRepairEndedBehindAnyStepIsGoneOnWith() throws {
    let whole = try InterruptionTests.damaged()
    let expected = whole.repair()
    #expect(expected.actions.count >= 4)
    var endings: Set<Int> = []
    for stop in 0...expected.actions.count {
      let bench = try InterruptionTests.damaged()
      let report = Bench.Again(bench).repair(endingBehind: stop)
      endings.insert(report.actions.count)
      #expect(report.exit.contains(.cancelled) == (stop < expected.actions.count))
      #expect(report.exit.contains(.repaired) == (stop > 0))
      #expect(!report.exit.contains(.operational))
      // What it says is left is what the next check finds.
      #expect(codes(report.left) == codes(bench.check().found))
      #expect(codes(bench.repair().left) == codes(expected.left))
      #expect(bench.repair().actions.isEmpty)
    }
    #expect(endings == Set(0...expected.actions.count))
  }

  // MARK: The built program

  /// Folders "1", "2" and so on, each with a damaged document.
  static func library(_ count: Int) throws -> TemporaryDirectory {
    let directory = try TemporaryDirectory("fsck")
    let volume = try directory.volume()
    for number in 0..<count {
      let folder = BytePath("Notes/\(number)")
      try volume.makeDirectories(folder)
      let bench = try Bench()
      try bench.damage(PackagePaths.page(Bench.pages[0])) { $0 = Array($0.dropLast(33)) }
      try bench.disk.exportTree(to: HostVolume(root: directory.path.appending(folder)))
    }
    return directory
  }

  /// Starts a run with its output in files; returns when signals no longer end it like any other program.
  static func start(_ arguments: [String], in directory: TemporaryDirectory) throws -> ChildProcess {
    var launch = Launch(try builtProgram("lnote-fsck").description, arguments)
    launch.workingDirectory = directory.path.bytes
    launch.output = .file(directory.path.appending("output").bytes)
    launch.error = .file(directory.path.appending("error").bytes)
    let child = try ChildProcess(launch)
    while try !holdsSignals(child.id), try child.wait(milliseconds: 1) == nil {}
    return child
  }

  /// True where SIGINT is held back in the process, as /proc tells it. (Its files have no size to be read by.)
  private static func holdsSignals(_ process: pid_t) throws -> Bool {
    let file = open("/proc/\(process)/status", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return false }
    let status = Descriptor(file)
    let bytes = try readSome(from: status.number, bytesMax: 64 << 10, until: .never) ?? []
    let line = String(decoding: bytes, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("SigBlk:") }
    let mask = line.flatMap { UInt64($0.dropFirst(7).drop { $0 == "\t" }, radix: 16) } ?? 0
    return mask >> UInt64(SIGINT - 1) & 1 == 1
  }

  static func text(_ name: BytePath, in directory: TemporaryDirectory) throws -> String {
    String(decoding: try directory.volume().bytes(of: name), as: UTF8.self)
  }

  /// Milliseconds until a signal, and how many signals.
  static let instants = (0..<8).map { (delay: $0 * $0, signals: $0 % 3 == 2 ? 2 : 1) }

  @Test(arguments: instants) func aSignalAtAnyInstantLeavesWholeLinesAndWholeNotes(delay: Int, signals: Int) throws {
    let directory = try InterruptionTests.library(8)
    let child = try InterruptionTests.start(["-y", "--json", "Notes"], in: directory)
    _ = try child.wait(milliseconds: delay)
    for _ in 0..<signals {
      kill(child.id, signals == 2 ? SIGTERM : SIGINT)
      _ = try child.wait(milliseconds: 1)
    }
    guard case .exited(let status)? = try child.wait(milliseconds: 60_000) else {
      Issue.record("it did not end by itself")
      return
    }
    let text = try InterruptionTests.text("output", in: directory)
    let lines = try JSONLines.parse(Array(text.utf8))
    #expect(JSONLineTests.endsWithItsSummary(lines, exit: Int32(status)))
    #expect(try JSONLineTests.refused(Array(text.utf8)) == [:])
    // 5 where it was done before the signal came.
    #expect([5, 32, 33, 36, 37].contains(status), "\(status)")
    if status & 32 != 0 { #expect(lines.last?["verdict"]?.string == "cancelled") }
    let again = try ProgramTests.run(["-y", "Notes"], in: directory).status
    #expect([4, 5].contains(again))
    let check = try ProgramTests.run(["--json", "Notes"], in: directory)
    #expect(check.status == 4)
    let codes = try JSONLines.parse(Array(check.text.utf8)).last?["byCode"]?.object
    #expect(codes?.keys.filter { $0 != "LN9001" && $0 != "LN8001" } == [])
    #expect(codes?["LN9001"] == 8)
  }

  @Test func aCrashEndsWith128AndItsSummary() throws {
    for (options, stream) in [(["--json"], "output"), ([], "error")] {
      let directory = try InterruptionTests.library(60)
      let child = try InterruptionTests.start(options + ["-y", "Notes"], in: directory)
      kill(child.id, SIGILL)
      #expect(try child.wait(milliseconds: 60_000) == .exited(128))
      let text = try InterruptionTests.text(BytePath(stream), in: directory)
      #expect(text.contains("lnote-fsck itself failed"))
      if stream == "output" {
        #expect(JSONLineTests.endsWithItsSummary(try JSONLines.parse(Array(text.utf8)), exit: 128))
        #expect(try JSONLineTests.refused(Array(text.utf8)) == [:])
      }
    }
  }

  @Test func aStatusLineIsWrittenOnRequestAndTheRunGoesOn() throws {
    let directory = try InterruptionTests.library(60)
    let child = try InterruptionTests.start(["Notes"], in: directory)
    kill(child.id, SIGUSR1)
    #expect(try child.wait(milliseconds: 60_000) == .exited(4))
    let error = try InterruptionTests.text("error", in: directory)
    #expect(
      error.wholeMatch(of: /lnote-fsck: (looking for documents|\d+ of 60 documents done, [\d.,]+ [kM]?B read)\n/)
        != nil, "\(error)")
  }

  @Test func withTooFewDescriptorsItIsTheDisksTroubleAndNeverTheUsers() throws {
    let directory = try ProgramTests.folder()
    let program = try builtProgram("lnote-fsck").description
    var said: Set<Int> = []
    for count in 4...24 {
      var launch = Launch("sh", ["-c", "ulimit -n \(count); exec \"$0\" --json Notes", program])
      launch.workingDirectory = directory.path.bytes
      launch.crashesQuietly = true
      let result = try launch.run(limitMilliseconds: 60_000)
      guard case .exited(let status) = result.ending else {
        Issue.record("\(count): \(result.ending)")
        continue
      }
      said.insert(status)
      #expect(JSONLineTests.endsWithItsSummary(try JSONLines.parse(result.output), exit: Int32(status)), "\(count)")
      if result.outputText.contains("cannot be looked at") { #expect(status == 8) }
    }
    // 128: too few for the run-time library itself, which then ends the program.
    #expect(said.isSubset(of: [0, 8, 128]) && said.contains(0) && said.contains(8), "\(said)")
  }
}
