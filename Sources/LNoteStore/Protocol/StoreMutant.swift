/// A seeded bug of the store, to see that tests and checkers find it. Each is one switch in the code.
package enum StoreMutant: String, CaseIterable, Hashable, Sendable {
  case overwriteInPlace = "overwrite-in-place"
  case assetFileNotSynced = "asset-file-not-synced"
  case pageBeforeAsset = "page-before-asset"
  case loadFailureIsEmpty = "load-failure-is-empty"
  case replaceItem = "replace-item"
  case retryFsync = "retry-fsync"
  case cleansUnproven = "cleans-unproven"

  /// Every seeded bug, in the order of the documentation.
  package static let all: [StoreMutant] = allCases

  /// The word in scenarios and on the wire.
  package var name: String { rawValue }

  /// What the bug does, in one sentence.
  package var sentence: String {
    switch self {
    case .overwriteInPlace: "Saves cut the real file to nothing and write it anew, without a temporary file."
    case .assetFileNotSynced: "A picture's file is renamed into place without a sync of its own."
    case .pageBeforeAsset: "A picture's page is saved first, and the picture's file after it."
    case .loadFailureIsEmpty: "A page or document that cannot be read is shown empty, and saved so."
    case .replaceItem: "A save moves the old file over the new one, as a platform's replace call was seen to do."
    case .retryFsync: "After a failed sync the same file is synced again, and believed."
    case .cleansUnproven: "Pictures are cleaned away although a page that may use them could not be read."
    }
  }
}
