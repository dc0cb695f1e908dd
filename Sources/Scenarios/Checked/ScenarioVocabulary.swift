/// Names that other rooms own and a scenario may use. Handed in, so that a misspelt one is found before a run.
package struct ScenarioVocabulary: Sendable {
  /// The names of the store's seeded bugs.
  package var mutants: [String]
  /// The checker's kinds of problem.
  package var problems: [(code: String, name: String)]
  /// The names of the persistence models.
  package var models: [String]

  /// A vocabulary of these names.
  package init(mutants: [String], problems: [(code: String, name: String)], models: [String]) {
    self.mutants = mutants
    self.problems = problems
    self.models = models
  }
}
