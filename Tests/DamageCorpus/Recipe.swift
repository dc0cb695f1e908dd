/// Damage in words: what is done to a sound document, one step after the other.
///
///     cut page1 -33
///     field page1 generation add sealed ; remove manifest
///
/// The verbs and their words are in `DamageStage.verbs`, the names of files in `DamageStage.path(of:)`.
package struct Recipe: Hashable, Sendable, CustomStringConvertible {
  /// The steps, each as its words.
  package let steps: [[String]]

  /// The recipe of a text.
  package init(_ text: String) {
    steps = text.split(separator: ";").map { $0.split(separator: " ").map(String.init) }.filter { !$0.isEmpty }
  }

  /// The recipe of these steps.
  package init(steps: [[String]]) { self.steps = steps }

  /// As it is written.
  package var description: String { steps.map { $0.joined(separator: " ") }.joined(separator: " ; ") }
}

/// Why a recipe cannot be followed.
package struct RecipeError: Error, CustomStringConvertible {
  /// The step and what is wrong with it.
  package let description: String
}
