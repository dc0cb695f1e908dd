import FaultDisk
import FileTracing
import Files
import Harness
import TestSupport
import Testing

/// What a seam makes of one step, as the disk below sees it.
@Suite struct AlteredVolumeTests {
  /// A careful save of "a", twice its size in two calls, and the removal of an old file.
  private static func save(on volume: any Volume) throws {
    let file = try volume.open("a.tmp", for: .creating(permissions: 0o600))
    try volume.writeWhole(file, Array("12345678".utf8))
    try volume.synchronize(file)
    try volume.close(file)
    try volume.rename("a.tmp", to: "a")
    let root = try volume.open(.root, for: .directory)
    try volume.synchronize(root)
    try volume.close(root)
    try volume.unlink("old")
  }

  private static func operations(_ alteration: SeamAlteration?) throws -> (calls: [String], content: String) {
    let disk = FaultDisk(DiskConfiguration())
    let below = disk.volume()
    for name: BytePath in ["a", "old"] {
      let file = try below.open(name, for: .creating(permissions: 0o600))
      try below.writeWhole(file, Array("old".utf8))
      try below.close(file)
    }
    disk.beginRecording()
    let seam = Seam(altering: alteration)
    let volume = AlteredVolume(over: below, at: seam)
    seam.begin()
    seam.enter("background")
    try save(on: volume)
    seam.end()
    let kinds: Set<OperationKind> = [.create, .write, .truncate, .fsync, .rename, .link, .unlink]
    let calls = disk.withEngine { engine in
      engine.log.records.filter { kinds.contains($0.kind) && $0.errno == nil }.map { record in
        let names = [record.path, record.otherPath].compactMap { $0 }.map { $0.isRoot ? "." : "\($0)" }
        let bytes = record.kind == .write ? ["\(record.lengthTaken)"] : []
        return ([record.kind.rawValue] + names + bytes).joined(separator: " ")
      }
    }
    return (calls, String(decoding: (try? below.readWhole("a", sizeMax: 99)) ?? [], as: UTF8.self))
  }

  private static let unaltered = [
    "create a.tmp", "write a.tmp 8", "fsync a.tmp", "rename a.tmp a", "fsync .", "unlink old",
  ]

  static let rows: [(way: SeamAlteration.Way, index: Int, calls: [String])] = [
    (.dropped, 0, ["create a.tmp", "write a.tmp 8", "rename a.tmp a", "fsync .", "unlink old"]),
    (.dropped, 2, ["create a.tmp", "write a.tmp 8", "fsync a.tmp", "rename a.tmp a", "unlink old"]),
    (.dropped, 3, ["create a.tmp", "write a.tmp 8", "fsync a.tmp", "rename a.tmp a", "fsync ."]),
    (.postponed, 0, ["create a.tmp", "write a.tmp 8", "rename a.tmp a", "fsync a", "fsync .", "unlink old"]),
    (.postponed, 1, ["create a.tmp", "write a.tmp 8", "fsync a.tmp", "fsync .", "rename a.tmp a", "unlink old"]),
    (.swapped, 2, ["create a.tmp", "write a.tmp 8", "fsync a.tmp", "rename a.tmp a", "unlink old", "fsync ."]),
    // Where nothing follows it is made at the end.
    (.swapped, 3, unaltered),
    (
      .halved, 0,
      ["create a.tmp", "write a.tmp 4", "fsync a.tmp", "write a.tmp 4", "rename a.tmp a", "fsync .", "unlink old"]
    ),
    (
      .copied, 1,
      [
        "create a.tmp", "write a.tmp 8", "fsync a.tmp", "truncate a", "write a 8", "unlink a.tmp", "fsync .",
        "unlink old",
      ]
    ),
    (
      .linked, 1,
      [
        "create a.tmp", "write a.tmp 8", "fsync a.tmp", "unlink a", "link a.tmp a", "unlink a.tmp", "fsync .",
        "unlink old",
      ]
    ),
    (
      .emptied, 3,
      ["create a.tmp", "write a.tmp 8", "fsync a.tmp", "rename a.tmp a", "fsync .", "truncate old", "unlink old"]
    ),
    // Ways that are none for this kind of step.
    (.halved, 1, unaltered), (.copied, 0, unaltered), (.emptied, 2, unaltered),
  ]

  @Test(arguments: rows) func alters(way: SeamAlteration.Way, index: Int, calls: [String]) throws {
    let outcome = try Self.operations(SeamAlteration(way, index))
    #expect(outcome.calls == calls)
    #expect(outcome.content == (way == .dropped && index == 1 ? "old" : "12345678"))
  }

  @Test func looksOn() throws { #expect(try Self.operations(nil).calls == Self.unaltered) }

  @Test func rolesHaveNoNamesOfDocuments() {
    let id = "CBD8EE02-87A5-89FF-BCC1-C9975151E47F"
    let rows: [(SeamStep.Kind, String, String)] = [
      (.fileSync, "\(id).lnote/pages/.\(id).content.0000002a.tmp", "fsync of a page"),
      (.directorySync, "\(id).lnote/pages", "fsync of pages/"),
      (.directorySync, "\(id).lnote", "fsync of the package"),
      (.rename, "\(id).lnote/document.json", "rename of document.json"),
      (.unlink, "\(id).lnote/assets/\(id).jpg", "unlink of a picture"),
      (.directorySync, "", "fsync of the library"),
    ]
    for (kind, path, text) in rows {
      #expect(SeamStep(kind: kind, path: BytePath(path), command: "background").role == "background: \(text)")
    }
  }

  /// A layer that alters nothing is a volume like the one below.
  @Test(arguments: VolumeContract.rules) func keepsTheContract(rule: VolumeContract.Rule) throws {
    let directory = try TemporaryDirectory()
    let seam = Seam()
    seam.begin()
    let volume = AlteredVolume(over: try HostVolume(root: directory.path), at: seam)
    let subject = VolumeContract.Subject(
      volume: volume, makeSymbolicLink: directory.makeSymbolicLink, makeFIFO: directory.makeFIFO)
    #expect(rule.violations(of: subject) == [])
  }
}
