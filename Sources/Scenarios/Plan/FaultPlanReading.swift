import FileTracing
import Files

/// What came of reading the text of a fault plan: lines of `fault …` and `free-space …`.
///
///     # comments, `maybe` and names as in scenarios; files by globs
///     fault EIO on fsync of "**/*.content" nth 2
///     fault full = ENOSPC on write or create
///     free-space 64KiB
package struct FaultPlanReading: Sendable {
  /// The plan; nil where there is any error or anything that does not run yet.
  package var plan: FaultPlan?
  /// What is wrong, in the order of the text, at most `Diagnostic.countMax`.
  package var diagnostics: [Diagnostic]
  /// The diagnostics as the user sees them; ends with a newline unless empty.
  package var text: String

  /// Reads a plan. Globs are relative to the root of the mount.
  ///
  /// - Parameters:
  ///   - bytes: the file's content.
  ///   - file: how diagnostics call the file.
  package static func read(_ bytes: [UInt8], file: String) -> FaultPlanReading {
    let source: SourceText
    var list = DiagnosticList()
    var maker = FaultPlanMaker()
    do throws(Diagnostic) {
      source = SourceText(try SourceText.decoded(bytes))
      let (lines, parsing) = Parser.planLines(in: source.lines.joined(separator: "\n"))
      list.add(parsing)
      for line in lines { maker.add(line, &list) }
    } catch {
      list.add(error)
      return FaultPlanReading(plan: nil, list, SourceText(""), file)
    }
    return FaultPlanReading(plan: list.forbidsRun ? nil : maker.plan, list, source, file)
  }

  /// Reads one fault as a command line gives it: "EIO on fsync nth 3", with or without `fault` in front.
  ///
  /// Or one bound on space: "free-space 64KiB". Places in the diagnostics are those of the argument.
  ///
  /// - Parameters:
  ///   - argument: the text of the fault.
  ///   - option: how diagnostics call the argument: "--fault".
  ///   - name: what the rule is called where the text gives it no name.
  package static func read(argument: String, option: String, name: String) -> FaultPlanReading {
    var list = DiagnosticList()
    var maker = FaultPlanMaker(nameOfUnnamed: name)
    let (lines, parsing) = Parser.planLines(in: argument, isArgument: true)
    list.add(parsing)
    if let line = lines.first { maker.add(line, &list) }
    let source = SourceText(argument)
    if let second = lines.dropFirst().first {
      list.add(Diagnostic(.error, second.place, "one fault is given here - write a second \(option)"))
    } else if lines.isEmpty, !list.forbidsRun {
      list.add(Diagnostic(.error, SourcePlace(line: 1, column: 1, length: 1), "a fault is missing: EIO on fsync nth 3"))
    }
    return FaultPlanReading(plan: list.forbidsRun ? nil : maker.plan, list, source, option)
  }

  private init(plan: FaultPlan?, _ list: DiagnosticList, _ source: SourceText, _ file: String) {
    self.plan = plan
    diagnostics = list.reported
    text = diagnostics.map { source.shown($0, file: file) }.joined()
  }
}

/// One line of a plan.
enum PlanLine: Sendable {
  case fault(FaultSyntax)
  /// The bound begins at this place; nil for `unlimited`.
  case freeSpace(SourcePlace, SizeSyntax?)

  var place: SourcePlace {
    switch self {
    case .fault(let fault): fault.place
    case .freeSpace(let place, _): place
    }
  }
}

/// Makes a plan of its lines, one after the other.
private struct FaultPlanMaker {
  /// What a fault is called that has no name; nil calls it by its line.
  var nameOfUnnamed: String?
  private(set) var plan = FaultPlan()

  init(nameOfUnnamed: String? = nil) { self.nameOfUnnamed = nameOfUnnamed }

  mutating func add(_ line: PlanLine, _ list: inout DiagnosticList) {
    do throws(Diagnostic) {
      switch line {
      case .fault(let fault): try add(fault)
      case .freeSpace(let place, let size): try add(size, at: place)
      }
    } catch {
      list.add(error)
    }
  }

