import Files
import Glibc
import Processes
import TestSupport
import Testing

extension MountTests {
  /// A run that is ended from outside takes its server, driver, mount and temporary files with it.
  @Suite struct ScenarioEndingTests {
    /// The first part ends with a kill, so that the second driver tells when the run is well on its way.
    private static let scenario = """
      scenario v1 "a long day"
      document "Diary" { page p1 }
      stroke p1 points 50
      background
      kill
      reopen
      repeat 2000 { stroke p1 points 500; background }
      """
    /// Says its number before it becomes our driver.
    private static let driver = """
      #!/bin/sh
      echo $$ >"$LNOTE_STARTED"
      exec "$LNOTE_DRIVER"
      """

    enum Goodbye: CaseIterable {
      case killed, interrupted, interruptedAtTheTerminal
    }

    @Test(arguments: Goodbye.allCases) func nothingIsLeft(after goodbye: Goodbye) throws {
      let workshop = try Workshop()
      try workshop.volume().make("day.scn", text: Self.scenario)
      try workshop.volume().make("driver", Array(Self.driver.utf8), permissions: 0o755)
      let fifo = workshop.path.appending("started").description
      #expect(mkfifo(fifo, 0o600) == 0)
      // Opened for both, so that neither side waits for the other.
      let started = Descriptor(open(fifo, O_RDWR | O_CLOEXEC))
      let numbers = LineChannel(reading: started, writing: started)

      var launch = try workshop.launch("lnote-scenario", ["run", "--driver", "./driver", "day.scn"])
      launch.environment.append(("LNOTE_STARTED", fifo))
      launch.environment.append(("LNOTE_DRIVER", try builtProgram("lnote-driver").description))
      launch.output = .nothing
      launch.error = .pipe
      // A group of its own, as a shell gives it to a command.
      launch.hasOwnGroup = true
      let run = try ChildProcess(launch)
      for _ in 0..<2 { _ = try numbers.receive(until: .after(milliseconds: Workshop.millisecondsMax)) }
      // The program and the server; the driver may just be changing from a shell into itself.
      #expect(try workshop.leftBehind().count { $0.hasPrefix("process") } >= 2)
      #expect(try workshop.leftBehind().count { $0.hasPrefix("mount") } == 1)

      switch goodbye {
      case .killed: run.send(signal: SIGKILL)
      case .interrupted: run.send(signal: SIGINT)
      case .interruptedAtTheTerminal: run.sendToGroup(signal: SIGINT)
      }
      let ending = try run.wait(milliseconds: Workshop.millisecondsMax)
      #expect(ending == .killed(signal: Int(goodbye == .killed ? SIGKILL : SIGINT)))
      // Whatever it started has its standard error, whose end therefore comes with the last of them.
      let error = try #require(run.error)
      let complaints = LineChannel(reading: error, writing: error)
      var said: [String] = []
      while let line = try complaints.receive(until: .after(milliseconds: Workshop.millisecondsMax)) {
        said.append(String(decoding: line, as: UTF8.self))
      }
      #expect(said == [])
      #expect(try workshop.leftBehind() == [])
    }
  }
}
