import JSON
import LNoteStore
import Processes

/// A store in a process of its own, asked over standard input and output by the driver protocol.
final class DriverSubject: Subject {
  private let name: String
  private let process: ChildProcess
  private let lines: LineChannel
  private let stepSecondsMax: Int
  private var hello: DriverHello

  /// Starts the driver and hears its greeting: it is there, and speaks our protocol.
  ///
  /// - Parameter programs: the driver with its words, and how long it may take.
  init(_ programs: Programs) throws(HarnessError) {
    name = programs.driver.joined(separator: " ")
    stepSecondsMax = programs.stepSecondsMax
    var launch = Launch(programs.driver.first ?? "lnote-driver", Array(programs.driver.dropFirst()))
    launch.input = .pipe
    launch.output = .pipe
    launch.error = .inherited
    launch.hasOwnGroup = true
    launch.crashesQuietly = true
    do throws(ProcessCallError) {
      process = try ChildProcess(launch)
    } catch {
      throw .program(name: name, reason: "this driver cannot be started (\(error))")
    }
    lines = process.lines()
    hello = DriverHello(name: "", protocolVersion: 0, engines: [], mutants: [])
    try endingOnTrouble { () throws(HarnessError) in
      hello = try receive { value throws(WireError) in try DriverHello.reading(wire: value) }
      guard hello.protocolVersion == DriverHandshake.protocolVersion else {
        throw .program(
          name: name,
          reason: "speaks protocol \(hello.protocolVersion), this tool speaks \(DriverHandshake.protocolVersion)")
      }
    }
  }

  /// Tells it which library to serve; once, before the first command.
  ///
  /// - Parameter root: the library's folder, an absolute path of the host.
  func begin(_ configuration: StoreConfiguration, root: String) throws(HarnessError) {
    try endingOnTrouble { () throws(HarnessError) in
      if let mutant = configuration.mutant, !hello.mutants.contains(mutant.name) {
        throw .program(name: name, reason: "has no seeded bug '\(mutant.name)'")
      }
      try HarnessError.inProgram(name) { () throws(ProcessCallError) in
        try lines.send(DriverStart(configuration: configuration, root: root).wireValue.serialized(), until: deadline)
      }
      let readiness = try receive { value throws(WireError) in try DriverReadiness.reading(wire: value) }
      if case .refused(let reason) = readiness { throw .program(name: name, reason: reason) }
    }
  }

  func perform(_ command: NumberedCommand) throws(HarnessError) -> StoreAnswer? {
    do throws(ProcessCallError) {
      try lines.send(command.wireValue.serialized(), until: deadline)
    } catch {
      if error.isBrokenPipe { return nil }
      throw timeLimit(error, command)
    }
    let line: [UInt8]?
    do throws(ProcessCallError) {
      line = try lines.receive(until: deadline)
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

  private var deadline: Deadline { .after(milliseconds: stepSecondsMax * 1000) }

  private func timeLimit(_ error: ProcessCallError, _ command: NumberedCommand) -> HarnessError {
    error.isTimeout
      ? .timeLimit(step: command.command.word, seconds: stepSecondsMax)
      : .program(name: name, reason: "\(error)")
  }

  private func endingOnTrouble(_ work: () throws(HarnessError) -> Void) throws(HarnessError) {
    do throws(HarnessError) {
      try work()
    } catch {
      kill()
      throw error
    }
  }

  private func receive<Value>(_ read: (JSONValue) throws(WireError) -> Value) throws(HarnessError) -> Value {
    let line: [UInt8]?
    do throws(ProcessCallError) {
      line = try lines.receive(until: deadline)
    } catch {
      throw .program(
        name: name, reason: error.isTimeout ? "did not answer the greeting within \(stepSecondsMax) s" : "\(error)")
    }
    guard let line else { throw .program(name: name, reason: "ended before it said that it is ready") }
    return try parse(line, read)
  }

  private func parse<Value>(
    _ line: [UInt8], _ read: (JSONValue) throws(WireError) -> Value
  ) throws(HarnessError) -> Value {
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONValue.parse(line)
    } catch {
      throw .program(name: name, reason: "answered with a line that is no JSON (\(error))")
    }
    do throws(WireError) {
      return try read(value)
    } catch {
      throw .program(name: name, reason: "answered against the protocol: \(error)")
    }
  }
}
