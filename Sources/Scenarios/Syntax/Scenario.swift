/// A scenario as it is written: every part with its place, nothing looked up yet.
package struct Scenario: Sendable {
  /// The title in its first line; empty where the first line is wrong.
  package var title: String
  /// What follows the first line, in order.
  var items: [ScenarioItem]

  /// The most a scenario's file may hold, in bytes.
  package static let fileBytesMax = 1 << 20
  /// How deep blocks may stand in each other.
  package static let nestingMax = 64

  /// The steps, in order, without definitions.
  var steps: [Step] { items.compactMap { if case .step(let step) = $0 { step } else { nil } } }
}

/// One thing at the outermost level of a file.
enum ScenarioItem: Sendable {
  case setting(Setting)
  case parameter(Parameter)
  case include(Spelled<String>)
  case definition(Definition)
  case document(DocumentSyntax)
  case step(Step)
}

/// Something and its place.
struct Spelled<Value: Sendable & Hashable>: Hashable, Sendable {
  var value: Value
  var place: SourcePlace

  init(_ value: Value, _ place: SourcePlace) {
    self.value = value
    self.place = place
  }
}

/// A word or a name and its place.
typealias Word = Spelled<String>

/// A setting of a scenario.
struct Setting: Sendable {
  var place: SourcePlace
  var kind: Kind

  enum Kind: Sendable {
    case store([Word])
    case model([Word])
    case autosave(DurationSyntax)
    case seed(Word)
    case durability([Word])
    case budget(cases: Word?, time: DurationSyntax?)
    case tags([Word])
    case issue(String)
    case knownFailing(String)
    case command(String)
    case mutant(Word)
    case thumbnails(Word)
  }
}

/// `param NAME = VALUE`.
struct Parameter: Sendable {
  var name: Word
  var value: ScalarSyntax
}

/// `define NAME(PARAMETERS) { … }`.
struct Definition: Sendable {
  var name: Word
  var parameters: [Word]
  var body: Block
}

/// `document "Trip" as trip { … }`.
struct DocumentSyntax: Sendable {
  var place: SourcePlace
  var title: Word
  var alias: Word?
  var pages: [PageSyntax]
}

/// `page p1 768x1024 strokes 40 points 80 images 2`.
struct PageSyntax: Sendable {
  var name: Word
  var canvas: CanvasSyntax?
  var strokes: NumberSyntax?
  var points: NumberSyntax?
  var images: NumberSyntax?
}

/// `768x1024`, in points.
struct CanvasSyntax: Hashable, Sendable {
  var width: Int
  var height: Int
  var place: SourcePlace
}
