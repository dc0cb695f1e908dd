import FileTracing

extension Checker {
  mutating func block(_ step: Step) throws(Diagnostic) -> StepAction {
    switch step.action {
    case .with(let conditions, let block): return try with(conditions, block, step.place)
    case .cutBlock(let effect, let trigger, let block): return try cutBlock(effect, trigger, block, step.place)
    case .sweep(let sweep): return try self.sweep(sweep)
    default: preconditionFailure("a block that no part of the checker knows, in line \(step.place.line)")
    }
  }

  private mutating func with(
    _ conditions: [ArmedSyntax], _ block: Block, _ place: SourcePlace
  ) throws(Diagnostic) -> StepAction {
    var armed: [ArmedCondition] = []
    for condition in conditions {
      switch condition {
      case .freeSpace(let size): armed.append(.freeSpace(try environment.size(size, "the free space")))
      case .fault(let fault): armed.append(.fault(try rule(fault)))
      }
    }
    warnIfEmpty(block, place)
    let steps = try nested(place) { checker in checker.check(steps: block.steps) }
    if armed.contains(where: { $0.rule != nil }) { warnIfIdle(steps, place) }
    let mayEnd = armed.contains { if case .fault(let rule) = $0 { rule.effect.endsApp } else { false } }
    if mayEnd { life.becomeUnknown() }
    return .armed(armed, steps)
  }

  private mutating func cutBlock(
    _ effect: EffectSyntax, _ trigger: TriggerSyntax, _ block: Block, _ place: SourcePlace
  ) throws(Diagnostic) -> StepAction {
    var effect = effect
    var chosen: ChosenState?
    if case .powerCut(let loss) = effect.kind {
      chosen = try chosenState(loss)
      if chosen != nil { effect.kind = .powerCut(nil) }
    }
    let rule = try builder.rule(effect: effect, trigger: trigger, name: newRuleName(place))
    warnIfEmpty(block, place)
    let steps = try nested(place) { checker in checker.check(steps: block.steps) }
    warnIfIdle(steps, place)
    life.end(by: rule.effect == .kill ? "kill" : "power-cut")
    return .armed([chosen.map { .chosenCut(rule, $0) } ?? .fault(rule)], steps)
  }

  private var stateBuilder: ChosenStateBuilder {
    ChosenStateBuilder(environment: environment, resolve: { (target) throws(Diagnostic) in try resolve(target) })
  }

  /// The state that a power cut leaves, where the scenario chooses one.
  mutating func chosenState(_ loss: LossSyntax?) throws(Diagnostic) -> ChosenState? {
    let chosen = try stateBuilder.state(loss)
    if chosen != nil { usesModels = true }
    return chosen
  }

  mutating func warnIfEmpty(_ block: Block, _ place: SourcePlace) {
    if block.steps.isEmpty { diagnostics.add(.warning, place, "never reached - the block is empty") }
  }

  /// A fault around steps that do nothing to the disk can never happen.
  private mutating func warnIfIdle(_ steps: [CheckedStep], _ place: SourcePlace) {
    if !steps.isEmpty, !steps.contains(where: \.mayReachDisk) {
      diagnostics.add(.warning, place, "never reached - no step in this block has the store read or write")
    }
  }

  // MARK: Faults

  var builder: FaultRuleBuilder {
    FaultRuleBuilder(environment: environment, resolve: { (target) throws(Diagnostic) in try resolve(target) })
  }

  /// "line 5": a name for a rule that has none, never used before.
  mutating func newRuleName(_ place: SourcePlace) -> String {
    ruleCount += 1
    return "line \(place.line), fault \(ruleCount)"
  }

  private mutating func rule(_ fault: FaultSyntax) throws(Diagnostic) -> FaultRule {
    let name = fault.name?.value ?? newRuleName(fault.place)
    return try builder.rule(fault, name: name)
  }

  mutating func arm(_ fault: FaultSyntax) throws(Diagnostic) -> StepAction {
    let rule = try rule(fault)
    if let name = fault.name {
      if let place = armed[name.value] {
        throw Diagnostic(.error, name.place, "fault '\(name.value)' is armed already, in line \(place.line)")
      }
      armed[name.value] = name.place
    }
    if rule.effect.endsApp { life.becomeUnknown() }
    if rule.effect.cutsPower { cutsArmed[rule.name] = fault.place.line }
    return .arm(rule)
  }

