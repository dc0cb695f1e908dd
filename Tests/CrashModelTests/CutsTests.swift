import FaultDisk
import FileTracing
import Files
import Testing

@testable import CrashModel

private let n = UInt8(ascii: "n")

/// However one walks along the cuts of a moment, each is the durable names and the first of the changes.
@Suite struct CutsTests {
  /// Calls of every kind that changes names, and attributes of a file that is new.
  private static func recording() throws -> Recording {
    var bench = Workbench()
    for call: WorkloadCall in [.put("f", n, 10), .put("g", n, 10), .mkdir("A"), .put("A/a", n, 10)] {
      try bench.make(call)
    }
    bench.disk.beginRecording()
    let calls: [WorkloadCall] = [
      .mkdir("D"), .put("D/a", n, 10), .symlink("a", "D/s"), .fsync("f"), .rename("D/a", "f"), .rename("A/a", "g"),
      .fsync("f"), .link("f", "D/l"), .exchange("D/l", "g"), .unlink("g"), .unlink("D/s"), .append("f", n, 9000),
    ]
    for call in calls { try bench.make(call) }
    let caller = Caller(thread: 1, user: 0, group: 0)
    try bench.disk.withEngine { (engine: inout DiskEngine) throws -> Void in
      let number = try engine.lookup("f", in: engine.rootInode, caller).number
      _ = try engine.setAttributes(of: number, AttributeChange(permissions: 0o600), caller)
    }
    for call: WorkloadCall in [.rename("f", "D/f"), .fsync("D"), .unlink("D/f")] { try bench.make(call) }
    return try #require(bench.disk.recording)
  }

  private static let ordered = PersistenceModel.all.filter { $0.metadataOrder != .free }

  @Test(arguments: ordered.map(\.name)) func eachIsTheFirstChanges(_ name: String) throws {
    let model = try #require(PersistenceModel.named(name))
    let recording = try Self.recording()
    var window = CrashWindow(recording, model)
    var longest = 0
    for record in recording.records {
      _ = try window.begin(record)
      var cuts = Cuts(window, seed: 0)
      longest = max(longest, cuts.count)
      #expect(cuts.isWhole)
      // There and back, and across.
      let places = Array(0..<cuts.count)
      for place in places + places.reversed() + places.map({ $0 * 7 % cuts.count }) {
        let cut = cuts.cut(at: place)
        var fresh = Cuts(window, seed: 0)
        let expected = fresh.cut(at: place)
        #expect(cut.namespace == expected.namespace, "\(name), record \(record.number), cut \(place)")
        #expect(cut.replacements == expected.replacements)
        #expect([cut.firstLost, cut.lastKept] == [expected.firstLost, expected.lastKept])
        #expect(cut.fileInFlight == expected.fileInFlight)
        guard model.metadataOrder != .commitAndLog else { continue }
        var names = window.base
        for change in window.pending.prefix(cuts.count - 1 - place) { names.apply(change) }
        #expect(cut.namespace == names, "\(name), record \(record.number), cut \(place)")
      }
      _ = window.finish()
    }
    #expect(longest > (model.metadataOrder == .immediate ? 1 : 4))
  }

  @Test func whatIsUndoneLeavesNoTrace() throws {
    let tree = DiskTree(
      root: 1, nodes: [1: DiskTree.Node(attributes: RecordedAttributes(kind: .directory, permissions: 0o755))],
      entries: [:])
    let base = Namespace(tree)
    let file = RecordedAttributes(kind: .regular, permissions: 0o600)
    let changes = [
      SlotChange(slot: .attributes(9), value: .attributes(file)),
      SlotChange(slot: .extendedAttribute(9, "user.a"), value: .bytes([1])),
      SlotChange(slot: .name(directory: 1, name: "a"), value: .inode(9)),
      SlotChange(slot: .name(directory: 1, name: "a"), value: .none),
    ]
    var names = base
    var undo: [SlotChange] = []
    for change in changes {
      undo.append(SlotChange(slot: change.slot, value: names.value(of: change.slot)))
      names.apply(change)
    }
    #expect(names != base)
    for change in undo.reversed() { names.apply(change) }
    #expect(names == base)
  }
}
