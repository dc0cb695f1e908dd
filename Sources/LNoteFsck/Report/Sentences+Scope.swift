import Files
import Rendering
import Terminal

/// What was looked at and what was not, and what follows for the words of a finding.
extension Sentences {
  static let contentNotRead = "Its content was not read: a check without --quick says what can be saved of it."

  static func longerThanItSays(_ what: String, by bytes: UInt64) -> String {
    "\(what) is longer than its header says: by \(Sentences.bytes(bytes))."
  }

  static func newerThanKnown(_ what: String) -> String { "\(what) is newer than the document knows." }

  static func notListed(_ path: BytePath) -> String {
    "\(path) is a page that the document does not list; nobody can open it."
  }

  static func leftoverNotRead(_ file: String) -> String {
    "A temporary file was left behind: \(file). It was not read."
  }

  static func image(of kind: ImageKind) -> String {
    switch kind {
    case .unknown: "no picture of a known kind"
    case .jpeg: "a damaged JPEG"
    default: "a picture of the kind \(kind.rawValue.uppercased())"
    }
  }

  static func tooManyPixels(_ what: String, _ size: String) -> String {
    "\(what) is too large to be decoded here: \(size). Its bytes are what was inserted."
  }

  static func insertedLikeThis(_ what: String, _ state: String) -> String {
    "\(what) is \(state), and was when it was inserted: its bytes are those that the page knows."
  }

  static func shown(_ percent: Int) -> String {
    percent == 100 ? "All of it can be shown." : "Of the picture the upper \(percent) % can be shown."
  }
}

extension RunReport {
  /// The scope of a verdict that found nothing.
  var soundScope: String {
    switch level {
    case .quick:
      return "Pages and images were not read: names, document.json, manifest.json, the headers of pages and sizes "
        + "agree. A check without --quick reads the rest."
    case .default:
      let images = verified.images == 0 ? "" : " Whether images can also be decoded is checked with --deep."
      return "Every page and image was read, and every byte agrees with its checksum.\(images)"
    case .deep:
      let images = verified.images == 0 ? "" : " Every image was decoded."
      return "Every page and image was read, and every byte agrees with its checksum.\(images)"
    }
  }

  /// What is to be said of the scope where something was found; nothing where all was looked at as it always is.
  var scope: [String] {
    switch level {
    case .quick: ["Pages and images were not read: names, headers and sizes were looked at."]
    case .default: []
    case .deep: ["\(Figures.counted(Int(clamping: verified.imagesDecoded), "image was", "images were")) decoded."]
    }
  }
}
