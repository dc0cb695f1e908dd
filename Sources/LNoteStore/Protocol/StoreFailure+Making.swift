import Files
import LNoteFormat

extension StoreFailure {
  /// A failed call, with what the store was doing: "Page … could not be saved".
  init(_ error: FileCallError, _ doing: String, then advice: String) {
    self.init(kind: .fileCall, call: error.call, errno: error.errno, message: "\(doing): \(error). \(advice)")
  }

  static func saving(_ what: String, _ error: FileCallError) -> StoreFailure {
    StoreFailure(error, "\(what) could not be saved", then: "The changes are kept in memory and will be tried again.")
  }

  static func reading(_ what: String, _ error: FileCallError) -> StoreFailure {
    StoreFailure(error, "\(what) could not be read", then: "Nothing was changed.")
  }

  static func damaged(_ what: String, _ why: String) -> StoreFailure {
    StoreFailure(
      kind: .damaged, message: "\(what) \(why). Nothing was changed. Run lnote-fsck on the document to see more.")
  }

  static func invalid(_ message: String) -> StoreFailure { StoreFailure(kind: .invalid, message: message) }

  static func notFound(_ message: String) -> StoreFailure { StoreFailure(kind: .notFound, message: message) }

  static func exists(_ message: String) -> StoreFailure { StoreFailure(kind: .exists, message: message) }

  static func tooLarge(_ message: String) -> StoreFailure { StoreFailure(kind: .tooLarge, message: message) }
}