  mutating func clear(_ name: Word?) throws(Diagnostic) -> StepAction {
    guard let name else {
      armed = [:]
      cutsArmed = [:]
      return .clearFaults
    }
    guard armed.removeValue(forKey: name.value) != nil else {
      let known = armed.keys.sorted()
      throw Diagnostic(
        .error, name.place,
        "no fault '\(name.value)' is armed here; \(NameTable.list("faults", known)) - write 'fault NAME = …' above")
    }
    cutsArmed[name.value] = nil
    return .clear(name.value)
  }

  // MARK: Which files

  /// The paths that a role or glob means, on the volume.
  func resolve(_ target: TargetSyntax) throws(Diagnostic) -> FaultTarget {
    let side: FaultTarget.Side =
      switch target.preposition {
      case .from: .from
      case .to: .to
      case .of, nil: .either
      }
    let spelling = StepPrinter(environment: environment).subject(target.subject)
    let patterns: [NamePattern]
    switch target.subject {
    case .globs(let globs):
      for glob in globs where !glob.isRelativeGlob {
        throw Diagnostic(.error, glob.place, "a glob is relative to the package, as in \"pages/*.content\"")
      }
      patterns = globs.flatMap { glob in names.documents.map { PackagePaths.glob(glob.value, $0.value.id) } }
    case .role(let role, let reference): patterns = try self.patterns(role, reference, target.place)
    }
    return FaultTarget(patterns: patterns, side: side, spelling: spelling)
  }

  private func patterns(
    _ role: TargetSyntax.Role, _ reference: Reference?, _ place: SourcePlace
  ) throws(Diagnostic) -> [NamePattern] {
    switch role {
    case .document: return names.documents.flatMap { PackagePaths.documentFile($0.value.id) }
    case .manifest: return names.documents.flatMap { PackagePaths.manifest($0.value.id) }
    case .journal:
      throw Diagnostic(
        .notYet, place, "'\(role.rawValue)' does not run yet in this version: the store writes no such file")
    case .page, .image, .thumbnail:
      if role == .thumbnail, !settings.drawsThumbnails {
        throw Diagnostic(
          .error, place, "the store draws no thumbnail here - write 'thumbnails on' above, among the settings")
      }
      guard let reference, let known else { return [] }
      if role == .image { return try imagePatterns(reference, known) }
      return try pages(reference, known).flatMap { role == .page ? PackagePaths.page($0) : PackagePaths.thumbnail($0) }
    }
  }

  /// A page that is there, or that a later step makes.
  private func pages(_ reference: Reference, _ known: NameRegistry) throws(Diagnostic) -> [PageReference] {
    let name = try environment.names(of: reference)
    let all = known.pages.filter {
      name.second == nil ? $0.pageName == name.first : $0.documentName == name.first && $0.pageName == name.second
    }
    // With several documents the page must say which.
    let isClear = Set(all.map(\.documentName)).count == 1
    return isClear ? all : [try page(reference)]
  }

  private func imagePatterns(_ reference: Reference, _ known: NameRegistry) throws(Diagnostic) -> [NamePattern] {
    let name = try environment.names(of: reference)
    let images = name.second == nil ? known.images.filter { $0.name == name.first } : []
    if !images.isEmpty { return images.flatMap { PackagePaths.image($0) } }
    let element = try element(reference)
    guard element.asset != nil else {
      throw Diagnostic(.error, reference.place, "'\(name.first)' is a stroke; an image is needed here")
    }
    return PackagePaths.image(element)
  }
}

extension CheckedStep {
  /// True for a step in which the store may read or write.
  fileprivate var mayReachDisk: Bool {
    switch action {
    case .note, .remember, .sometimes, .fsck, .arm, .clear, .clearFaults, .freeSpace, .foreground, .kill, .powerCut,
      .chosenCut:
      false
    // What the judge reads fires nothing; a page that the store shows may have to be read by it.
    case .expect(.page), .expect(.elementMissing): true
    case .expect: false
    case .armed(_, let steps): steps.contains(where: \.mayReachDisk)
    case .untilSuccess(let rounds): rounds.joined().contains(where: \.mayReachDisk)
    default: true
    }
  }
}

extension FaultEffect {
  /// True for effects behind which the app runs no more.
  var endsApp: Bool {
    switch self {
    case .powerCut, .kill: true
    default: false
    }
  }
}
