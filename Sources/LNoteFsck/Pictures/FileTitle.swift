import Files

/// Names of files made from titles: valid on every file system, and readable.
package enum FileTitle {
  // A name has 255 bytes at the most nearly everywhere; what is left is for the number and the ending.
  private static let bytesMax = 200
  private static let unsafe = Set("/\\:*?\"<>|")

  /// The names to try in order: "Physics 3.pdf", "Physics 3 (2).pdf", and so on.
  ///
  /// - Parameter fallback: what stands in for a title of which nothing is left.
  package static func names(for title: String?, otherwise fallback: String, ending: String) -> [BytePath] {
    let safe = safe(title ?? "")
    let stem = safe.isEmpty ? fallback : safe
    return (1...NewFile.namesMax).map { BytePath($0 == 1 ? "\(stem).\(ending)" : "\(stem) (\($0)).\(ending)") }
  }

  /// The title without what a name must not hold.
  static func safe(_ title: String) -> String {
    var name = ""
    for character in title {
      let isControl = character.unicodeScalars.contains { scalar in
        [.control, .format, .surrogate, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
          && scalar != "\u{200D}"
      }
      let next = isControl || unsafe.contains(character) ? "_" : String(character)
      if name.utf8.count + next.utf8.count > bytesMax { break }
      name += next
    }
    // A dot in front hides a file, one at the end is lost on Windows.
    let trimmed = name.drop { $0 == "." || $0.isWhitespace }
    return String(trimmed.reversed().drop { $0 == "." || $0.isWhitespace }.reversed())
  }
}
