import FaultDisk
import FileTracing
import Files
import Processes

/// A request of a client that is answered when something happens.
struct ClientWait {
  /// The number of the wait on the disk.
  let wait: UInt64
  /// The number of the request.
  let number: Int
  let client: LineChannel
  let deadline: Deadline
}

// Waits: the disk says when one is over, and the others are served meanwhile.
extension MountServer {
  /// The moment at which the first wait has lasted long enough.
  var nextDeadline: Deadline { waits.reduce(.never) { $0.earlier(than: $1.deadline) } }

  /// Begins a wait; returns why it cannot.
  func beginWait(
    for what: ControlWait, _ milliseconds: UInt64?, _ number: Int, _ client: LineChannel
  ) -> ControlAnswer? {
    do throws(ControlRefusal) {
      let event = try event(what)
      let wait = try disk.withEngine { (engine: inout DiskEngine) throws(ControlRefusal) in
        try engine.beginWait(event)
      }
      let deadline = milliseconds.map { Deadline.after(milliseconds: Int(clamping: $0)) } ?? .never
      waits.append(ClientWait(wait: wait, number: number, client: client, deadline: deadline))
      return nil
    } catch {
      return .refused(error.description)
    }
  }

  private func event(_ what: ControlWait) throws(ControlRefusal) -> DiskEvent {
    switch what {
    case .fired(let rule): return .fired(rule: rule)
    case .mark(let text): return .mark(text)
    case .operation(let words, let since):
      guard let read = wishes.readFault else { throw ControlRefusal("this server cannot read the words of faults") }
      switch read("EIO on \(words)") {
      case .rule(let rule, _): return .operation(rule, since: since)
      case .wrong(let lines): throw ControlRefusal(lines)
      // "EIO on …" is the beginning of a fault.
      case .freeSpace(let bound): throw ControlRefusal("'\(bound.text)' is no operation")
      }
    }
  }

  /// Answers the waits that are over.
  func answerWaits() {
    guard !waits.isEmpty else { return }
    let ended = disk.withEngine { engine in
      engine.takeEndedWaits().map { end in (end, end.operation.flatMap { engine.record($0) }) }
    }
    for (end, record) in ended {
      guard let wait = take(end.wait) else { continue }
      let isInVain = end.operation == nil
      answer(wait, isInVain ? .refused("the rule was cleared before it fired") : .happened(record))
    }
    for wait in waits where wait.deadline.hasPassed {
      _ = take(wait.wait)
      answer(wait, .timedOut)
    }
  }

  private func answer(_ wait: ClientWait, _ answer: ControlAnswer) {
    // A client that is gone is let go where it is read.
    _ = send(answer.json(number: wait.number), to: wait.client)
  }

  private func take(_ number: UInt64) -> ClientWait? {
    guard let index = waits.firstIndex(where: { $0.wait == number }) else { return nil }
    disk.withEngine { $0.endWait(number) }
    return waits.remove(at: index)
  }

  /// Gives up what a client waits for, which is gone.
  func endWaits(of client: LineChannel) {
    for wait in waits where wait.client === client { _ = take(wait.wait) }
  }
}
