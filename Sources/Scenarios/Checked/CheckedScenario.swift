import FileTracing

/// A scenario whose names, ranges and effects are checked. What the harness runs, from first step to last.
///
/// It is concrete: loops are unrolled, definitions and parameters are filled in, nothing in it is random.
package struct CheckedScenario: Sendable {
  /// The title in its first line.
  package var title: String
  /// The settings, with defaults filled in.
  package var settings: ScenarioSettings
  /// The documents that are built and durable before recording begins, in the order of the file.
  package var documents: [ScenarioDocument]
  /// The steps, in order.
  package var steps: [CheckedStep]
}

/// The settings of a scenario, with defaults filled in.
package struct ScenarioSettings: Hashable, Sendable {
  /// How hard the store syncs.
  package enum Durability: String, CaseIterable, Sendable {
    case none, file, full
  }

  /// The engines to run with; in this version always exactly "snapshot".
  package var stores: [String] = ["snapshot"]
  /// The engines that the scenario names and this version does not have.
  package var storesLeftOut: [String] = []
  /// The persistence models that `for each crash` goes through; empty for every one that was measured.
  package var models: [String] = []
  /// The durability policies, each a run of its own; never empty.
  package var durabilities: [Durability] = [.full]
  /// Virtual milliseconds from the last change to the autosave.
  package var autosaveMilliseconds: UInt64 = 500
  /// The seed of everything made up: strokes, pictures, temporary names.
  package var seed: UInt64 = 1
  /// The seeded bug to run the store with; nil for the store as it is.
  package var mutant: String?
  /// True where the store draws small pictures of pages, at `background` and `close`.
  package var drawsThumbnails = false
  /// Words to choose scenarios by.
  package var tags: [String] = []
  /// The issue that the scenario belongs to.
  package var issue: String?
  /// The issue for which the scenario is known to fail; nil for one that has to pass.
  package var knownFailing: String?
}

/// A document of a scenario.
package struct ScenarioDocument: Hashable, Sendable {
  /// The name that steps refer to: after `as`, or made of the title's letters.
  package var name: String
  /// The title.
  package var title: String
  /// Its fixed identity; the package is `<id>.lnote`.
  package var id: FixedID
  /// Its pages when the scenario begins.
  package var pages: [ScenarioPage]
}

/// A page of a document as it is when the scenario begins, or when `add page` makes it.
package struct ScenarioPage: Hashable, Sendable {
  /// Which page.
  package var reference: PageReference
  /// The width in tenths of a point.
  package var widthDeciPoints: Int32
  /// The height in tenths of a point.
  package var heightDeciPoints: Int32
  /// How many strokes it holds.
  package var strokes: Int
  /// How many points each of them has.
  package var pointsPerStroke: Int
  /// How many images it holds.
  package var images: Int
}

/// A page, by its names and by its fixed identities.
package struct PageReference: Hashable, Sendable {
  /// The document's name.
  package var documentName: String
  /// The document's identity.
  package var document: FixedID
  /// The page's name within its document.
  package var pageName: String
  /// The page's identity.
  package var page: FixedID
  /// How reports call it: "p1", or "trip.p1" where there are several documents.
  package var spelling: String
}

/// A stroke or image that a step makes or refers to.
package struct ElementReference: Hashable, Sendable {
  /// The page it is on.
  package var page: PageReference
  /// The element's fixed identity.
  package var element: FixedID
  /// The asset's fixed identity; nil for strokes.
  package var asset: FixedID?
  /// The name given by `as`; nil without.
  package var name: String?
}
