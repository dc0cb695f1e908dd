import FileTracing
import Files

/// What came of reading the text of a fault plan: lines of `fault …`, files named by globs.
///
///     # comments, `maybe` and names as in scenarios
///     fault EIO on fsync of "**/*.content" nth 2
///     fault full = ENOSPC on write or create
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
    var rules: [FaultRule] = []
    do throws(Diagnostic) {
      source = SourceText(try SourceText.decoded(bytes))
      let (faults, parsing) = Parser.faults(in: source.lines.joined(separator: "\n"))
      list.add(parsing)
      var names: Set<String> = []
      for fault in faults { FaultPlanReading.add(fault, to: &rules, &names, &list) }
    } catch {
      list.add(error)
      return FaultPlanReading(plan: nil, list, SourceText(""), file)
    }
    return FaultPlanReading(plan: list.forbidsRun ? nil : FaultPlan(rules: rules), list, source, file)
  }

  /// Reads one fault as a command line gives it: "EIO on fsync nth 3", with or without `fault` in front.
  ///
  /// Places in the diagnostics are those of the argument.
  ///
  /// - Parameters:
  ///   - argument: the text of the fault.
  ///   - option: how diagnostics call the argument: "--fault".
  ///   - name: what the rule is called where the text gives it no name.
  package static func read(argument: String, option: String, name: String) -> FaultPlanReading {
    var list = DiagnosticList()
    var rules: [FaultRule] = []
    let (faults, parsing) = Parser.faults(in: argument, isArgument: true)
    list.add(parsing)
    var names: Set<String> = []
    if let fault = faults.first { FaultPlanReading.add(fault, to: &rules, &names, &list, unnamed: name) }
    let source = SourceText(argument)
    if let second = faults.dropFirst().first {
      list.add(Diagnostic(.error, second.place, "one fault is given here - write a second \(option)"))
    } else if faults.isEmpty, !list.forbidsRun {
      list.add(Diagnostic(.error, SourcePlace(line: 1, column: 1, length: 1), "a fault is missing: EIO on fsync nth 3"))
    }
    return FaultPlanReading(plan: list.forbidsRun ? nil : FaultPlan(rules: rules), list, source, option)
  }

  private init(plan: FaultPlan?, _ list: DiagnosticList, _ source: SourceText, _ file: String) {
    self.plan = plan
    diagnostics = list.reported
    text = diagnostics.map { source.shown($0, file: file) }.joined()
  }

  private static func add(
    _ fault: FaultSyntax, to rules: inout [FaultRule], _ names: inout Set<String>, _ list: inout DiagnosticList,
    unnamed: String? = nil
  ) {
    do throws(Diagnostic) {
      let line = unnamed ?? "line \(fault.place.line)"
      let name = fault.name?.value ?? (names.contains(line) ? "\(line), fault \(names.count + 1)" : line)
      guard names.insert(name).inserted else {
        throw Diagnostic(
          .error, fault.name?.place ?? fault.place, "there is a fault '\(name)' above - choose another name")
      }
      let builder = FaultRuleBuilder(
        environment: Environment(), resolve: { (target) throws(Diagnostic) in try resolve(target) })
      rules.append(try builder.rule(fault, name: name))
    } catch {
      list.add(error)
    }
  }

  private static func resolve(_ target: TargetSyntax) throws(Diagnostic) -> FaultTarget {
    guard case .glob(let glob) = target.subject else {
      throw Diagnostic(
        .error, target.place, "a plan names files by globs, such as \"**/document.json\"; roles are for scenarios")
    }
    guard !glob.value.isEmpty, !glob.value.hasPrefix("/"), !glob.value.hasSuffix("/") else {
      throw Diagnostic(.error, glob.place, "a glob is relative to the mount, as in \"notes/*.txt\"")
    }
    let side: FaultTarget.Side =
      switch target.preposition {
      case .from: .from
      case .to: .to
      case .of, nil: .either
      }
    return FaultTarget(
      patterns: [NamePattern(BytePath(glob.value))], side: side,
      spelling: StepPrinter(environment: Environment()).quoted(glob.value))
  }
}

extension Parser {
  /// The faults in a text that holds nothing else; in an argument, `fault` may be left out.
  static func faults(in text: String, isArgument: Bool = false) -> (faults: [FaultSyntax], diagnostics: DiagnosticList)
  {
    let (tokens, diagnostics) = Lexer.tokens(of: text)
    var parser = Parser(tokens: tokens, diagnostics: diagnostics)
    var faults: [FaultSyntax] = []
    parser.skipSeparators()
    while parser.current.kind != .end {
      do throws(Failure) {
        if isArgument, !parser.at("fault") {
          faults.append(try parser.bareFault())
          try parser.endOfStatement(after: "fault")
          parser.skipSeparators()
          continue
        }
        guard parser.at("fault") || parser.at("maybe") else {
          throw parser.fail("a plan holds lines of 'fault …': fault EIO on write of \"*.txt\" nth 1")
        }
        faults.append(try parser.faultStep())
        try parser.endOfStatement(after: "fault")
      } catch {
        parser.recover()
      }
      if parser.at(.closeBrace) {
        parser.diagnostics.add(.error, parser.current.place, "this '}' closes nothing")
        parser.advance()
      }
      parser.skipSeparators()
    }
    return (faults, parser.diagnostics)
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
