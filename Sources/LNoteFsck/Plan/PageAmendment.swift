import LNoteFormat

/// One thing in a whole page that is put right, while everything else on it stays as it is.
package enum PageAmendment: String, Hashable, Comparable, Sendable {
  /// Each element is there once, and has an identity of its own.
  case identities
  /// No pressure is beyond the greatest there is.
  case pressure
  /// The page has a size.
  case canvas
  /// The page gets a generation; every amendment gives it a new one.
  case generation

  /// What is put right, in words.
  var words: String {
    switch self {
    case .identities: "identities"
    case .pressure: "pressure"
    case .canvas: "its size"
    case .generation: "its version number"
    }
  }

  /// In the order of their names.
  package static func < (left: PageAmendment, right: PageAmendment) -> Bool { left.rawValue < right.rawValue }
}

/// How a whole page is to be written anew.
package struct AmendOrder: Hashable, Sendable {
  /// The page.
  package var id: NoteID
  /// The new generation.
  package var generation: UInt64
  /// What is put right.
  package var amendments: [PageAmendment]
  /// The canvas.
  package var canvas: CanvasSize
  /// What the survey found; the executor must find the same.
  package var expected: PageSummary

  /// What is put right, in words.
  var words: String { Sentences.list(amendments.sorted().map(\.words)) }

  /// How many elements the page has afterwards.
  var elements: UInt64 {
    expected.elements - (amendments.contains(.identities) ? expected.doubles.same : 0)
  }

  /// The new bytes of the page; nil where the old ones are not what the plan was made for.
  func amended(_ bytes: [UInt8]) -> [UInt8]? {
    guard var page = PageReader.read(bytes, expecting: id).snapshot,
      case .whole(let summary)? = bytes.withUnsafeBytes({ PageSurvey.content(of: $0, id: id, generationHint: nil) }),
      summary == expected
    else { return nil }
    page.generation = generation
    page.canvas = canvas
    if amendments.contains(.identities) { page.elements = ElementDoubles.separated(page.elements, of: id).elements }
    if amendments.contains(.pressure) {
      page.elements = page.elements.map { element in
        if case .stroke(let stroke) = element { .stroke(stroke.withPressureInRange) } else { element }
      }
    }
    return page.encoded()
  }
}
