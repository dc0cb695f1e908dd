import Files
import Processes
import TestSupport
import Testing

@testable import FaultFS

struct TurnTakingTests {
  @Test func theSeedDecidesAndNotWhoCameFirst() {
    var one = TurnTaking(seed: 7, quietMilliseconds: 1)
    var other = TurnTaking(seed: 7, quietMilliseconds: 1)
    for _ in 0..<100 {
      let arrived: [Int32] = [30, 10, 20]
      let otherwise: [Int32] = [20, 30, 10]
      #expect(arrived[one.next(among: arrived)] == otherwise[other.next(among: otherwise)])
    }
  }

  @Test func everybodyHasATurn() {
    var turns = TurnTaking(seed: 1, quietMilliseconds: 1)
    var counts: [Int32: Int] = [:]
    let threads: [Int32] = [1, 2, 3]
    for _ in 0..<300 { counts[threads[turns.next(among: threads)], default: 0] += 1 }
    #expect(threads.allSatisfy { counts[$0, default: 0] > 50 }, "\(counts)")
  }
}

extension MountTests {
  /// Threads that meet in the file system only take the same way again with the same seed.
  @Suite struct ThreadsInTurnTests {
    static let script = """
      import os, threading
      barrier = threading.Barrier(3)
      def work(name):
          barrier.wait()
          for i in range(3):
              with open(f'{name}/tmp', 'w') as file: file.write(f'{name}{i}')
              os.rename(f'{name}/tmp', f'{name}/last')
      for name in 'abc': os.mkdir(name)
      threads = [threading.Thread(target=work, args=(name,)) for name in 'abc']
      for thread in threads: thread.start()
      for thread in threads: thread.join()
      """

    private func recording(
      _ name: String, seed: Int, quiet: Int, in place: TemporaryDirectory
    ) throws -> String {
      let log = place.path.appending(BytePath("\(name)\(quiet)")).description
      let words = ["run", "--turns", "\(quiet)", "--seed", "\(seed)", "--log", log, "--", "python3", "-c", Self.script]
      let result = try Launch(try builtProgram("faultfs").description, words).run(limitMilliseconds: 60_000)
      #expect(result.ending == .exited(0), "\(result.errorText)")
      return log
    }

    private func difference(_ one: String, _ other: String) throws -> ProgramResult {
      try Launch(try builtProgram("faultfs").description, ["trace", "diff", one, other]).run(limitMilliseconds: 60_000)
    }

    /// On a busy machine a thread may take longer to its next call than the others wait for it; they then wait longer.
    @Test func theSameSeedIsTheSameWay() throws {
      let place = try TemporaryDirectory("turns")
      var report = ""
      for quiet in [20, 100, 400] {
        let first = try recording("first", seed: 1, quiet: quiet, in: place)
        let again = try difference(first, try recording("again", seed: 1, quiet: quiet, in: place))
        report = again.outputText
        guard again.ending == .exited(0) else { continue }
        let other = try difference(first, try recording("other", seed: 2, quiet: quiet, in: place))
        #expect(other.ending == .exited(1), "\(other.outputText)")
        return
      }
      Issue.record("\(report)")
    }
  }
}
