import Harness
import PropertyTesting
import Scenarios

/// Makes up scenarios: a session, what goes wrong in it, and what must be true behind it.
///
/// The order of every list is that of simplicity and never changes, since a stored choice is a place in it.
package struct ScenarioInventor: Sendable {
  /// A bug of the store that is put into every scenario; nil for the store as it is.
  package var mutant: String?
  /// The models under which crashes are gone through; empty for those that were measured.
  package var models: [String]
  /// How hard the store syncs; nil for its own way.
  package var durability: String?

  /// An inventor of scenarios for a store.
  package init(mutant: String? = nil, models: [String] = [], durability: String? = nil) {
    self.mutant = mutant
    self.models = models
    self.durability = durability
  }

  /// The inventor that these settings of a plan name.
  package init(_ settings: [String: String]) {
    self.init(
      mutant: settings["mutant"], models: settings["models"]?.split(separator: ",").map(String.init) ?? [],
      durability: settings["durability"])
  }

  /// Settings of a plan that name this inventor.
  package var settings: [String: String] {
    var settings: [String: String] = [:]
    settings["mutant"] = mutant
    settings["models"] = models.isEmpty ? nil : models.joined(separator: ",")
    settings["durability"] = durability
    return settings
  }

  /// The names of the models that there are.
  package static var knownModels: [String] { ScenarioVocabulary.modelTitles.map(\.name) }

  /// What goes wrong.
  enum Hazard: Int, CaseIterable {
    case powerCut, kill, cutInside, everyCrash, fault, everyFailure, tornRename, fullDisk, unreadable, olderPage

    var weight: Int {
      switch self {
      case .powerCut, .kill, .tornRename, .fullDisk, .olderPage: 1
      case .cutInside, .everyFailure, .unreadable: 2
      case .everyCrash, .fault: 4
      }
    }
  }

  /// The scenario that these choices make.
  ///
  /// - Parameter aim: what it shall be about, as far as chance would decide; nil for chance alone.
  func scenario(from source: ChoiceSource, aim: Aim?) -> InventedScenario {
    var writer = SessionWriter(source)
    var settings: [String] = []
    if !models.isEmpty { settings.append("model " + models.joined(separator: ", ")) }
    if let durability { settings.append("durability \(durability)") }
    if let mutant { settings.append("mutant \(mutant)") }
    var hazard = Hazard.allCases[source.pick(weights: Hazard.allCases.map(\.weight), wish: aim?.hazard.rawValue)]
    // A model says what a crash may do to a rename: there is none to be torn besides.
    if !models.isEmpty && (hazard == .tornRename || hazard == .olderPage) { hazard = .everyCrash }
    let first = source.span("first session") { writer.steps(0...12, usually: 2) }
    // Behind a settled session a sweep begins with nothing in flight.
    var settled = source.bool(0.5) ? writer.settle() : []
    // A page that is in memory is not read.
    if hazard == .unreadable { settled = writer.settle() + writer.openAgain() }
    // A rule names what is there before its block.
    let (pages, images) = (writer.pageNames, writer.imageNames)
    let second = source.span("second session") { writer.steps(1...6, usually: 2.5) } + writer.settle()
    let stayed = pages.filter(writer.pageNames.contains)
    if hazard == .olderPage && stayed.isEmpty { hazard = .powerCut }
    let middle = source.span("hazard") { () -> InventedScenario.Middle in
      let writer = HazardWriter(
        source: source, aim: aim, steps: second, pages: stayed, images: images.filter(writer.imageNames.contains))
      return writer.middle(hazard)
    }
    let isJudged = if case .sweep = middle { true } else { hazard == .olderPage }
    // A page comes back older only where it was saved before.
    let before = hazard == .olderPage ? second : []
    return InventedScenario(
      settings: settings, documents: writer.documents, steps: first + settled + before, middle: middle,
      ending: isJudged ? [] : HazardWriter.judging(hazard))
  }

  /// The scenario that these choices make.
  package func scenario(from source: ChoiceSource) -> InventedScenario { scenario(from: source, aim: nil) }
}
