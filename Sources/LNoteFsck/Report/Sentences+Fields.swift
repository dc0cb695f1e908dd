import Files
import JSON
import LNoteFormat
import Terminal

/// Single fields of `document.json`, in the user's words.
extension Sentences {
  /// A field of no use, for which the app cannot read the document.
  static func unreadable(_ kind: ProblemKind, _ faults: [RecordFault]) -> String {
    let what =
      switch kind {
      case .badCanvas: "the size of \(Figures.counted(faults.count, "page"))"
      case .badTitle: "the title"
      default: Figures.counted(faults.count, "time")
      }
    let place = faults.first.map { ": \($0)" } ?? ""
    return "document.json says nothing of use about \(what)\(place). The app may not be able to open the document."
  }

  /// "page 3", "pages 1, 4 and 7", the first few where they are many; "" for none.
  static func somePages(_ numbers: [Int]) -> String { String(which(numbers).dropFirst(2)) }

  static func controls(_ count: Int) -> String { Figures.counted(count, "control character") }

  /// The first few names of fields.
  static func fields(_ names: [String], most: Int = 3) -> String {
    let shown = names.prefix(most).map { "\"\($0)\"" }
    return names.count > most
      ? "\(shown.joined(separator: ", ")) and \(grouped(UInt64(names.count - most))) more" : list(shown)
  }

  /// What makes a JSON text ambiguous; nil where it is no JSON at all.
  static func anomaly(_ error: JSONError) -> String? {
    let place = "at byte \(grouped(UInt64(max(0, error.offset))))"
    return switch error.kind {
    case .duplicateKey: "says one thing twice, \(place)"
    case .byteOrderMark: "begins with a mark that does not belong to it"
    case .notUTF8: "holds bytes that are no text, \(place)"
    case .tooDeep: "holds lists within lists beyond all measure, \(place)"
    case .numberOutOfRange: "holds a number that is too large, \(place)"
    case .syntax, .endsEarly, .trailing, .zeroCharacter, .tooLong: nil
    }
  }

  static func areWhole(_ count: Int) -> String { Figures.counted(count, "page file is", "page files are") }

  static func isArriving(_ paths: [BytePath]) -> String {
    paths.isEmpty
      ? "Files of it were written just now: it may still be arriving. Wait a minute, then check again."
      : "Something is still arriving: \(some(paths)). Wait until the sync or the copy is done, then check again."
  }
}
