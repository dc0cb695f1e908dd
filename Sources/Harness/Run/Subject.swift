import LNoteStore
import Terminal

/// The store under test, as the harness sees it: a session in this process or a program of its own.
package protocol Subject: AnyObject {
  /// Asks one thing; nil where the store died before it answered, as it does at a power cut or a kill.
  func perform(_ command: NumberedCommand) throws(HarnessError) -> StoreAnswer?
  /// Ends the store at once, without a chance to save anything.
  func kill()
}

/// Trouble of the harness or its environment; never a verdict on the store.
package enum HarnessError: Error, Equatable, Sendable, CustomStringConvertible {
  /// A program that the harness needs cannot be started, or does not speak as agreed.
  case program(name: String, reason: String)
  /// A live step took longer than its limit.
  case timeLimit(step: String, seconds: Int)
  /// The disk under test cannot do what is asked.
  case disk(String)
  /// The scenario cannot be prepared: its documents could not be built.
  case preparation(String)
  /// It was asked to end before its end.
  case stopped
  /// It takes more steps than it may.
  case tooMuchWork(steps: Int)

  /// One sentence for a person.
  package var description: String {
    switch self {
    case .program(let name, let reason): "\(name): \(reason)"
    case .timeLimit(let step, let seconds): "'\(step)' took longer than \(seconds) s"
    case .disk(let reason): reason
    case .stopped: CrashPlan.stopped
    case .tooMuchWork(let steps): "it takes more than \(Figures.counted(steps, "step")), so that the rest is open"
    case .preparation(let reason): "the scenario's documents could not be built: \(reason)"
    }
  }
}

extension HarnessError {
  /// Runs `body`; what it throws becomes trouble of the program of this name, unless it is trouble already.
  static func inProgram<Value, Failure: Error>(
    _ name: String, _ body: () throws(Failure) -> Value
  ) throws(HarnessError) -> Value {
    do throws(Failure) {
      return try body()
    } catch {
      if let trouble = error as? HarnessError { throw trouble }
      throw .program(name: name, reason: "\(error)")
    }
  }

  /// Runs `body`; what it throws becomes trouble of the disk.
  static func onDisk<Value, Failure: Error>(_ body: () throws(Failure) -> Value) throws(HarnessError) -> Value {
    do throws(Failure) { return try body() } catch { throw .disk("\(error)") }
  }
}
