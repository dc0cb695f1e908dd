/// Pages: links that lead somewhere, decisions with a number each.
enum DocumentRules {
  private static let link = Pattern(#"\]\(([^)[:space:]]+)\)"#)
  private static let mention = Pattern(#"(^|[^a-zA-Z0-9_/.-])(Docs/[a-zA-Z0-9_./-]*[a-zA-Z0-9_/])"#)

  /// Markdown links to files that are not there; `exists` is asked for paths relative to the package.
  static func linkFindings(path: String, text: String, exists: (String) -> Bool) -> [Finding] {
    let folder = path.split(separator: "/").dropLast().map(String.init)
    return lines(of: text).flatMap { number, line in
      link.found(in: line, group: 1).compactMap { found in
        let target = found.prefix { $0 != "#" }
        if target.isEmpty || target.contains("://") || target.hasPrefix("mailto:") { return nil }
        guard let resolved = resolve(String(target), in: folder), exists(resolved) else {
          return Finding(path: path, line: number, message: "the link \(target) leads nowhere")
        }
        return nil
      }
    }
  }

  /// Pages named in comments, texts and pages ("pages") that are not there.
  static func mentionFindings(path: String, text: String, exists: (String) -> Bool) -> [Finding] {
    guard mention.fits(text) else { return [] }
    return lines(of: text).flatMap { number, line in
      mention.found(in: line, group: 2).compactMap { page in
        exists(page) ? nil : Finding(path: path, line: number, message: "there is no \(page)")
      }
    }
  }

  /// Decisions whose name does not begin with a number of three digits of their own.
  static func decisionFindings(names: [String]) -> [Finding] {
    let folder = "Docs/inside/decisions"
    let numbered = names.filter { $0.wholeMatch(of: /[0-9]{3}-[a-z0-9-]+\.md/) != nil }
    let unnumbered = names.filter { !numbered.contains($0) }
    let numbers = numbered.map { $0.prefix(3) }
    let doubled = numbered.filter { name in numbers.filter { $0 == name.prefix(3) }.count > 1 }
    return unnumbered.map { Finding(path: "\(folder)/\($0)", line: 0, message: "name it 012-what-it-is-about.md") }
      + doubled.map { Finding(path: "\(folder)/\($0)", line: 0, message: "another decision has the same number") }
  }

  private static func lines(of text: String) -> [(Int, Substring)] {
    text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().map { ($0.offset + 1, $0.element) }
  }

  /// Nil where it leads out of the package.
  private static func resolve(_ target: String, in folder: [String]) -> String? {
    var parts = target.hasPrefix("/") ? [] : folder
    for part in target.split(separator: "/") {
      switch part {
      case ".": continue
      case "..": if parts.popLast() == nil { return nil }
      default: parts.append(String(part))
      }
    }
    return parts.joined(separator: "/")
  }
}
