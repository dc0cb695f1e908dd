/// How a rename goes wrong on the medium. The caller is told that it succeeded, except by `doneButError`.
package enum TornRename: Hashable, Sendable {
  /// Source and target both name the new content.
  case bothNames
  /// Neither name exists.
  case neitherName
  /// The source is gone, the target holds 0 bytes.
  case targetEmpty
  /// The source is gone, the target has the full size and holds zeros.
  case targetZeros
  /// The source is gone, the target holds the first bytes only; nil for half of them.
  case targetPrefix(bytes: UInt64?)
  /// The source is gone, the target has the full size and zeros in every other block.
  case targetHoles
  /// The source is gone, the target is as before.
  case oldTarget
  /// The target is gone, the source is as before.
  case sourceOnly
  /// Nothing happened, and success was reported.
  case notDone
  /// It happened, and EIO was reported.
  case doneButError

  /// All ways, in the order of the documentation; `targetPrefix` at half.
  package static let all: [TornRename] = [
    .bothNames, .neitherName, .targetEmpty, .targetZeros, .targetPrefix(bytes: nil), .targetHoles, .oldTarget,
    .sourceOnly, .notDone, .doneButError,
  ]

  /// The word in scenarios and plans.
  package var name: String {
    switch self {
    case .bothNames: "both-names"
    case .neitherName: "neither-name"
    case .targetEmpty: "target-empty"
    case .targetZeros: "target-zeros"
    case .targetPrefix: "target-prefix"
    case .targetHoles: "target-holes"
    case .oldTarget: "old-target"
    case .sourceOnly: "source-only"
    case .notDone: "not-done"
    case .doneButError: "done-but-error"
    }
  }
}
