import FileTracing
import JSON
import Processes

/// Talks to the server of a mount over its private control socket; every request is answered after it took effect.
package final class ControlClient {
  private let lines: LineChannel
  private var number = 0
  /// The process that serves the mount.
  package let server: Int32

  /// How long an answer may take, in milliseconds.
  private static let answerMillisecondsMax = 30_000

  /// Connects to the socket at this path and reads the greeting.
  package init(socket: [UInt8]) throws(HarnessError) {
    do throws(ProcessCallError) {
      lines = try SocketConnection.connect(to: socket)
    } catch {
      throw .program(name: "faultfs", reason: "\(error)")
    }
    let greeting = try ControlClient.receive(lines)
    do throws(ControlSyntaxError) {
      server = try ControlGreeting.read(greeting).server
    } catch {
      throw .program(name: "faultfs", reason: error.description)
    }
  }

  /// Asks, and waits for the answer; a refusal is thrown as `HarnessError.disk`.
  @discardableResult
  package func ask(_ request: ControlRequest) throws(HarnessError) -> ControlAnswer {
    number += 1
    do throws(ProcessCallError) {
      try lines.send(request.json(number: number).serialized(), until: ControlClient.deadline)
    } catch {
      throw .program(name: "faultfs", reason: "\(error)")
    }
    let line = try ControlClient.receive(lines)
    do throws(ControlSyntaxError) {
      let (answered, answer) = try ControlAnswer.read(line)
      if answered != number { throw ControlSyntaxError("answer \(answered) came for request \(number)") }
      if case .refused(let sentence) = answer { throw HarnessError.disk(sentence) }
      return answer
    } catch let error as ControlSyntaxError {
      throw .program(name: "faultfs", reason: error.description)
    } catch let error as HarnessError {
      throw error
    } catch {
      throw .program(name: "faultfs", reason: "\(error)")
    }
  }

  private static var deadline: Deadline { .after(milliseconds: answerMillisecondsMax) }

  private static func receive(_ lines: LineChannel) throws(HarnessError) -> JSONValue {
    do {
      guard let line = try lines.receive(until: deadline) else {
        throw HarnessError.program(name: "faultfs", reason: "the server of the mount has ended")
      }
      return try JSONValue.parse(line)
    } catch let error as HarnessError {
      throw error
    } catch {
      throw .program(name: "faultfs", reason: "\(error)")
    }
  }
}
