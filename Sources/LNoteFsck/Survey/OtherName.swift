import Files
import LNoteFormat

/// What a name in a package that is none of its own was meant to be.
enum OtherName {
  /// A spelling of one of the package's own names, or the name of a second copy; `unknown` for any other.
  static func read(_ path: BytePath) -> StrayFacts.Name {
    variant(path) ?? original(of: path.name.bytes, in: path.parent).map { .copy(of: $0, isSame: false) } ?? .unknown
  }

  // MARK: Spellings

  private static func variant(_ path: BytePath) -> StrayFacts.Name? {
    guard let text = path.name.exactText else { return nil }
    let read = PackageName.read(Array(plain(text).utf8), in: PackagePaths.folder(path.parent))
    switch read {
    case .page, .asset, .document, .manifest, .folder:
      guard let name = read.canonical, name != text else { return nil }
      let isCase = text.utf8.allSatisfy { $0 < 0x80 }
      return .variant(of: path.parent.appending(BytePath(name)), isCase ? .letterCase : .characters)
    default: return nil
    }
  }

  /// The text in lower case, without what is not seen, and with plain characters for those that look like them.
  private static func plain(_ text: String) -> String {
    var plain = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      let properties = scalar.properties
      if properties.isDefaultIgnorableCodePoint { continue }
      switch properties.generalCategory {
      case .nonspacingMark, .enclosingMark: continue
      case .dashPunctuation: plain.append("-")
      // The wide forms of ASCII.
      case _ where (0xFF01...0xFF5E).contains(scalar.value):
        plain.append(Unicode.Scalar(UInt8(scalar.value - 0xFEE0)))
      default: plain.append(scalar)
      }
    }
    return String(plain).lowercased()
  }

  // MARK: Second copies

  /// "X 2.content", "X (conflicted copy …).content", "X.sync-conflict-….content": the file that it is a copy of.
  private static func original(of name: [UInt8], in folder: BytePath) -> BytePath? {
    switch PackagePaths.folder(folder) {
    case .pages: identity(name, ".content").map { PackagePaths.page($0) }
    case .assets: identity(name, ".jpg").map { PackagePaths.asset($0) }
    case .thumbnails: identity(name, ".jpg").map { PackagePaths.thumbnail($0) }
    default:
      [PackagePaths.document, PackagePaths.manifest].first { record in
        let stem = record.name.bytes.dropLast(ending.count)
        return name.starts(with: stem) && isCopied(name.dropFirst(stem.count), ending)
      }
    }
  }

  private static let ending = Array(".json".utf8)

  private static func identity(_ name: [UInt8], _ ending: String) -> NoteID? {
    guard name.count > 36, isCopied(name.dropFirst(36), Array(ending.utf8)) else { return nil }
    return NoteID(String(decoding: name.prefix(36), as: UTF8.self))
  }

  /// True for an ending with something before it that no letter or digit begins, as in " 2.json".
  private static func isCopied(_ rest: ArraySlice<UInt8>, _ ending: [UInt8]) -> Bool {
    guard rest.count > ending.count, rest.suffix(ending.count).elementsEqual(ending), let first = rest.first else {
      return false
    }
    let text = Unicode.Scalar(first).properties
    return !(first < 0x80 && (text.isAlphabetic || text.numericType != nil))
  }
}
