import FileTracing
import Files
import JSON
import Processes

/// Why a server cannot be asked, or does not answer.
package enum ControlFailure: Error, Hashable, Sendable {
  /// Nobody listens at any of these sockets.
  case noServer([BytePath], reason: String)
  /// The connection has ended, or what came is none of our protocol.
  case broken(String)
}

/// A client's connection to the server of a mount. Every request is answered after it took effect.
package final class ControlConnection {
  /// What the server said of itself.
  package let greeting: ControlGreeting
  private let lines: LineChannel
  private var lastNumber = 0

  /// How long an answer may take that waits for nothing: writing out a tree or log takes its time.
  private static let answerMillisecondsMax = 600_000
  private static let greetingMillisecondsMax = 10_000

  /// Connects to the first of these sockets that answers.
  package init(_ sockets: [BytePath]) throws(ControlFailure) {
    var lines: LineChannel?
    var reason = "there is no socket for it"
    for socket in sockets where lines == nil {
      do throws(ProcessCallError) {
        lines = try LineChannel.connect(path: socket.bytes)
      } catch {
        reason = "\(error)"
      }
    }
    guard let lines else { throw .noServer(sockets, reason: reason) }
    self.lines = lines
    let line = try ControlConnection.receive(lines, until: .after(milliseconds: Self.greetingMillisecondsMax))
    do throws(ControlSyntaxError) {
      greeting = try ControlGreeting.read(line)
    } catch {
      throw .broken(error.description)
    }
  }

  /// Asks, and waits for the answer.
  package func ask(_ request: ControlRequest) throws(ControlFailure) -> ControlAnswer {
    lastNumber += 1
    do throws(ProcessCallError) {
      try lines.send(request.json(number: lastNumber).serialized())
    } catch {
      throw .broken("the server has ended")
    }
    let isWait = if case .wait = request { true } else { false }
    let line = try ControlConnection.receive(
      lines, until: isWait ? .never : .after(milliseconds: Self.answerMillisecondsMax))
    do throws(ControlSyntaxError) {
      let (number, answer) = try ControlAnswer.read(line)
      guard number == lastNumber else { throw ControlSyntaxError("answer \(number) to request \(lastNumber)") }
      return answer
    } catch {
      throw .broken(error.description)
    }
  }

  private static func receive(_ lines: LineChannel, until deadline: Deadline) throws(ControlFailure) -> JSONValue {
    let line: [UInt8]?
    do throws(ProcessCallError) {
      line = try lines.receive(until: deadline)
    } catch {
      throw .broken(error.isTimeout ? "the server does not answer" : "\(error)")
    }
    guard let line else { throw .broken("the server has ended") }
    do throws(JSONError) {
      return try JSONValue.parse(line)
    } catch {
      throw .broken("\(error)")
    }
  }
}
