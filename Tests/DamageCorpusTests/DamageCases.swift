import DamageCorpus
import Files
import JSON
import TestSupport
import Testing

/// A damage with a name: `Tests/Fixtures/damage/cases.txt` has a line for each.
///
///     name | sound document | recipe
struct DamageCase: CustomTestStringConvertible, Sendable {
  let name: String
  let base: String
  let recipe: Recipe

  var testDescription: String { name }

  static let folder = repositoryRoot.appending("Tests/Fixtures/damage")

  static let all: [DamageCase] = {
    let lines = (try? text(of: "cases.txt").split(separator: "\n")) ?? []
    return lines.filter { !$0.hasPrefix("#") && !$0.allSatisfy { $0 == " " } }.map { line in
      let parts = line.split(separator: "|").map { String($0).trimmed }
      precondition(parts.count == 3, "a case has three parts: \(line)")
      return DamageCase(name: parts[0], base: parts[1], recipe: Recipe(parts[2]))
    }
  }()

  /// What is expected of each case, by its name.
  static let expected: [String: JSONValue] = {
    let lines = (try? JSONLines.parse(Array(text(of: "expected.jsonl").utf8))) ?? []
    return Dictionary(lines.compactMap { line in line["case"]?.string.map { ($0, line) } }) { first, _ in first }
  }()

  private static func text(of name: BytePath) throws -> String {
    let host = try HostVolume(root: folder)
    return String(decoding: try host.bytes(of: name), as: UTF8.self)
  }

  /// The damaged library.
  func stage() throws -> DamageStage {
    var stage = DamageStage(try #require(Bases.all[base]))
    try stage.follow(recipe)
    return stage
  }

  /// What the two runs came to, as it is pinned.
  func outcome(_ judge: DamageJudge, _ stage: DamageStage) -> JSONValue {
    var fields: [String: JSONValue] = [
      "case": .string(name), "first": judge.first.json(stage), "second": judge.second.json(stage),
    ]
    if judge.gone > 0 { fields["gone"] = .integer(Int64(judge.gone)) }
    return .object(fields)
  }
}

extension String {
  /// Without spaces at both ends.
  var trimmed: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
