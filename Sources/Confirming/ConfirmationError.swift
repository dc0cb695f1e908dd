import Files
import Processes

/// Why nothing can be said about the running kernel.
package struct ConfirmationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A sentence without a full stop.
  package let description: String

  init(_ description: String) { self.description = description }

  init(_ error: FileCallError) { self.init("\(error)") }

  init(_ call: String, _ name: String) { self.init("\(call) \(name): \(Errno.current)") }
}

/// What a call answered, or the reason for which it failed.
@discardableResult
func checked(
  _ call: String, _ name: @autoclosure () -> String, _ result: CInt
) throws(ConfirmationError) -> CInt {
  guard result >= 0 else { throw ConfirmationError(call, name()) }
  return result
}

/// Does what files may refuse.
func reaching<Answer>(
  _ body: () throws(FileCallError) -> Answer
) throws(ConfirmationError) -> Answer {
  do throws(FileCallError) {
    return try body()
  } catch {
    throw ConfirmationError(error)
  }
}
