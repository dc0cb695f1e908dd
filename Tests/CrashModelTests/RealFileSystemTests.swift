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

  /// The groups of observations that share a workload and a model.
  static let groups = Dictionary(grouping: observations) { "\($0.workload) \($0.model)" }
    .sorted { $0.key < $1.key }.map(\.value)

  @Test func allObservationsAreRead() {
    #expect(Self.observations.count == 1074)
    #expect(Set(Self.observations.map(\.workload)) == Set(RealWorkload.all.keys))
    #expect(Set(Self.observations.map(\.model)).count == 9)
  }

  @Test(arguments: groups) func everyObservedStateIsPossible(_ group: [Observation]) throws {
    let workload = try #require(RealWorkload.all[group[0].workload])
    let model = try #require(PersistenceModel.named(group[0].model))
    let bench = try Workbench.run(workload)
    var open: [Row] = []
    for observation in group {
      for label in observation.after {
        let range = try #require(Self.moments(after: label, in: workload, bench))
        open.append(Row(observation: observation, label: label, range: range))
      }
    }
    let recording = try #require(bench.disk.recording)
    var window = CrashWindow(recording, model)
    func settle(_ moment: ClosedRange<UInt64>) {
      open.removeAll { $0.range.overlaps(moment) && window.allows($0.observation.tree, on: bench.disk) }
    }
    settle(0...0)
    for record in recording.records {
      // Under way: behind the record before, up to this one.
      _ = try window.begin(record)
      settle(record.number...record.number)
      _ = window.finish()
      settle(record.number...record.number)
    }
    #expect(open.isEmpty, "\(open.map { "\($0.observation) after '\($0.label)'" }.joined(separator: "\n"))")
  }

  struct Row {
    var observation: Observation
    var label: String
    var range: ClosedRange<UInt64>
  }

  /// The records during which a crash left what was seen behind a step: up to the end of the next.
  static func moments(
    after label: String, in workload: RealWorkload, _ bench: Workbench
  ) -> ClosedRange<UInt64>? {
    let last = bench.ends.last ?? 0
    switch label {
    case "any": return 0...last
    case "start": return 0...(bench.ends.first ?? 0)
    case "end": return last...last
    default:
      guard let index = workload.steps.firstIndex(where: { $0.label == label }) else { return nil }
      return bench.ends[index]...bench.ends[min(index + 1, bench.ends.count - 1)]
    }
  }
}
