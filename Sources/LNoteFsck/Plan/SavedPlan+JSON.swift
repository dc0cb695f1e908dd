import Files
import JSON
import LNoteFormat

extension SavedPlan {
  static let format = "lnote-fsck plan"
  static let version: Int64 = 1

  /// The bytes of the plan's file.
  package func encoded() -> [UInt8] {
    JSONValue.object([
      "format": .string(SavedPlan.format), "version": .integer(SavedPlan.version), "mode": .string(mode.word),
      "made": .string(made.text), "documents": .array(documents.map { .object($0.members) }),
    ]).fileBytes()
  }

  /// Reads a plan's file; whatever the bytes are, it says where they are no plan.
  package static func read(_ bytes: [UInt8]) throws(PlanFault) -> SavedPlan {
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONValue.parse(bytes, depthMax: 16)
    } catch {
      throw PlanFault("\(error)")
    }
    guard value["format"]?.string == format else { throw PlanFault("format", "it is no plan of lnote-fsck") }
    guard let number = value["version"]?.integer else { throw PlanFault("version", "must be a number") }
    guard number == version else {
      throw PlanFault("version", "is \(number), and this lnote-fsck reads \(version): use the one that made it")
    }
    guard let mode = value["mode"]?.string.flatMap({ RepairMode(word: $0) }) else {
      throw PlanFault("mode", "must be \"yes\" or \"safe\"")
    }
    guard let made = value["made"]?.string.flatMap({ Timestamp(text: $0) }) else {
      throw PlanFault("made", "must be a time like 2026-07-01T09:30:00.000Z")
    }
    guard let list = value["documents"]?.array, !list.isEmpty else {
      throw PlanFault("documents", "must be a list that is not empty")
    }
    var documents: [PlannedDocument] = []
    var names: Set<BytePath> = []
    for (index, item) in list.enumerated() {
      let document = try PlannedDocument(item, at: "documents[\(index)]")
      guard names.insert(document.name).inserted else {
        throw PlanFault("documents[\(index)].package", "is there twice")
      }
      documents.append(document)
    }
    return SavedPlan(mode: mode, made: made, documents: documents)
  }
}

/// Why a file is no plan, and where.
package struct PlanFault: Error, Hashable, CustomStringConvertible {
  /// "documents[0].steps[2].path must be a place in the document".
  package let description: String

  init(_ description: String) { self.description = description }
  init(_ keyPath: String, _ reason: String) { description = "\(keyPath) \(reason)" }
}

extension RepairMode {
  /// The mode's word in JSON.
  var word: String { self == .all ? "yes" : "safe" }

  init?(word: String) {
    switch word {
    case "yes": self = .all
    case "safe": self = .automatic
    default: return nil
    }
  }
}

extension PlannedDocument {
  /// What the file and the line of `--json` say of it.
  var members: [String: JSONValue] {
    var members: [String: JSONValue] = ["steps": .array(steps.map { .object($0.members) })]
    members.add("package", name)
    if let title { members["title"] = .string(title) }
    return members
  }

  fileprivate init(_ value: JSONValue, at place: String) throws(PlanFault) {
    guard let name = value.path("package"), name.components.count == 1, name.isPlaceWithin else {
      throw PlanFault("\(place).package", "must be the name of a document's folder")
    }
    guard let list = value["steps"]?.array, !list.isEmpty else {
      throw PlanFault("\(place).steps", "must be a list that is not empty")
    }
    var steps: [PlannedStep] = []
    for (index, item) in list.enumerated() { steps.append(try PlannedStep(item, at: "\(place).steps[\(index)]")) }
    (self.name, self.steps) = (name, steps)
    title = value["title"]?.string
  }
}

extension PlannedStep {
  fileprivate var members: [String: JSONValue] {
    var members: [String: JSONValue] = [
      "code": .string(code), "why": .string(why), "action": .string(action),
      "inputs": .array(
        inputs.map { input in
          var members = input.state.members
          members.add("path", input.path)
          return .object(members)
        }),
    ]
    members.add("path", path)
    if let result { members["result"] = .object(result.members) }
    return members
  }

  fileprivate init(_ value: JSONValue, at place: String) throws(PlanFault) {
    func text(_ key: String) throws(PlanFault) -> String {
      guard let text = value[key]?.string else { throw PlanFault("\(place).\(key)", "must be a text") }
      return text
    }
    guard let path = value.path("path"), path.isPlaceWithin else {
      throw PlanFault("\(place).path", "must be a place in the document")
    }
    guard let list = value["inputs"]?.array else { throw PlanFault("\(place).inputs", "must be a list") }
    var inputs: [PlanInput] = []
    for (index, item) in list.enumerated() {
      guard let path = item.path("path"), path.isPlaceWithin else {
        throw PlanFault("\(place).inputs[\(index)].path", "must be a place in the document")
      }
      guard let state = PlaceState(item) else {
        throw PlanFault("\(place).inputs[\(index)]", "must say what stands there")
      }
      inputs.append(PlanInput(path: path, state: state))
    }
    var result: PlaceState?
    if let item = value["result"] {
      result = PlaceState(item)
      if result == nil { throw PlanFault("\(place).result", "must say what is written") }
    }
    self.init(
      code: try text("code"), why: try text("why"), action: try text("action"), path: path, inputs: inputs,
      result: result)
  }
}

extension BytePath {
  /// True for a path that leads nowhere but into the folder that it is taken in.
  fileprivate var isPlaceWithin: Bool {
    let parts = bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return parts.allSatisfy { !$0.isEmpty && $0 != [0x2E] && $0 != [0x2E, 0x2E] && !$0.contains(0) }
  }
}
