import FaultDisk
import FileTracing
import Files
import JSON
import TestSupport
import Testing

@testable import CrashModel

/// What real file systems showed after a crash must be possible under their models.
@Suite struct RealFileSystemTests {
  struct Observation: Sendable, CustomStringConvertible {
    var model: String
    var workload: String
    var tree: ObservedTree
    var after: [String]

    var description: String { "\(model) \(workload) \(tree.things.sorted { $0.key < $1.key }) after \(after)" }
  }

  static let observations: [Observation] = {
    let folder = try? HostVolume(root: repositoryRoot.appending("Tests/Fixtures/real-fs"))
    let bytes = (try? folder?.readWhole("states.jsonl", sizeMax: 1 << 20)) ?? []
    return bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
      guard let object = (try? JSONValue.parse(Array(line)))?.object else { return nil }
      return Observation(
        model: object["model"]?.string ?? "", workload: object["workload"]?.string ?? "",
        tree: ObservedTree(json: object["tree"] ?? .object([:])),
        after: (object["after"]?.array ?? []).compactMap(\.string))
    }
  }()

  @Test func everyObservedStateIsPossible() throws {
    #expect(Self.observations.count == 1074)
    var failures: [String] = []
    for (name, group) in Dictionary(grouping: Self.observations, by: \.workload).sorted(by: { $0.key < $1.key }) {
      let workload = try #require(RealWorkload.all[name])
      let bench = try Workbench.run(workload)
      for observation in group {
        let model = try #require(PersistenceModel.named(observation.model))
        for label in observation.after
        where try !Self.isPossible(observation.tree, under: model, in: workload, bench, after: label) {
          failures.append("\(observation), not after '\(label)'")
        }
      }
    }
    #expect(failures.isEmpty, "\(failures.count) are not: \(failures.sorted().joined(separator: "\n"))")
  }

  /// True where the tree is possible between the end of the named step and the end of the next.
  static func isPossible(
    _ tree: ObservedTree, under model: PersistenceModel, in workload: RealWorkload, _ bench: Workbench,
    after label: String
  ) throws -> Bool {
    let last = bench.ends.last ?? 0
    let range: ClosedRange<UInt64> =
      switch label {
      case "any": 0...last
      case "start": 0...(bench.ends.first ?? 0)
      case "end": last...last
      default:
        try {
          let index = try #require(workload.steps.firstIndex { $0.label == label })
          let next = min(index + 1, bench.ends.count - 1)
          return bench.ends[index]...bench.ends[next]
        }()
      }
    let recording = try #require(bench.disk.recording)
    var window = CrashWindow(recording.tree, model)
    if range.contains(0), window.allows(tree, on: bench.disk) { return true }
    for record in recording.records {
      _ = try window.begin(record)
      if record.number > range.lowerBound, record.number <= range.upperBound, window.allows(tree, on: bench.disk) {
        return true
      }
      _ = window.finish()
      if range.contains(record.number), window.allows(tree, on: bench.disk) { return true }
    }
    return false
  }
}
