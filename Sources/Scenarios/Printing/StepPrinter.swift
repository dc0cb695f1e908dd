import FileTracing

/// A step in one line, without its block, as the run's output shows it.
struct StepPrinter {
  let environment: Environment
  /// True where before, during and after are said: in text that is read again.
  var saysPhases = false

  func line(_ step: Step) -> String {
    switch step.action {
    case .stroke(let stroke): return self.stroke(stroke)
    case .insertImage(let image): return self.image(image)
    case .erase(let target, let last):
      return "erase \(reference(target))" + (last.map { " last \(number($0))" } ?? "")
    case .move(let target, let dx, let dy): return "move \(reference(target)) by \(number(dx)), \(number(dy))"
    case .movePage(let page, let to): return "move page \(reference(page)) to \(number(to))"
    case .delete(let target): return "delete \(reference(target))"
    case .deletePage(let page): return "delete page \(reference(page))"
    case .addPage(let name, let canvas, let at):
      return "add page \(reference(name))" + (canvas.map { " \($0.width)x\($0.height)" } ?? "")
        + (at.map { " at \(number($0))" } ?? "")
    case .undo(let count, let document): return "undo" + (count.map { " \(number($0))" } ?? "") + inside(document)
    case .redo(let count, let document): return "redo" + (count.map { " \(number($0))" } ?? "") + inside(document)
    case .title(let text, let document): return "title \(quoted(text))" + inside(document)
    case .wait(let time): return "wait \(duration(time))"
    case .waitUntilSaved: return "wait until saved"
    case .life(let word): return word.rawValue
    case .powerCut(let loss): return "power-cut" + self.loss(loss)
    case .remember(let name): return "remember \(name.value)"
    case .note(let text): return "note \(quoted(text))"
    case .sometimes(let text): return "sometimes \(quoted(text))"
    case .freeSpace(let size): return "free-space \(size.map { self.size($0) } ?? "unlimited")"
    case .clear(let name): return "clear \(name?.value ?? "faults")"
    case .expect(let expectation): return "expect \(self.expectation(expectation.kind))"
    case .call(let name, let arguments):
      return "do \(name.value)(\(arguments.map { scalar($0) }.joined(separator: ", ")))"
    case .exec(let command): return "exec \(quoted(command))"
    default: return compound(step.action)
    }
  }

  private func inside(_ document: Reference?) -> String { document.map { " in \(reference($0))" } ?? "" }

  private func compound(_ action: Step.Action) -> String {
    switch action {
    case .fault(let fault):
      return (fault.isOptional ? "maybe " : "") + "fault " + (fault.name.map { "\($0.value) = " } ?? "")
        + self.fault(fault)
    case .repetition(let count, _): return "repeat \(number(count))"
    case .anyOf: return "any of"
    case .shuffle: return "shuffle"
    case .with(let armed, _): return "with " + armed.map { condition($0) }.joined(separator: " and ")
    case .whenStore(let store, _): return "when store \(store.value)"
    case .cutBlock(let effect, let trigger, _): return "\(self.effect(effect.kind)) \(self.trigger(trigger))"
    case .sweep(let sweep):
      return "for each \(kind(sweep.kind))" + (sweep.atMost.map { " at-most \(number($0))" } ?? "")
    case .loop(let loop):
      return "for \(loop.name.value) = \(loop.from.value)..\(loop.to?.value ?? "")"
        + (loop.untilSuccess == nil ? "" : " until success")
    default: return ""
    }
  }

  private func stroke(_ stroke: StrokeSyntax) -> String {
    "stroke \(reference(stroke.page))" + (stroke.points.map { " points \(number($0))" } ?? "")
      + (stroke.pen.map { " pen \($0.value)" } ?? "") + (stroke.width.map { " width \(number($0))" } ?? "")
      + (stroke.origin.map { " at \(number($0.x)), \(number($0.y))" } ?? "")
      + (stroke.name.map { " as \($0.value)" } ?? "")
  }

  private func image(_ image: ImageSyntax) -> String {
    "insert-image \(reference(image.page))" + (image.size.map { " size \(size($0))" } ?? "")
      + (image.file.map { " file \(quoted($0.value))" } ?? "") + (image.name.map { " as \($0.value)" } ?? "")
  }

  // MARK: Values

  func reference(_ reference: Reference) -> String {
    let first: String
    switch reference.first {
    case .literal(let word): first = word.value
    case .variable(let variable): first = self.variable(variable)
    }
    return first + (reference.second.map { ".\($0.value)" } ?? "")
  }

  private func variable(_ word: Word) -> String {
    guard let value = environment.variables[word.value] else { return "$\(word.value)" }
    return scalar(ScalarSyntax(place: word.place, value: value))
  }

  func number(_ syntax: NumberSyntax) -> String {
    switch syntax.form {
    case .exactly(let operand): return self.operand(operand)
    case .range(let low, let high): return "\(operand(low))..\(operand(high))"
    case .oneOf(let all): return "one of (\(all.map { operand($0) }.joined(separator: ", ")))"
    }
  }

  private func operand(_ operand: Operand<Numeral>) -> String {
    switch operand {
    case .literal(let numeral): return Environment.text(numeral.millionths)
    case .variable(let word): return variable(word)
    }
  }

  func size(_ syntax: SizeSyntax) -> String { measured(syntax.form, Measure.size) }
  func duration(_ syntax: DurationSyntax) -> String { measured(syntax.form, Measure.duration) }

  private func measured(_ form: SizeSyntax.Form, _ measure: Measure) -> String {
    switch form {
    case .exactly(.literal(let value)): return measure.text(value)
    case .exactly(.variable(let word)): return variable(word)
    case .range(let low, let high): return "\(measure.text(low))..\(measure.text(high))"
    }
  }

  func scalar(_ syntax: ScalarSyntax) -> String {
    switch syntax.value {
    case .number(let numeral): return Environment.text(numeral.millionths)
    case .size(let bytes): return Measure.size.text(bytes)
    case .duration(let milliseconds): return Measure.duration.text(milliseconds)
    case .string(let text): return quoted(text)
    case .name(let name): return name
    case .variable(let name): return variable(Word(name, syntax.place))
    }
  }

  func quoted(_ text: String) -> String { FaultTarget.quoted(text) }
}

extension Measure {
  /// The value in the largest unit that needs no point.
  func text(_ value: UInt64) -> String { PlanUnits.text(value, in: worth) }
}
