import Files

/// Why a repair ended before its end; what was done up to there is safe.
package enum RepairFailure: Error, Hashable, Sendable {
  /// The system refused.
  case call(FileCallFailure, BytePath)
  /// Another program changed the file since it was surveyed.
  case changed(BytePath)

  init(_ error: FileCallError) { self = .call(FileCallFailure(error), error.paths.last ?? .root) }
}
