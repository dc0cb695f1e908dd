/// Calls that this house does without, and the few places that may.
enum BannedCalls {
  /// A call, with what to do instead.
  struct Row: Sendable {
    let name: String
    let pattern: Pattern
    /// On the same line it makes the call harmless: a generator that is handed in.
    var unless: String? = nil
    let instead: String
    /// True where tests must do without it as well.
    let isForTestsToo: Bool
  }

  static let rows = [
    Row(name: "try!", pattern: Pattern(#"\btry!"#), instead: "errors are values: throw or answer", isForTestsToo: true),
    Row(
      name: "replaceItemAt", pattern: Pattern(#"\breplaceItemAt\b"#),
      instead: "it loses the new content; use Volume.rename",
      isForTestsToo: true),
    Row(name: "Date()", pattern: Pattern(#"\bDate\(\s*\)"#), instead: "the clock is handed in", isForTestsToo: true),
    Row(
      name: "sleep", pattern: Pattern(#"\b(u|nano|clock_nano)?sleep\s*\("#),
      instead: "wait for the event, with a deadline",
      isForTestsToo: true),
    Row(
      name: "random", pattern: Pattern(#"\.(random\s*\(in:|(random|shuffled?|randomElement)\s*\(\s*\))"#),
      unless: "using:",
      instead: "the generator is handed in, from a seed", isForTestsToo: true),
    Row(
      name: "SystemRandomNumberGenerator",
      pattern: Pattern(#"\b(SystemRandomNumberGenerator|arc4random\w*|getrandom|UUID)\s*\("#),
      instead: "the generator is handed in, from a seed", isForTestsToo: true),
    Row(
      name: "import Foundation", pattern: Pattern(#"^\s*(@\w+\s+)?import\s+Foundation"#), instead: "import Glibc",
      isForTestsToo: false),
    Row(
      name: "print", pattern: Pattern(#"(^|[^a-zA-Z0-9_.])print\("#), instead: "only programs print",
      isForTestsToo: false),
  ]

  /// A place that may use a call, and why.
  struct Exception {
    let path: String
    let call: String
    let reason: String
  }

  static let programs = [
    "faultfs", "lnote-bench", "lnote-demo", "lnote-driver", "lnote-fsck", "lnote-nightly", "lnote-scenario",
  ]

  static func findings(_ source: SourceText, exceptions: [Exception]) -> [Finding] {
    let isTest = source.path.hasPrefix("Tests/")
    let isProgram = programs.contains { source.path.hasPrefix("Sources/\($0)/") }
    return rows.flatMap { row -> [Finding] in
      if isTest && !row.isForTestsToo || isProgram && row.name == "print" { return [] }
      if exceptions.contains(where: { $0.path == source.path && $0.call == row.name }) { return [] }
      return uses(of: row, in: source).map { source.finding($0, "\(row.name) is not used here: \(row.instead)") }
    }
  }

  /// Exceptions for what is no longer there.
  static func staleExceptions(_ exceptions: [Exception], sources: [SourceText]) -> [Finding] {
    exceptions.compactMap { exception in
      let source = sources.first { $0.path == exception.path }
      let row = rows.first { $0.name == exception.call }
      if let source, let row, !uses(of: row, in: source).isEmpty { return nil }
      return Finding(path: exception.path, line: 0, message: "may use \(exception.call), but does not: strike the row")
    }
  }

  private static func uses(of row: Row, in source: SourceText) -> [Int] {
    return source.code.indices.filter { index in
      let line = source.code[index]
      return row.pattern.fits(line) && !(row.unless.map { line.contains($0) } ?? false)
    }
  }
}
