/// Things that earlier steps have made and later ones refer to, by name: page1, page2 …
///
/// It is part of the machine's model, so that each case has its own.
package struct Bundle<Value> {
  /// One of its things.
  package struct Reference {
    /// What it is called in what is told.
    package let name: String
    /// The thing.
    package let value: Value
    fileprivate let number: Int
  }

  private let kind: String
  private var made = 0
  private var references: [Reference] = []

  /// An empty one; `kind` begins the names.
  package init(_ kind: String) { self.kind = kind }

  /// True where nothing can be drawn.
  package var isEmpty: Bool { references.isEmpty }
  /// How many there are.
  package var count: Int { references.count }

  /// Adds a thing and names it.
  @discardableResult
  package mutating func add(_ value: Value) -> Reference {
    made += 1
    let reference = Reference(name: "\(kind)\(made)", value: value, number: made)
    references.append(reference)
    return reference
  }

  /// One of the things; the oldest is the simplest. Precondition: there is one.
  package func draw(_ source: ChoiceSource) -> Reference { source.pick(references) }

  /// Takes the thing away: later steps cannot refer to it.
  package mutating func remove(_ reference: Reference) { references.removeAll { $0.number == reference.number } }
}
