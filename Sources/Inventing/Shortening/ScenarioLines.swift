/// The text of a scenario, a step a line, as what can be left out of it.
struct ScenarioLines: Hashable {
  /// The lines, as the printer writes them.
  var lines: [String]

  /// The lines of a text.
  init(_ text: String) { lines = text.split(separator: "\n", omittingEmptySubsequences: true).map(String.init) }

  /// The text, with an empty line behind the first.
  var text: String { (lines.prefix(1) + [""] + lines.dropFirst()).joined(separator: "\n") + "\n" }

  /// What stands side by side: steps and whole blocks, those in blocks as lists of their own. The first line is none.
  var lists: [[Range<Int>]] {
    var lists: [[Range<Int>]] = []
    var waiting = [1..<max(1, lines.count)]
    while let range = waiting.popLast() {
      var units: [Range<Int>] = []
      var line = range.lowerBound
      while line < range.upperBound {
        let unit = unit(at: line)
        units.append(unit)
        waiting += insides(of: unit)
        line = unit.upperBound
      }
      if !units.isEmpty { lists.append(units) }
    }
    return lists
  }

  /// So many neighbours that can be left out together, the last first.
  func neighbours(_ count: Int) -> [Range<Int>] {
    lists.flatMap { units in
      units.indices.dropLast(count - 1).map { units[$0].lowerBound..<units[$0 + count - 1].upperBound }
    }.sorted { $0.lowerBound > $1.lowerBound }
  }

  /// Blocks that can be taken off their steps, the last first: no sweeps, and no documents.
  var wrappings: [Range<Int>] {
    lists.flatMap { $0 }.filter { unit in
      unit.count > 1 && parts(of: unit).count == 1 && !isPart(lines[unit.lowerBound], ["document", "define"])
    }.sorted { $0.lowerBound > $1.lowerBound }
  }

  /// The sweeps over crashes: the line, the lines in it, and those of its check.
  var crashSweeps: [(whole: Range<Int>, body: Range<Int>, check: Range<Int>)] {
    lists.flatMap { $0 }.compactMap { unit in
      let parts = parts(of: unit)
      guard isPart(lines[unit.lowerBound], ["for each crash"]), parts.count == 2 else { return nil }
      return (unit, parts[0], parts[1])
    }
  }

  /// The same without these lines.
  func without(_ range: Range<Int>) -> ScenarioLines {
    var shorter = self
    shorter.lines.removeSubrange(range)
    return shorter
  }

  /// The same with the steps of a block in its place.
  func unwrapped(_ unit: Range<Int>) -> ScenarioLines {
    var shorter = self
    shorter.lines.remove(at: unit.upperBound - 1)
    shorter.lines.remove(at: unit.lowerBound)
    return shorter
  }

  // MARK: Blocks

  /// A step, or a block to its end; a sweep ends with its check.
  private func unit(at line: Int) -> Range<Int> {
    var end = blockEnd(at: line)
    while end < lines.count, isPart(lines[end], ["check {", "then {"]) { end = blockEnd(at: end) }
    return line..<end
  }

  private func blockEnd(at line: Int) -> Int {
    guard lines[line].hasSuffix("{") else { return line + 1 }
    let indent = lines[line].prefix { $0 == " " }
    let close = lines[line...].firstIndex(of: indent + "}")
    return (close ?? line) + 1
  }

  /// The lines in the blocks of a unit, one after the other.
  private func parts(of unit: Range<Int>) -> [Range<Int>] {
    var parts: [Range<Int>] = []
    var line = unit.lowerBound
    while line < unit.upperBound {
      let end = blockEnd(at: line)
      if end > line + 1 { parts.append((line + 1)..<(end - 1)) }
      line = end
    }
    return parts
  }

  private func insides(of unit: Range<Int>) -> [Range<Int>] { parts(of: unit).filter { !$0.isEmpty } }

  private func isPart(_ line: String, _ beginnings: [String]) -> Bool {
    let text = line.drop { $0 == " " }
    return beginnings.contains { text.hasPrefix($0) }
  }
}

extension ScenarioLines {
  /// A number in a line that may be smaller: 400 of "points 400".
  struct Figure: Hashable {
    let line: Int
    let word: Int
    let value: Int
    /// "KiB", "ms"; empty for a plain number.
    let unit: String
  }

  /// The numbers that may be smaller, the last first. What is expected is no such number.
  var figures: [Figure] {
    lines.indices.dropFirst().reversed().flatMap { line -> [Figure] in
      if isPart(lines[line], ["expect", "seed", "scenario", "budget", "param", "for "]) { return [] }
      return words(line).enumerated().reversed().compactMap { place, word in
        let digits = word.prefix { $0.isASCII && $0.isNumber }
        let unit = String(word.dropFirst(digits.count))
        guard let value = Int(digits), value > 1, Self.units.contains(unit) else { return nil }
        return Figure(line: line, word: place, value: value, unit: unit)
      }
    }
  }

  private static let units = ["", "B", "KiB", "MiB", "GiB", "ms", "s", "min", "h"]

  /// The same with another value of a number.
  func with(_ figure: Figure, _ value: Int) -> ScenarioLines {
    var changed = self
    var words = words(figure.line)
    words[figure.word] = "\(value)\(figure.unit)"
    changed.lines[figure.line] = words.joined(separator: " ")
    return changed
  }

  private func words(_ line: Int) -> [String] {
    lines[line].split(separator: " ", omittingEmptySubsequences: false).map(String.init)
  }
}
