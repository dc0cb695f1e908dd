import Bytes
import JSON

/// What came of one case. It has no time and no host: the same case gives the same record everywhere.
package struct CampaignRecord: Sendable {
  /// How a case came out.
  package enum Outcome: Sendable {
    case passed
    case failed(CampaignFinding)
    /// Nothing can be said, and why.
    case unknown(String)
  }

  /// The case.
  package let planned: PlannedCase
  /// How it came out.
  package var outcome: Outcome
  /// How many crash states were judged.
  package var states = 0
  /// How many faults fired.
  package var faults = 0
  /// How many steps were taken.
  package var steps = 0
  /// What was covered.
  package var cells: Set<CoverageCell> = []
  /// What the case says that it reaches sometimes.
  package var sometimes: Set<String> = []
  /// What of it was reached.
  package var reached: Set<String> = []

  /// A record of a case.
  package init(_ planned: PlannedCase, _ outcome: Outcome) {
    self.planned = planned
    self.outcome = outcome
  }

  /// The failure; nil where there is none.
  package var finding: CampaignFinding? { if case .failed(let finding) = outcome { finding } else { nil } }
}

/// What a case has covered: a kind of fault, on what, in which store and model, and the verdict.
package struct CoverageCell: Sendable, Hashable {
  /// The five parts, in this order: store, model, fault, operation with its role, class of the verdict.
  package let parts: [String]

  /// A cell of these parts.
  package init(store: String, model: String, fault: String, role: String, verdict: String) {
    parts = [store, model, fault, role, verdict]
  }

  /// The cell of this text; nil where it has another number of parts.
  init?(text: String) {
    parts = text.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 5 else { return nil }
  }

  /// "snapshot|ext4-ordered|power-cut|rename page|clean".
  package var text: String { parts.joined(separator: "|") }
  /// The store.
  package var store: String { parts[0] }
  /// The model.
  package var model: String { parts[1] }
  /// The kind of fault.
  package var fault: String { parts[2] }
  /// The operation and the role of its file.
  package var role: String { parts[3] }
  /// The class of the verdict.
  package var verdict: String { parts[4] }
}

/// Eight hex digits that tell texts apart.
func shortMark(of text: String) -> String {
  Hex.text(of: UInt32(truncatingIfNeeded: XXH3.digest64(of: Array(text.utf8))))
}

extension CampaignRecord {
  /// The record as an object.
  package var json: JSONValue {
    var members: [String: JSONValue] = [
      "case": .string(planned.identity), "states": JSONValue(states), "faults": JSONValue(faults),
      "steps": JSONValue(steps), "cells": .texts(cells.map(\.text)), "sometimes": .texts(sometimes),
      "reached": .texts(reached),
    ]
    switch outcome {
    case .passed: members["outcome"] = "passed"
    case .failed(let finding):
      members["outcome"] = "failed"
      members["finding"] = finding.json
    case .unknown(let why):
      members["outcome"] = "unknown"
      members["why"] = .string(why)
    }
    return .object(members)
  }

  /// The record of an object.
  package init(json: JSONValue) throws(CampaignError) {
    let fields = try Fields(json, of: "a record")
    guard let planned = PlannedCase(identity: try fields.string("case")) else {
      throw fields.wrong("case", "names no case")
    }
    switch try fields.string("outcome") {
    case "passed": self.init(planned, .passed)
    case "failed": self.init(planned, .failed(try CampaignFinding(json: try fields.value("finding"))))
    case "unknown": self.init(planned, .unknown(try fields.string("why")))
    default: throw fields.wrong("outcome", "is none that this version knows")
    }
    states = try fields.integer("states")
    faults = try fields.integer("faults")
    steps = try fields.integer("steps")
    for text in try fields.strings("cells") {
      guard let cell = CoverageCell(text: text) else { throw fields.wrong("cells", "'\(text)' is no cell") }
      cells.insert(cell)
    }
    sometimes = Set(try fields.strings("sometimes"))
    reached = Set(try fields.strings("reached"))
  }
}

extension JSONValue {
  /// Texts in the order of their bytes.
  static func texts(_ texts: some Sequence<String>) -> JSONValue {
    .array(texts.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map { .string($0) })
  }
}
