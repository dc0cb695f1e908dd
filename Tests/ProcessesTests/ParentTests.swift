import Glibc
import TestSupport
import Testing

@testable import Processes

/// A process that wants to end with its parent, seen from outside: `lnote-driver` below a shell.
@Suite(.serialized) struct ParentTests {
  /// A shell that waits for a driver; both speak on the pipes of the child returned.
  ///
  /// The way over descriptor 3 is needed, since a shell gives /dev/null to what it starts in the background.
  private func shellWithDriver() throws -> ChildProcess {
    let driver = try builtProgram("lnote-driver")
    var launch = Launch("sh", ["-c", "exec 3<&0; \(driver.description) <&3 3<&- & wait"])
    launch.hasOwnGroup = true
    launch.input = .pipe
    launch.output = .pipe
    return try ChildProcess(launch)
  }

  @Test func endsWhenItsParentIsKilled() throws {
    let shell = try shellWithDriver()
    defer { _ = try? shell.end() }
    let lines = shell.lines()
    #expect(try lines.receive(until: .after(milliseconds: 20_000))?.starts(with: Array("{\"".utf8)) == true)
    // Only the shell; its input stays open, so that is not why the driver ends.
    shell.send(signal: SIGKILL)
    #expect(try lines.receive(until: .after(milliseconds: 20_000)) == nil)
    #expect(shell.input != nil)
  }

  @Test func staysWhileItsParentLives() throws {
    let shell = try shellWithDriver()
    defer { _ = try? shell.end() }
    let lines = shell.lines()
    #expect(try lines.receive(until: .after(milliseconds: 20_000)) != nil)
    #expect(throws: ProcessCallError("read", "", ETIMEDOUT)) { try lines.receive(until: .after(milliseconds: 50)) }
  }
}
