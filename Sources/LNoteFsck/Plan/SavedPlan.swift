import Bytes
import Files
import LNoteFormat

/// A plan that is kept in a file, to be read by people and applied later, perhaps on another machine.
///
/// It holds no content. Whoever applies it makes the plan anew, from what is there then, and does it only where every
/// step, what it stands on and what it writes are the same as here.
package struct SavedPlan: Hashable, Sendable {
  /// What the plan allows.
  package var mode: RepairMode
  /// When it was made.
  package var made: Timestamp
  /// What it does, document by document; those without a step are not in it.
  package var documents: [PlannedDocument]

  /// A plan of these values.
  package init(mode: RepairMode, made: Timestamp, documents: [PlannedDocument]) {
    self.mode = mode
    self.made = made
    self.documents = documents
  }

  /// The most bytes of a plan's file that are read.
  package static let fileBytesMax = 16 << 20
}

/// What a plan does to one document.
package struct PlannedDocument: Hashable, Sendable {
  /// The name of its folder.
  package let name: BytePath
  /// Its title; nil where nothing tells it.
  package let title: String?
  /// The steps, in order.
  package let steps: [PlannedStep]
}

/// One step of a plan, with what it stands on and what it writes.
package struct PlannedStep: Hashable, Sendable {
  /// Because of which problem.
  let code: String
  /// The problem in the user's words.
  let why: String
  /// What it does, as in the lines of `--json`.
  let action: String
  /// On what, relative to the document.
  let path: BytePath
  /// What has to stand there before, and at every other place that the step reads or moves.
  let inputs: [PlanInput]
  /// What it writes; nil where that follows from the inputs, or is no file.
  let result: PlaceState?
}

/// What has to stand at a place.
struct PlanInput: Hashable, Sendable {
  let path: BytePath
  let state: PlaceState
}

extension PlannedDocument {
  /// The plan for the package with the states of everything that it stands on.
  init(_ plan: RepairPlan, of facts: PackageFacts, in volume: any Volume) throws(FileCallError) {
    name = facts.path.name
    title = facts.title
    var known: [BytePath: PlaceState] = [:]
    var steps: [PlannedStep] = []
    for step in plan.steps {
      var inputs: [PlanInput] = []
      for path in step.inputPaths {
        if known[path] == nil { known[path] = try volume.state(at: facts.path.appending(path)) }
        inputs.append(PlanInput(path: path, state: known[path] ?? .nothing))
      }
      steps.append(
        PlannedStep(
          code: step.code, why: step.why, action: step.description, path: step.path, inputs: inputs,
          result: step.result))
    }
    self.steps = steps
  }

  /// The places on which the plan stands and where something else stands now.
  func changedPlaces(of package: BytePath, in volume: any Volume) throws(FileCallError) -> [BytePath] {
    var changed: [BytePath] = []
    for input in steps.flatMap(\.inputs) where !changed.contains(input.path) {
      if try volume.state(at: package.appending(input.path)) != input.state { changed.append(input.path) }
    }
    return changed
  }
}

extension RepairStep {
  /// The places that the step reads, replaces or moves.
  var inputPaths: [BytePath] {
    switch work {
    case .rename(let from): [from, path]
    case .adoptPage(let order): [order.from, path]
    case .drawThumbnail(let page): [PackagePaths.page(page), path]
    default: [path]
    }
  }

  /// What it writes, where the plan alone decides that.
  var result: PlaceState? {
    switch work {
    case .fetch(let file): file.state
    case .writeDocument(let record): PlaceState(ofFile: record.encoded())
    case .writeManifest(let record): PlaceState(ofFile: record.encoded())
    case .writeEmptyPage(let page): PlaceState(ofFile: page.encoded())
    default: nil
    }
  }
}

extension PlaceState {
  /// A file of these bytes.
  init(ofFile bytes: [UInt8]) {
    self = .file(digest: XXH3.digest128(of: bytes).digits, bytes: UInt64(bytes.count))
  }
}
