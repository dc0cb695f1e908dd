/// A step as written.
struct Step: Sendable {
  /// From its first word to the last one in front of its block.
  var place: SourcePlace
  var action: Action

  indirect enum Action: Sendable {
    case stroke(StrokeSyntax)
    case erase(Reference, last: NumberSyntax?)
    case move(Reference, dx: NumberSyntax, dy: NumberSyntax)
    case movePage(Reference, to: NumberSyntax)
    case insertImage(ImageSyntax)
    case delete(Reference)
    case deletePage(Reference)
    case addPage(Reference, canvas: CanvasSyntax?, at: NumberSyntax?)
    /// Without a document it is the only one.
    case undo(NumberSyntax?, in: Reference?)
    case redo(NumberSyntax?, in: Reference?)
    case title(String, in: Reference?)
    case wait(DurationSyntax)
    case waitUntilSaved
    case life(LifeWord)
    case powerCut(LossSyntax?)
    case remember(Word)
    case note(String)
    case sometimes(String)
    case fault(FaultSyntax)
    /// Nil is `unlimited`.
    case freeSpace(SizeSyntax?)
    /// Nil is `faults`: all of them.
    case clear(Word?)
    case expect(ExpectSyntax)
    case call(Word, [ScalarSyntax])
    case exec(String)
    case repetition(NumberSyntax, Block)
    case anyOf([ChoiceSyntax])
    case shuffle(Block)
    case with([ArmedSyntax], Block)
    case whenStore(Word, Block)
    /// `power-cut on … { }` and `kill on … { }`.
    case cutBlock(EffectSyntax, TriggerSyntax, Block)
    case sweep(SweepSyntax)
    case loop(LoopSyntax)
  }
}

/// Steps that are one word.
enum LifeWord: String, CaseIterable, Sendable {
  case background, foreground, close, reopen, kill, fsck, repair
}

/// Steps between braces.
struct Block: Sendable {
  /// The place of the opening brace.
  var open: SourcePlace
  var steps: [Step]
}

/// `stroke p1 points 50 pen fountain width 2.5 at 10, 20 as line`.
struct StrokeSyntax: Sendable {
  var page: Reference
  var points: NumberSyntax?
  var pen: Word?
  var width: NumberSyntax?
  var origin: (x: NumberSyntax, y: NumberSyntax)?
  var name: Word?
}

/// `insert-image p1 size 2MiB file "a.jpg" as photo`.
struct ImageSyntax: Sendable {
  var page: Reference
  var size: SizeSyntax?
  var file: Word?
  var name: Word?
}

/// `12: do draw(p1)`: a weight and what it weighs.
struct ChoiceSyntax: Sendable {
  var weight: Word
  var steps: [Step]
}

/// `for each crash [depth N] | failure E [on …] | torn-rename [of …] [at-most N] in { … } [then { … }] check { … }`.
struct SweepSyntax: Sendable {
  var kind: Kind
  var place: SourcePlace
  var atMost: NumberSyntax?
  var body: Block
  /// The session behind a recovery; nil where there is none.
  var next: Block?
  var check: Block

  enum Kind: Sendable {
    case crash(depth: NumberSyntax?)
    case failure(Word, TriggerSyntax?)
    case tornRename(TargetSyntax?)
  }
}

/// `for NAME = 1..9 until success { … }`.
struct LoopSyntax: Sendable {
  var name: Word
  var from: Word
  var to: Word?
  var untilSuccess: SourcePlace?
  var body: Block
}
