import FileTracing
import Files
import Glibc
import Processes
import TestSupport
import Testing

@testable import FaultFS

struct LateAnswersTests {
  private func answer(to request: UInt64, late: LateAnswers) -> Int? {
    var head: [UInt64] = [16, request]
    return head.withUnsafeMutableBytes { bytes in
      var piece = iovec(iov_base: bytes.baseAddress, iov_len: 16)
      return withUnsafePointer(to: &piece) { late.hold(UnsafeBufferPointer(start: $0, count: 1), now: 5_000_000) }
    }
  }

  @Test func holdsOneAnswerADelay() {
    let late = LateAnswers()
    #expect(answer(to: 1, late: late) == nil && late.isEmpty)
    late.delay = .milliseconds(2)
    #expect(answer(to: 1, late: late) == 16)
    #expect(answer(to: 2, late: late) == nil)
    late.delay = .untilCleared(rule: "f")
    #expect(answer(to: 3, late: late) == 16)
    #expect(late.millisecondsToNext(now: 5_500_000) == 2)
    #expect(late.takeDue(now: 6_999_999).isEmpty)
    #expect(late.takeDue(now: 7_000_000).map(\.request) == [1])
    #expect(late.millisecondsToNext(now: 8_000_000) == -1)
    #expect(late.takeCleared(armed: ["f", "g"]).isEmpty && late.waitForRules)
    #expect(late.takeCleared(armed: ["g"]).map(\.request) == [3])
    #expect(late.isEmpty && !late.waitForRules)
  }
}

extension MountTests {
  /// A slow or hanging call keeps nobody else waiting, and can be ended in every way.
  @Suite struct SlowAndHangingTests {
    static let script = """
      import os
      file = open('f', 'w'); file.write('x'); file.flush(); os.fsync(file.fileno()); print('done')
      """

    private func child(on mount: FaultFSMount) throws -> ChildProcess {
      var launch = Launch("python3", ["-c", Self.script])
      launch.workingDirectory = mount.mountPoint.bytes
      launch.output = .pipe
      launch.error = .pipe
      return try ChildProcess(launch)
    }

    private func hangingChild(on mount: FaultFSMount) throws -> ChildProcess {
      #expect(try mount.ask(.arm(FaultRule(name: "stuck", effect: .hang, operations: [.fsync]))) == .done)
      let child = try child(on: mount)
      while try mount.status().firings.isEmpty { _ = try child.wait(milliseconds: 10) }
      #expect(try child.wait(milliseconds: 100) == nil)
      return child
    }

    @Test func aSlowAnswerComesLate() throws {
      let mount = try FaultFSMount()
      // A recall that is over makes no later answer hurry.
      let torn = FaultRule(name: "torn", effect: .tornRename(.notDone), operations: [.rename])
      #expect(try mount.ask(.arm(torn)) == .done)
      let slow = FaultRule(name: "slow", effect: .slow(milliseconds: 400), operations: [.fsync])
      #expect(try mount.ask(.arm(slow)) == .done)
      let begin = LateAnswers.now
      #expect(try child(on: mount).wait(milliseconds: 20_000) == .exited(0))
      #expect(LateAnswers.now - begin >= 400_000_000)
    }

    @Test func othersAreServedAndClearingLetsItGoOn() throws {
      let mount = try FaultFSMount()
      let child = try hangingChild(on: mount)
      try mount.volume().make("other", text: "text")
      #expect(try mount.volume().bytes(of: "other") == Array("text".utf8))
      #expect(try mount.ask(.clear(name: "stuck")) == .done)
      #expect(try child.wait(milliseconds: 20_000) == .exited(0))
    }

    @Test func aKilledCallerIsGone() throws {
      let mount = try FaultFSMount()
      let child = try hangingChild(on: mount)
      child.send(signal: SIGKILL)
      #expect(try child.wait(milliseconds: 20_000) == .killed(signal: Int(SIGKILL)))
    }

    @Test func unmountingEndsIt() throws {
      let mount = try FaultFSMount()
      let child = try hangingChild(on: mount)
      #expect(try mount.ask(.unmount) == .done)
      #expect(try child.wait(milliseconds: 20_000) == .exited(1))
    }

    @Test func aRuleThatChangesWhatTheKernelKnowsLetsItGoOn() throws {
      let mount = try FaultFSMount()
      let child = try hangingChild(on: mount)
      let torn = FaultRule(name: "torn", effect: .tornRename(.notDone), operations: [.rename])
      #expect(try mount.ask(.arm(torn)) == .done)
      #expect(try child.wait(milliseconds: 20_000) == .exited(0))
    }
  }
}
