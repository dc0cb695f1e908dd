import JSON
import LNoteStore
import Processes

/// A store in a process of its own, asked over standard input and output by the driver protocol.
final class DriverSubject: Subject {
  private let name: String
  private let process: ChildProcess
  private let lines: LineChannel

  /// How long one step may take, in seconds.
  static let stepSecondsMax = 30

  /// Starts the driver and shakes hands.
  ///
  /// - Parameters:
  ///   - command: the program and its words.
  ///   - root: the library's folder, an absolute path of the host.
  init(_ command: [String], configuration: StoreConfiguration, root: String) throws(HarnessError) {
    name = command.first ?? "driver"
    var launch = Launch(name, Array(command.dropFirst()))
    launch.input = .pipe
    launch.output = .pipe
    launch.error = .inherited
    launch.hasOwnGroup = true
    launch.crashesQuietly = true
    do throws(ProcessCallError) {
      process = try ChildProcess(launch)
    } catch {
      throw .program(name: name, reason: "\(error)")
    }
    lines = process.lines()
    do throws(HarnessError) {
      try shakeHands(DriverStart(configuration: configuration, root: root))
    } catch {
      kill()
      throw error
    }
  }

  func perform(_ command: NumberedCommand) throws(HarnessError) -> StoreAnswer? {
    do throws(ProcessCallError) {
      try lines.send(command.wireValue.serialized(), until: DriverSubject.deadline)
    } catch {
      if error.isBrokenPipe { return nil }
      throw timeLimit(error, command)
    }
    let line: [UInt8]?
    do throws(ProcessCallError) {
      line = try lines.receive(until: DriverSubject.deadline)
    } catch {
      throw timeLimit(error, command)
    }
    guard let line else { return nil }
    let answer = try parse(line) { value throws(WireError) in try StoreAnswer.reading(wire: value) }
    guard answer.number == command.number else {
      throw .program(name: name, reason: "answered command \(answer.number) where \(command.number) was asked")
    }
    return answer
  }

  func kill() {
    do throws(ProcessCallError) { _ = try process.end() } catch {}
  }

  private static var deadline: Deadline { .after(milliseconds: stepSecondsMax * 1000) }

  private func timeLimit(_ error: ProcessCallError, _ command: NumberedCommand) -> HarnessError {
    error.isTimeout
      ? .timeLimit(step: command.command.word, seconds: DriverSubject.stepSecondsMax)
      : .program(name: name, reason: "\(error)")
  }

  private func shakeHands(_ start: DriverStart) throws(HarnessError) {
    let hello = try receive { value throws(WireError) in try DriverHello.reading(wire: value) }
    guard hello.protocolVersion == DriverHandshake.protocolVersion else {
      throw .program(
        name: name,
        reason: "speaks protocol \(hello.protocolVersion), this tool speaks \(DriverHandshake.protocolVersion)")
    }
    if let mutant = start.configuration.mutant, !hello.mutants.contains(mutant.name) {
      throw .program(name: name, reason: "has no seeded bug '\(mutant.name)'")
    }
    try HarnessError.inProgram(name) { () throws(ProcessCallError) in
      try lines.send(start.wireValue.serialized(), until: DriverSubject.deadline)
    }
    let readiness = try receive { value throws(WireError) in try DriverReadiness.reading(wire: value) }
    if case .refused(let reason) = readiness { throw .program(name: name, reason: reason) }
  }

  private func receive<Value>(_ read: (JSONValue) throws(WireError) -> Value) throws(HarnessError) -> Value {
    let line = try HarnessError.inProgram(name) { () throws(ProcessCallError) in
      try lines.receive(until: DriverSubject.deadline)
    }
    guard let line else { throw .program(name: name, reason: "ended before it said that it is ready") }
    return try parse(line, read)
  }

  private func parse<Value>(
    _ line: [UInt8], _ read: (JSONValue) throws(WireError) -> Value
  ) throws(HarnessError) -> Value {
    let value = try HarnessError.inProgram(name) { () throws(JSONError) in try JSONValue.parse(line) }
    return try HarnessError.inProgram(name) { () throws(WireError) in try read(value) }
  }
}
