import Harness
import Scenarios

/// A value in a line of a scenario that others can take the place of: the 400 of "points 400".
struct ScenarioArgument: Hashable {
  /// The line, from 0.
  let line: Int
  /// The place of the value among what blanks part in the line.
  let word: Int
  /// What it is: "number of points".
  let what: String
  /// What can stand there, none of it what does.
  let others: [String]

  /// The arguments of a text, a step a line.
  ///
  /// What is expected is none, nor how much of a sweep is gone through, nor what gives a failure its name.
  ///
  /// - Parameter pages: how the pages are called that the documents begin with.
  static func all(of lines: [String], pages: [String]) -> [ScenarioArgument] {
    lines.indices.dropFirst().flatMap { line -> [ScenarioArgument] in
      let words = words(lines[line])
      guard let first = words.first(where: { !$0.isEmpty }), !other.contains(first), !first.hasPrefix("#") else {
        return []
      }
      var isQuoted = false
      return words.indices.compactMap { place in
        let isInText = isQuoted || words[place].contains("\"")
        if !words[place].count(where: { $0 == "\"" }).isMultiple(of: 2) { isQuoted.toggle() }
        if isInText || place == 0 { return nil }
        if pages.contains(words[place]), first != "page", first != "document" {
          let others = pages.filter { $0 != words[place] }
          return ScenarioArgument(line: line, word: place, what: "page", others: others)
        }
        guard let kind = kinds[words[place - 1]] else { return nil }
        return ScenarioArgument(line: line, word: place, what: kind.what, others: kind.others(words[place]))
      }
    }.filter { !$0.others.isEmpty }
  }

  /// Lines with these words in front have no arguments.
  private static let other: Set<String> = [
    "expect", "scenario", "seed", "budget", "param", "for", "note", "sometimes", "title", "tags", "issue",
  ]

  /// The line with another value; a comma or semicolon behind the old one stays.
  func line(_ old: String, with value: String) -> String {
    var words = Self.words(old)
    words[word] = value + words[word].drop { $0 != "," && $0 != ";" }
    return words.joined(separator: " ")
  }

  private static func words(_ line: String) -> [String] {
    line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
  }

  // MARK: Kinds

  /// What stands behind a word.
  private struct Kind {
    /// What it is.
    let what: String
    /// The largest number that is tried, whatever its unit.
    var most = 21

    /// Numbers near and far: each is the sum of the two before it.
    private static let numbers = [1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377, 610, 987]
    /// Units in which a large number would be too much to run.
    private static let large = ["MiB", "GiB", "min", "h"]

    /// Other values than this one, in its unit.
    func others(_ value: String) -> [String] {
      let plain = String(value.prefix { $0 != "," && $0 != ";" })
      let unit = String(plain.drop { ($0.isASCII && $0.isNumber) || $0 == "." })
      guard plain.first?.isNumber == true, unit.allSatisfy(\.isLetter) else { return [] }
      let most = Self.large.contains(unit) ? 3 : most
      return Self.numbers.filter { $0 <= most }.map { "\($0)\(unit)" }.filter { $0 != plain }
    }
  }

  private static let kinds = [
    "points": Kind(what: "number of points", most: 987), "strokes": Kind(what: "number of strokes"),
    "last": Kind(what: "number of strokes"), "images": Kind(what: "number of images"),
    "size": Kind(what: "size", most: 987), "by": Kind(what: "distance", most: 987), "width": Kind(what: "width"),
    "wait": Kind(what: "time", most: 987), "slow": Kind(what: "time", most: 987),
    "free-space": Kind(what: "room", most: 987), "short-write": Kind(what: "size", most: 987),
    "repeat": Kind(what: "number of rounds"), "to": Kind(what: "place"),
    "nth": Kind(what: "turn"),
  ]
}
