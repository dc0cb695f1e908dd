import FileTracing
import JSON
import Processes

/// Talks to the server of a mount over its private control socket.
///
/// Every request is answered after it took effect.
package final class ControlClient {
  private let lines: LineChannel
  private var number = 0
  /// The process that serves the mount.
  package let server: Int32

  /// How long an answer may take, in milliseconds.
  private static let answerMillisecondsMax = 30_000

  /// Connects to the socket at this path and reads the greeting.
  package init(socket: [UInt8]) throws(HarnessError) {
    let lines = try HarnessError.inProgram("faultfs") { () throws(ProcessCallError) in
      try LineChannel.connect(path: socket)
    }
    self.lines = lines
    let greeting = try ControlClient.receive(lines)
    server = try HarnessError.inProgram("faultfs") { () throws(ControlSyntaxError) in
      try ControlGreeting.read(greeting).server
    }
  }

  /// Asks, and waits for the answer; a refusal is thrown as `HarnessError.disk`.
  @discardableResult
  package func ask(_ request: ControlRequest) throws(HarnessError) -> ControlAnswer {
    number += 1
    try HarnessError.inProgram("faultfs") { () throws(ProcessCallError) in
      try lines.send(request.json(number: number).serialized(), until: ControlClient.deadline)
    }
    let line = try ControlClient.receive(lines)
    let (answered, answer) = try HarnessError.inProgram("faultfs") { () throws(ControlSyntaxError) in
      try ControlAnswer.read(line)
    }
    if answered != number {
      throw .program(name: "faultfs", reason: "answered request \(answered) where \(number) was asked")
    }
    if case .refused(let sentence) = answer { throw .disk(sentence) }
    return answer
  }

  private static var deadline: Deadline { .after(milliseconds: answerMillisecondsMax) }

  private static func receive(_ lines: LineChannel) throws(HarnessError) -> JSONValue {
    let line = try HarnessError.inProgram("faultfs") { () throws(ProcessCallError) in
      try lines.receive(until: deadline)
    }
    guard let line else { throw .program(name: "faultfs", reason: "the server of the mount has ended") }
    return try HarnessError.inProgram("faultfs") { () throws(JSONError) in try JSONValue.parse(line) }
  }
}