  private mutating func add(_ fault: FaultSyntax) throws(Diagnostic) {
    let names = Set(plan.rules.map(\.name))
    let line = nameOfUnnamed ?? "line \(fault.place.line)"
    let name = fault.name?.value ?? (names.contains(line) ? "\(line), fault \(names.count + 1)" : line)
    if names.contains(name) {
      throw Diagnostic(
        .error, fault.name?.place ?? fault.place, "there is a fault '\(name)' above - choose another name")
    }
    let builder = FaultRuleBuilder(
      environment: Environment(), resolve: { (target) throws(Diagnostic) in try FaultPlanMaker.resolve(target) })
    plan.rules.append(try builder.rule(fault, name: name))
  }

  private mutating func add(_ size: SizeSyntax?, at place: SourcePlace) throws(Diagnostic) {
    guard let size else {
      throw Diagnostic(
        .error, place, "a disk begins without a bound - leave this out; 'clear free-space' takes one away")
    }
    if plan.freeSpace != nil { throw Diagnostic(.error, place, "the free space is given above - write it once") }
    plan.freeSpace = SpaceBound(bytes: try Environment().size(size, "the free space"))
  }

  private static func resolve(_ target: TargetSyntax) throws(Diagnostic) -> FaultTarget {
    guard case .globs(let globs) = target.subject else {
      throw Diagnostic(
        .error, target.place, "a plan names files by globs, such as \"**/document.json\"; roles are for scenarios")
    }
    for glob in globs where !glob.isRelativeGlob {
      throw Diagnostic(.error, glob.place, "a glob is relative to the mount, as in \"notes/*.txt\"")
    }
    let side: FaultTarget.Side =
      switch target.preposition {
      case .from: .from
      case .to: .to
      case .of, nil: .either
      }
    let patterns = globs.map { NamePattern(BytePath($0.value)) }
    return FaultTarget(patterns: patterns, side: side, spelling: FaultTarget.spelling(of: patterns))
  }
}

extension Word {
  /// True for a glob that has no slash at an end.
  var isRelativeGlob: Bool { !value.isEmpty && !value.hasPrefix("/") && !value.hasSuffix("/") }
}

extension Parser {
  /// The lines of a text that holds faults and bounds only; in an argument, `fault` may be left out.
  static func planLines(
    in text: String, isArgument: Bool = false
  ) -> (lines: [PlanLine], diagnostics: DiagnosticList) {
    let (tokens, diagnostics) = Lexer.tokens(of: text)
    var parser = Parser(tokens: tokens, diagnostics: diagnostics)
    var lines: [PlanLine] = []
    parser.skipSeparators()
    while parser.current.kind != .end {
      do throws(Failure) {
        lines.append(try parser.planLine(isArgument: isArgument))
      } catch {
        parser.recover()
      }
      if parser.at(.closeBrace) {
        parser.diagnostics.add(.error, parser.current.place, "this '}' closes nothing")
        parser.advance()
      }
      parser.skipSeparators()
    }
    return (lines, parser.diagnostics)
  }

  private mutating func planLine(isArgument: Bool) throws(Failure) -> PlanLine {
    let start = current.place
    if accept(SpaceBound.word) {
      let size = accept("unlimited") ? nil : try size("the free space")
      let place = place(from: start)
      try endOfStatement(after: SpaceBound.word)
      return .freeSpace(place, size)
    }
    guard isArgument || at("fault") || at("maybe") else {
      throw fail("a plan holds lines of 'fault …' and 'free-space …': fault EIO on write of \"*.txt\" nth 1")
    }
    let fault = isArgument && !at("fault") ? try bareFault() : try faultStep()
    try endOfStatement(after: "fault")
    return .fault(fault)
  }

  /// `maybe NAME = EFFECT on …`, with or without `fault`.
  private mutating func bareFault() throws(Failure) -> FaultSyntax {
    let start = current.place
    let isOptional = accept("maybe")
    _ = accept("fault")
    var name: Word?
    if current.word != nil, next.kind == .symbol(.equal) {
      name = try self.name("the fault's name")
      advance()
    }
    return try fault(from: start, isOptional: isOptional, name: name)
  }
}
