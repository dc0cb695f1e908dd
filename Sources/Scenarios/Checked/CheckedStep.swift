import FileTracing
import Files

/// One step, ready to run.
package struct CheckedStep: Sendable {
  /// Where it stands in the file.
  package var place: SourcePlace
  /// The step in one line, as the run's output shows it: "power-cut on rename of page p1".
  package var description: String
  /// Which round of the loops around it this is, outermost first; empty outside of loops.
  package var rounds: [Round]
  /// What to do.
  package var action: StepAction

  /// A step of these values.
  package init(place: SourcePlace, description: String, rounds: [Round] = [], action: StepAction) {
    self.place = place
    self.description = description
    self.rounds = rounds
    self.action = action
  }

  /// A round of a loop: the `number`th, from 1, of `count`; nil for a loop until success.
  package struct Round: Hashable, Sendable {
    /// The round, counted from 1.
    package let number: Int
    /// How many rounds there are; nil where that is not known.
    package let count: Int?
  }
}

/// What a step does.
package indirect enum StepAction: Sendable {
  // Editing.
  case stroke(StrokeStep)
  /// Rubs out the middle of a stroke; what is left of it are two pieces, the first keeps the identity.
  case erase(EraseTarget)
  /// Moves an element, or all of a page's elements, by tenths of a point.
  case moveElements(ElementTarget, dxDeciPoints: Int32, dyDeciPoints: Int32)
  case insertImage(ImageStep)
  /// Deletes one element.
  case deleteElement(ElementReference)
  case addPage(ScenarioPage, at: Int?)
  case deletePage(PageReference)
  /// Moves a page to a place counted from 0.
  case movePage(PageReference, to: Int)
  case title(document: ScenarioDocument, title: String)
  /// Takes back the last changes of elements, this many of them.
  case undo(document: ScenarioDocument, count: Int)
  /// Makes changes again that were taken back.
  case redo(document: ScenarioDocument, count: Int)

  // Time and life.
  case wait(milliseconds: UInt64)
  case waitUntilSaved
  case background
  case foreground
  /// Closes every document (cleans what they no longer use).
  case close
  /// Opens every document again; after a cut the mount is remade first. A failure is a failed expectation, unless it
  /// is the error that the `expect error` directly behind names.
  case reopen(expecting: Errno?)
  /// The process dies now; the page cache survives.
  case kill
  /// The power goes now.
  case powerCut(SurvivingState)
  /// The power goes now, and leaves this state.
  case chosenCut(ChosenState)
  /// A check whose findings are shown and decide nothing.
  case fsck
  /// `lnote-fsck -y` in place: open documents are let go first and opened again afterwards.
  case repair

  // The disk.
  case arm(FaultRule)
  /// Disarms the rule of this name.
  case clear(String)
  case clearFaults
  /// Bytes left from now on; nil is without limit.
  case freeSpace(UInt64?)
  /// Armed while the steps run, disarmed behind them. Also `power-cut on … { }` and `kill on … { }`.
  case armed([ArmedCondition], [CheckedStep])
  /// For each rule: from the state in front of this step, run `steps` with that rename torn and the power cut right
  /// after it, then run `check`.
  case tornRenames(TornRenameSweep)
  /// Runs `steps` once while the disk records; then, for each state that a crash may leave, `check` on that state.
  case crashes(CrashSweep)
  /// For n = 1, 2, 3 …: from the state in front of this step, runs `steps` with the nth matching operation failing, then
  /// `check`; ends with the first n that is not reached.
  case failures(FailureSweep)

  // Words for the run.
  /// Names the current content of every page.
  case remember(String)
  case note(String)
  /// Something that has to come about in some run; here it has.
  case sometimes(String)
  /// The rounds, one after the other, until one in which nothing failed.
  case untilSuccess([[CheckedStep]])
  case expect(Expectation)
}

/// `stroke p1 points 50 pen fountain width 2.5 at 10, 20 as line`.
package struct StrokeStep: Hashable, Sendable {
  /// The new stroke.
  package var stroke: ElementReference
  /// The number of sample points, at least 1.
  package var points: Int
  /// The pen's name.
  package var pen: Pen
  /// The width in tenths of a point, at least 1.
  package var widthDeciPoints: UInt16
  /// Where it begins, in tenths of a point; nil for a place made from the seed.
  package var origin: CanvasPoint?

  /// The pens of the app.
  package enum Pen: String, CaseIterable, Sendable {
    case ballpoint, fountain, pencil, marker
  }
}

/// A place on a page in tenths of a point.
package struct CanvasPoint: Hashable, Sendable {
  /// To the right.
  package var x: Int32
  /// Downwards.
  package var y: Int32
}

/// `insert-image p1 size 2MiB as photo`.
package struct ImageStep: Hashable, Sendable {
  /// The new image and its asset.
  package var image: ElementReference
  /// The size of the JPEG in bytes.
  package var sizeBytes: Int
  /// The bytes, where they come from a file; nil for a made picture.
  package var jpeg: [UInt8]?
}

/// What `erase` rubs at.
package enum EraseTarget: Hashable, Sendable {
  case stroke(ElementReference)
  /// The newest strokes of a page, this many of them.
  case newestStrokes(PageReference, Int)
}

/// What `move … by` moves.
package enum ElementTarget: Hashable, Sendable {
  case element(ElementReference)
  /// Every element of the page.
  case page(PageReference)
}

/// What holds while the steps of a block run.
package enum ArmedCondition: Hashable, Sendable {
  case fault(FaultRule)
  /// A rule that cuts the power, which leaves this state.
  case chosenCut(FaultRule, ChosenState)
  /// Bytes left from the block's beginning; at its end space is unlimited again.
  case freeSpace(UInt64)

  /// The rule; nil for a bound on space.
  package var rule: FaultRule? {
    switch self {
    case .fault(let rule), .chosenCut(let rule, _): rule
    case .freeSpace: nil
    }
  }
}

/// `for each torn-rename of document in { … } check { … }`.
package struct TornRenameSweep: Sendable {
  /// The rules, one a way, in the order of the documentation; each tears the first matching rename.
  package var rules: [FaultRule]
  /// How many ways `at-most` left out.
  package var leftOut: Int
  /// The steps with the rename.
  package var steps: [CheckedStep]
  /// The steps that judge each outcome.
  package var check: [CheckedStep]
}

/// `for each crash depth 2 at-most 400 in { … } then { … } check { … }`.
package struct CrashSweep: Sendable {
  /// The deepest that crashes nest.
  package static let depthMax = 3

  /// How many states are looked at, of each depth; nil for all.
  package var atMost: Int?
  /// How deep crashes nest: at 2 each recovery from a crash is recorded too, and crashed.
  package var depth = 1
  /// The steps that are recorded.
  package var steps: [CheckedStep]
  /// The steps that judge each state.
  package var check: [CheckedStep]
  /// The next session, behind a check that a state has passed; it is crashed with the recovery.
  package var next: [CheckedStep] = []

  /// A sweep of these parts.
  package init(atMost: Int?, steps: [CheckedStep], check: [CheckedStep]) {
    self.atMost = atMost
    self.steps = steps
    self.check = check
  }
}

/// `for each failure EIO on write in { … } check { … }`.
package struct FailureSweep: Sendable {
  /// The rule, without a count.
  package var rule: FaultRule
  /// How many failures are tried; nil for all.
  package var atMost: Int?
  /// The steps in which an operation fails.
  package var steps: [CheckedStep]
  /// The steps that judge each outcome.
  package var check: [CheckedStep]
}
