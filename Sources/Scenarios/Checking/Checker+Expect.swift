import FileTracing
import Files

extension Checker {
  mutating func expectation(_ syntax: ExpectSyntax) throws(Diagnostic) -> Expectation {
    switch syntax.kind {
    case .fsckClean: return .fsckClean
    case .fsckNoLoss: return .fsckNoLoss
    case .fsckExactly(let problems): return .fsckExactly(try self.problems(problems))
    case .fsckNever(let problems): return .fsckNever(try self.problems(problems))
    case .error(let word): return .error(try FaultRuleBuilder.errno(word))
    case .ok: return .ok
    case .documentLoads: return .documentLoads
    case .exit: throw Diagnostic(.error, syntax.place, Checker.onlyExternal)
    case .count(let glob, let comparison, let number):
      let count = try environment.whole(number, "the number of files", in: 0...1_000_000)
      let patterns = names.documents.map { PackagePaths.glob(glob.value, $0.value.id) }
      return .fileCount(.init(patterns: patterns, spelling: glob.value), comparison, count)
    case .content(let reference, let content): return try self.content(reference, content)
    }
  }

  private func problems(_ all: [ProblemSyntax]) throws(Diagnostic) -> [ExpectedProblem] {
    var found: [ExpectedProblem] = []
    for problem in all {
      let word = problem.word
      guard let kind = vocabulary.problems.first(where: { $0.code == word.value || $0.name == word.value }) else {
        let known = vocabulary.problems.flatMap { [$0.name, $0.code] }
        throw Diagnostic(
          .error, word.place, "unknown problem '\(word.value)'\(Spelling.suggestion(for: word.value, among: known))")
      }
      if problem.count == 0 { throw Diagnostic(.error, word.place, "x0 says nothing - write 'expect fsck never …'") }
      found.append(ExpectedProblem(code: kind.code, name: kind.name, count: problem.count))
    }
    return found
  }

  private mutating func content(
    _ reference: Reference, _ content: ExpectSyntax.Content
  ) throws(Diagnostic) -> Expectation {
    if case .ended(let word) = life.state {
      let name = StepPrinter(environment: environment).reference(reference)
      throw Diagnostic(
        .error, reference.place,
        "'\(name)' cannot be read: '\(word)' above, nothing reopened - write 'reopen' before it")
    }
    let name = try environment.names(of: reference)
    if !names.isPage(name.first, name.second), let expectation = try absence(reference, content, name) {
      return expectation
    }
    let page = try page(reference)
    switch content {
    case .equals(let word): return .page(page, .equals(try state(word)))
    case .between(let first, let second): return .page(page, .between(try state(first), try state(second)))
    case .atLeast(let word): return .page(page, .atLeast(try state(word)))
    case .hasElements(let number):
      return .page(page, .hasElements(try environment.whole(number, "the number of elements", in: 0...1_000_000)))
    case .missing: return .page(page, .missing)
    }
  }

  /// `missing` also speaks of deleted pages, of strokes and of images; nil for anything else.
  private func absence(
    _ reference: Reference, _ content: ExpectSyntax.Content, _ name: (first: String, second: String?)
  ) throws(Diagnostic) -> Expectation? {
    guard case .missing = content else { return nil }
    let deleted = made.pages.last {
      name.second == nil ? $0.pageName == name.first : $0.documentName == name.first && $0.pageName == name.second
    }
    if let deleted { return .page(deleted, .missing) }
    if let image = made.images.last(where: { $0.name == name.first }), names.deletedElements.contains(name.first) {
      return .elementMissing(image)
    }
    return .elementMissing(try element(reference))
  }

  private func state(_ word: Word) throws(Diagnostic) -> ContentState {
    switch word.value {
    case "latest": return .latest
    case "empty": return .empty
    case "last-durable": return .lastDurable
    default:
      guard names.remembered.contains(word.value) else {
        let known = names.remembered + Checker.reservedStates
        let near = Spelling.suggestion(for: word.value, among: known)
        let list = near.isEmpty ? "; \(NameTable.list("states", known))" : near
        throw Diagnostic(.error, word.place, "'\(word.value)' is not remembered above\(list)")
      }
      return .remembered(word.value)
    }
  }
}
