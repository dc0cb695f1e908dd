extension Concretizer {
  /// A step that stays one step, with its values chosen.
  mutating func action(_ action: Step.Action) throws(Diagnostic) -> Step.Action {
    switch action {
    case .repetition(let count, let block): return .repetition(try number(count), try self.block(block))
    case .with(let armed, let block):
      let chosen = try armed.map { (one) throws(Diagnostic) in try condition(one) }
      return .with(chosen, try self.block(block))
    case .whenStore(let store, let block): return .whenStore(store, try self.block(block))
    case .cutBlock(let effect, let trigger, let block):
      return .cutBlock(try self.effect(effect), try self.trigger(trigger), try self.block(block))
    case .loop(var loop):
      let body = loop.body
      loop.body = try shadowing(loop.name.value) { (inner: inout Self) throws(Diagnostic) in try inner.block(body) }
      return .loop(loop)
    case .sweep(var sweep):
      sweep.kind = try kind(sweep.kind)
      sweep.atMost = try number(sweep.atMost)
      sweep.body = try block(sweep.body)
      if let next = sweep.next { sweep.next = try block(next) }
      sweep.check = try block(sweep.check)
      return .sweep(sweep)
    case .call(let name, let arguments): return .call(name, arguments.map { scalar($0) })
    default: return try simple(action)
    }
  }

  private func simple(_ action: Step.Action) throws(Diagnostic) -> Step.Action {
    switch action {
    case .stroke(var stroke):
      stroke.page = reference(stroke.page)
      stroke.points = try number(stroke.points)
      stroke.width = try number(stroke.width)
      if let origin = stroke.origin { stroke.origin = (x: try number(origin.x), y: try number(origin.y)) }
      return .stroke(stroke)
    case .insertImage(var image):
      image.page = reference(image.page)
      image.size = try image.size.map { (size) throws(Diagnostic) in try self.size(size) }
      image.file = image.file.map { Word(sources.path(of: $0), $0.place) }
      return .insertImage(image)
    case .erase(let target, let last): return .erase(reference(target), last: try number(last))
    case .move(let target, let dx, let dy): return .move(reference(target), dx: try number(dx), dy: try number(dy))
    case .movePage(let page, let place): return .movePage(reference(page), to: try number(place))
    case .delete(let target): return .delete(reference(target))
    case .deletePage(let page): return .deletePage(reference(page))
    case .addPage(let name, let canvas, let place):
      return .addPage(reference(name), canvas: canvas, at: try number(place))
    case .undo(let count, let document): return .undo(try number(count), in: document.map { reference($0) })
    case .redo(let count, let document): return .redo(try number(count), in: document.map { reference($0) })
    case .title(let text, let document): return .title(text, in: document.map { reference($0) })
    case .wait(let time): return .wait(try duration(time))
    case .powerCut(let loss): return .powerCut(try loss.map { (loss) throws(Diagnostic) in try self.loss(loss) })
    case .fault(let fault): return .fault(try self.fault(fault))
    case .freeSpace(let size):
      return .freeSpace(try size.map { (size) throws(Diagnostic) in try self.size(size) })
    case .expect(var expectation):
      expectation.kind = try self.expectation(expectation.kind)
      return .expect(expectation)
    default: return action
    }
  }

  // MARK: Faults

  private func condition(_ armed: ArmedSyntax) throws(Diagnostic) -> ArmedSyntax {
    switch armed {
    case .freeSpace(let size): .freeSpace(try self.size(size))
    case .fault(let fault): .fault(try self.fault(fault))
    }
  }

  private func fault(_ fault: FaultSyntax) throws(Diagnostic) -> FaultSyntax {
    var fault = fault
    fault.effect = try effect(fault.effect)
    fault.trigger = try trigger(fault.trigger)
    return fault
  }

  private func effect(_ effect: EffectSyntax) throws(Diagnostic) -> EffectSyntax {
    var effect = effect
    switch effect.kind {
    case .shortWrite(let size): effect.kind = .shortWrite(try self.size(size))
    case .tornWrite(let size): effect.kind = .tornWrite(try self.size(size))
    case .shortRead(let size): effect.kind = .shortRead(try self.size(size))
    case .tornRename(let way, let size):
      effect.kind = .tornRename(way, try size.map { (size) throws(Diagnostic) in try self.size(size) })
    case .slow(let time): effect.kind = .slow(try duration(time))
    case .flip(let count): effect.kind = .flip(try number(count))
    case .powerCut(let loss):
      effect.kind = .powerCut(try loss.map { (loss) throws(Diagnostic) in try self.loss(loss) })
    case .errno, .fsyncFail, .kill, .plain: break
    }
    return effect
  }

  private func trigger(_ trigger: TriggerSyntax) throws(Diagnostic) -> TriggerSyntax {
    var trigger = trigger
    trigger.target = trigger.target.map { target($0) }
    for place in trigger.selectors.indices {
      switch trigger.selectors[place].kind {
      case .nth(let count): trigger.selectors[place].kind = .nth(try number(count))
      case .every(let count): trigger.selectors[place].kind = .every(try number(count))
      case .times(let count): trigger.selectors[place].kind = .times(try number(count))
      case .afterBytes(let size): trigger.selectors[place].kind = .afterBytes(try self.size(size))
      case .probability, .phase: break
      }
    }
    return trigger
  }

  private func target(_ target: TargetSyntax) -> TargetSyntax {
    guard case .role(let role, let name?) = target.subject else { return target }
    var target = target
    target.subject = .role(role, reference(name))
    return target
  }

  private func loss(_ loss: LossSyntax) throws(Diagnostic) -> LossSyntax {
    var loss = loss
    switch loss.kind {
    case .keepAll, .keepNone: break
    case .losing(let all): loss.kind = .losing(try operations(all))
    case .keeping(let all): loss.kind = .keeping(try operations(all))
    }
    return loss
  }

  private func operations(_ all: [OperationReference]) throws(Diagnostic) -> [OperationReference] {
    try all.map { (one) throws(Diagnostic) in
      var one = one
      one.target = target(one.target)
      one.nth = try number(one.nth)
      return one
    }
  }

  // MARK: Sweeps, expectations

  private func kind(_ kind: SweepSyntax.Kind) throws(Diagnostic) -> SweepSyntax.Kind {
    switch kind {
    case .crash(let depth): .crash(depth: try number(depth))
    case .failure(let error, let trigger):
      .failure(error, try trigger.map { (trigger) throws(Diagnostic) in try self.trigger(trigger) })
    case .tornRename(let target): .tornRename(target.map { self.target($0) })
    }
  }

  private func expectation(_ kind: ExpectSyntax.Kind) throws(Diagnostic) -> ExpectSyntax.Kind {
    switch kind {
    case .exit(let status): .exit(try number(status))
    case .count(let glob, let comparison, let count): .count(glob, comparison, try number(count))
    case .content(let name, .hasElements(let count)): .content(reference(name), .hasElements(try number(count)))
    case .content(let name, let content): .content(reference(name), content)
    default: kind
    }
  }
}
