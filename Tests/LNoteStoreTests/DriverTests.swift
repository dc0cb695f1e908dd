import Files
import Glibc
import JSON
import LNoteFormat
import Processes
import TestSupport
import Testing

@testable import LNoteStore

/// The store as a process, spoken to as any caller would.
@Suite(.serialized) struct DriverTests {
  static let patience = 30_000

  final class Driver {
    let process: ChildProcess
    // Let go at the end: the channel holds the driver's input open.
    private var lines: LineChannel?
    private var number: UInt64 = 0

    init(_ arguments: [String] = []) throws {
      var launch = Launch(program: try builtProgram("lnote-driver").bytes, arguments: arguments.map { Array($0.utf8) })
      launch.input = .pipe
      launch.output = .pipe
      launch.error = .nothing
      process = try ChildProcess(launch)
      lines = process.lines()
    }

    func receive() throws -> JSONValue {
      let line = try #require(try lines?.receive(until: .after(milliseconds: DriverTests.patience)))
      return try JSONValue.parse(line)
    }

    func send(_ line: [UInt8]) throws { try lines?.send(line) }

    func start(root: String?, durability: Durability = .full) throws -> DriverReadiness {
      #expect(try DriverHello.reading(wire: receive()) == .own)
      let configuration = StoreConfiguration(durability: durability, now: Stage.now, seed: 7)
      try send(DriverStart(configuration: configuration, root: root).wireValue.serialized())
      return try DriverReadiness.reading(wire: receive())
    }

    func answer(_ command: StoreCommand) throws -> StoreAnswer {
      number += 1
      try send(NumberedCommand(number, command).wireValue.serialized())
      return try StoreAnswer.reading(wire: receive())
    }

    func end() throws -> ProcessEnding? {
      lines = nil
      process.closeInput()
      return try process.wait(milliseconds: DriverTests.patience)
    }
  }

  @Test func anEditingSession() throws {
    let folder = try TemporaryDirectory("driver")
    let driver = try Driver()
    #expect(try driver.start(root: folder.text) == .ready)
    let reference = Stage(drawsThumbnails: true)
    for command in DurabilityTests.script {
      #expect(try driver.answer(command) == reference.answer(command), "\(command.word)")
    }
    #expect(try driver.end() == .exited(0))
    // The process on the host and the session on a disk in memory leave the same bytes.
    let host = try folder.volume()
    let tree = try host.tree()
    #expect(try tree == reference.look.tree())
    for path in tree where try host.status(at: path).kind == .regular {
      #expect(try host.bytes(of: path) == reference.bytes(path), "\(path)")
    }
  }

  @Test func linesThatAreNoCommands() throws {
    let folder = try TemporaryDirectory("driver")
    let driver = try Driver(["--root", folder.text])
    #expect(try driver.start(root: nil) == .ready)
    for (line, number) in [("hello", UInt64(0)), ("{}", 0), (#"{"number":5,"do":"save"}"#, 5)] {
      try driver.send(Array(line.utf8))
      let answer = try StoreAnswer.reading(wire: driver.receive())
      #expect(answer.number == number)
      #expect(answer.failures.map(\.kind) == [.invalid])
    }
    #expect(try driver.answer(.list).payload == .library([]))
    #expect(try driver.end() == .exited(0))
  }

  @Test func beginningsThatAreRefused() throws {
    let folder = try TemporaryDirectory("driver")
    for (line, status) in [
      ("hello", 2), (#"{"protocol":2}"#, 2),
      (#"{"protocol":1,"engine":"snapshot","durability":"full","now":1,"seed":1}"#, 2),
      (#"{"protocol":1,"engine":"snapshot","durability":"full","now":1,"seed":1,"root":"\#(folder.text)/no"}"#, 4),
    ] {
      let driver = try Driver()
      _ = try driver.receive()
      try driver.send(Array(line.utf8))
      guard case .refused = try DriverReadiness.reading(wire: driver.receive()) else { return #expect(Bool(false)) }
      #expect(try driver.process.wait(milliseconds: DriverTests.patience) == .exited(status), "\(line)")
    }
  }

  @Test func anUnknownOptionIsAUsageError() throws {
    let driver = try Driver(["--rot", "/x"])
    #expect(try driver.process.wait(milliseconds: DriverTests.patience) == .exited(2))
  }

  @Test func theEndOfTheInputEndsItAndGivesTheLockBack() throws {
    let folder = try TemporaryDirectory("driver")
    let first = try Driver()
    #expect(try first.start(root: folder.text) == .ready)
    #expect(try first.answer(.createDocument(Stage.document, title: "A")).failures == [])
    let second = try Driver()
    #expect(try second.start(root: folder.text) == .ready)
    let refused = try second.answer(.open(Stage.document))
    #expect(refused.failures.map(\.kind) == [.locked])
    #expect(refused.failures.first?.message.contains("process \(first.process.id)") == true)
    #expect(try first.end() == .exited(0))
    #expect(try second.answer(.open(Stage.document)).failures == [])
    #expect(try second.end() == .exited(0))
  }

  @Test func itEndsWithItsParent() throws {
    let folder = try TemporaryDirectory("driver")
    try folder.makeFIFO(at: "in")
    // Open for writing too, so that the driver never sees the end of its input.
    let input = Descriptor(open(folder.text + "/in", O_RDWR | O_CLOEXEC))
    #expect(input.number >= 0)
    var launch = Launch(
      "/bin/sh",
      ["-c", #""$0" --root "$1" <"$1/in" & wait"#, try builtProgram("lnote-driver").description, folder.text])
    launch.input = .pipe
    launch.output = .pipe
    launch.error = .nothing
    let shell = try ChildProcess(launch)
    let lines = shell.lines()
    let hello = try #require(try lines.receive(until: .after(milliseconds: DriverTests.patience)))
    #expect(try DriverHello.reading(wire: JSONValue.parse(hello)) == .own)
    shell.send(signal: SIGKILL)
    // The driver holds the other end of its output until it ends.
    #expect(try lines.receive(until: .after(milliseconds: DriverTests.patience)) == nil)
    _ = try shell.end()
  }
}
