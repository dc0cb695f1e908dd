import CrashModel
import LNoteFsck
import LNoteStore
import Scenarios

extension ScenarioVocabulary {
  /// The names of our own store and checker.
  package static let own = ScenarioVocabulary(
    mutants: StoreMutant.all.map(\.name), problems: ProblemKind.all.map { ($0.code, $0.name) },
    models: PersistenceModel.all.map(\.name))

  /// Our store's seeded bugs, each with its sentence.
  package static let mutantSentences: [(name: String, sentence: String)] = StoreMutant.all.map {
    ($0.name, $0.sentence)
  }

  /// Our checker's kinds of problem, each with its cause.
  package static let problemCauses: [(name: String, sentence: String)] = ProblemKind.all.map {
    ("\($0.code) \($0.name)", $0.cause)
  }

  /// The persistence models, from the strongest to the weakest, each with what it stands for.
  package static let modelTitles: [(name: String, sentence: String)] = PersistenceModel.all.map {
    ($0.name, $0.title + ($0.isMeasured ? "" : " (from documents, not measured)"))
  }
}
