/// A seeded bug of the store, to see that tests and checkers find it. Each is one switch in the code.
package enum StoreMutant: String, CaseIterable, Hashable, Sendable {
  case overwriteInPlace = "overwrite-in-place"
  case assetFileNotSynced = "asset-file-not-synced"
  case pageBeforeAsset = "page-before-asset"
  case loadFailureIsEmpty = "load-failure-is-empty"
  case replaceItem = "replace-item"
  case retryFsync = "retry-fsync"
  case cleansUnproven = "cleans-unproven"
  case renameAwayFirst = "rename-away-first"
  case syncedAfterRename = "synced-after-rename"
  case directoryNotSynced = "directory-not-synced"
  case syncErrorIgnored = "sync-error-ignored"
  case shortWriteBelieved = "short-write-believed"
  case temporaryNameShared = "temporary-name-shared"
  case temporaryLeftBehind = "temporary-left-behind"
  case documentBeforePages = "document-before-pages"
  case manifestBeforeDocument = "manifest-before-document"
  case pageRemovedFirst = "page-removed-first"
  case generationReused = "generation-reused"
  case saveErrorSwallowed = "save-error-swallowed"
  case failedSaveForgets = "failed-save-forgets"
  case flushSavesOnePage = "flush-saves-one-page"
  case closeWithoutSave = "close-without-save"
  case undoNotSaved = "undo-not-saved"
  case assetNamedBySize = "asset-named-by-size"

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
    case .renameAwayFirst: "The old file is moved out of the way, and then the new one into its place."
    case .syncedAfterRename: "A file is synced behind the rename that puts it in its place, not in front of it."
    case .directoryNotSynced: "Files are synced, and the directories that they were renamed in are not."
    case .syncErrorIgnored: "A sync that fails is taken for one that succeeded."
    case .shortWriteBelieved: "A write that took only a part of the bytes is taken for all of them."
    case .temporaryNameShared: "All saves into a folder go through one temporary file of the same name."
    case .temporaryLeftBehind: "What a failed save wrote stays behind as a temporary file."
    case .documentBeforePages: "The document lists a new page before the page's file is there."
    case .manifestBeforeDocument: "The library's entry is saved before the document that it mirrors."
    case .pageRemovedFirst: "A deleted page's file is removed while the document still lists the page."
    case .generationReused: "A page is saved anew under the number that its last version had."
    case .saveErrorSwallowed: "A page that could not be saved counts as saved, and nobody is told."
    case .failedSaveForgets: "A page that could not be saved is thrown away and read again from its file."
    case .flushSavesOnePage: "Of several changed pages only the one that was drawn on last is saved."
    case .closeWithoutSave: "Closing a document does not save what the autosave has not reached yet."
    case .undoNotSaved: "What is taken back or made again does not count as a change, so it is not saved."
    case .assetNamedBySize: "A picture's file is named by its size, so two pictures of one size share a file."
    }
  }
}
