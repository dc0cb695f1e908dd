import FileTracing

extension StepPrinter {
  func condition(_ armed: ArmedSyntax) -> String {
    switch armed {
    case .freeSpace(let size): return "free-space \(self.size(size))"
    case .fault(let fault): return (fault.isOptional ? "maybe " : "") + self.fault(fault)
    }
  }

  func fault(_ fault: FaultSyntax) -> String { "\(effect(fault.effect.kind)) \(trigger(fault.trigger))" }

  func effect(_ kind: EffectSyntax.Kind) -> String {
    switch kind {
    case .errno(let word), .plain(let word): return word
    case .shortWrite(let size): return "short-write \(self.size(size))"
    case .tornWrite(let size): return "torn-write \(self.size(size))"
    case .shortRead(let size): return "short-read \(self.size(size))"
    case .tornRename(let way, let size): return "torn-rename \(way)" + (size.map { " \(self.size($0))" } ?? "")
    case .fsyncFail(let dropDirty): return "fsync-fail \(dropDirty ? "drop-dirty" : "keep-dirty")"
    case .slow(let time): return "slow \(duration(time))"
    case .flip(let count): return "flip \(number(count)) bits"
    case .powerCut(let loss): return "power-cut" + self.loss(loss)
    case .kill: return "kill"
    }
  }

  /// What follows `power-cut`, with a space in front; nothing where nothing is said.
  func loss(_ loss: LossSyntax?) -> String {
    switch loss?.kind {
    case nil: return ""
    case .keepAll: return " keep-all"
    case .keepNone: return " keep-none"
    case .losing(let operations): return " losing " + operations.map { operation($0) }.joined(separator: ", ")
    case .keeping(let operations): return " keeping " + operations.map { operation($0) }.joined(separator: ", ")
    }
  }

  /// "write of page p1 nth 2": some operations that a crash keeps or loses.
  func operation(_ reference: OperationReference) -> String {
    "\(reference.operation.value.word) \(target(reference.target))"
      + (reference.nth.map { " nth \(number($0))" } ?? "") + (reference.bytes.map { " bytes \(size($0))" } ?? "")
  }

  /// Without before, during and after where they say little, as in a list of results.
  func trigger(_ trigger: TriggerSyntax) -> String {
    let operations = trigger.operations.map(\.value.word).joined(separator: " or ")
    let selectors = trigger.selectors.compactMap { selector($0.kind) }
    return (["on", operations] + (trigger.target.map { [target($0)] } ?? []) + selectors).joined(separator: " ")
  }

  private func selector(_ kind: SelectorSyntax.Kind) -> String? {
    switch kind {
    case .nth(let number): return "nth \(self.number(number))"
    case .every(let number): return "every \(self.number(number))"
    case .times(let number): return "times \(self.number(number))"
    case .afterBytes(let size): return "after-bytes \(self.size(size))"
    case .probability(let numeral): return "probability \(Environment.text(numeral.millionths))"
    case .phase(let phase): return saysPhases ? phase.rawValue : nil
    }
  }

  func target(_ target: TargetSyntax) -> String {
    (target.preposition.map { "\($0.rawValue) " } ?? "") + subject(target.subject)
  }

  /// "page p1": how reports call the files that a fault hits.
  func subject(_ subject: TargetSyntax.Subject) -> String {
    switch subject {
    case .globs(let globs): return globs.map { quoted($0.value) }.joined(separator: " or ")
    case .role(let role, let reference): return role.rawValue + (reference.map { " \(self.reference($0))" } ?? "")
    }
  }

  func kind(_ kind: SweepSyntax.Kind) -> String {
    switch kind {
    case .crash(let depth): return "crash" + (depth.map { " depth \(number($0))" } ?? "")
    case .failure(let word, let trigger):
      return "failure \(word.value)" + (trigger.map { " \(self.trigger($0))" } ?? "")
    case .tornRename(let target): return "torn-rename" + (target.map { " \(self.target($0))" } ?? "")
    }
  }

  func expectation(_ kind: ExpectSyntax.Kind) -> String {
    switch kind {
    case .fsckClean: return "fsck clean"
    case .fsckNoLoss: return "fsck no-loss"
    case .fsckExactly(let problems): return "fsck exactly \(self.problems(problems))"
    case .fsckNever(let problems): return "fsck never \(self.problems(problems))"
    case .error(let word): return "error \(word.value)"
    case .ok: return "ok"
    case .documentLoads: return "document loads"
    case .exit(let number): return "exit \(self.number(number))"
    case .count(let glob, let comparison, let number):
      return "count \(quoted(glob.value)) \(comparison.rawValue) \(self.number(number))"
    case .content(let reference, let content): return "\(self.reference(reference)) \(self.content(content))"
    }
  }

  private func problems(_ all: [ProblemSyntax]) -> String {
    all.map { $0.word.value + ($0.count.map { " x\($0)" } ?? "") }.joined(separator: ", ")
  }

  private func content(_ content: ExpectSyntax.Content) -> String {
    switch content {
    case .equals(let state): return "equals \(state.value)"
    case .between(let first, let second): return "between \(first.value) and \(second.value)"
    case .atLeast(let state): return "at-least \(state.value)"
    case .hasElements(let count): return "has \(number(count)) elements"
    case .missing: return "missing"
    }
  }
}
