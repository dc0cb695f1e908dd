import CrashModel
import Exploring
import FaultDisk
import FileTracing
import Files
import TestSupport
import Testing

/// A folder that shows one state after the other looks the same as one that is made anew for each.
@Suite struct ShownFolderTests {
  /// A run with files, links, directories that move, and the states it may leave.
  private func states() throws -> (disk: FaultDisk, trees: [DiskTree]) {
    let disk = FaultDisk()
    let volume = disk.volume()
    try volume.make("kept/old", text: String(repeating: "old ", count: 3000))
    try volume.make("f", text: "old")
    disk.beginRecording()
    try volume.make("t", text: String(repeating: "new ", count: 3000))
    try volume.link("t", to: "kept/same")
    try volume.rename("t", to: "f")
    try volume.makeDirectory("d", permissions: 0o500)
    try volume.makeSymbolicLink("kept/l", to: "nowhere")
    try volume.rename("kept", to: "moved")
    try volume.unlink("moved/old")
    guard let recording = disk.recording else { throw Errno.einval }
    var trees: [DiskTree] = []
    for model in [PersistenceModel.btrfs, .posixWeakest] {
      trees += try CrashExploration(recording, on: disk, model, ExplorationLimits(statesMax: 300)).states.map(\.tree)
    }
    return (disk, trees)
  }

  private func picture(_ place: BytePath) throws -> [String] {
    let volume = try HostVolume(root: place)
    return try picture(of: .root, volume).sorted()
  }

  private func picture(of directory: BytePath, _ volume: HostVolume) throws -> [String] {
    try volume.entries(of: directory, countMax: 1000).flatMap { entry -> [String] in
      let path = directory.appending(entry.name)
      let status = try volume.status(at: path)
      let line = "\(path) \(status.kind) \(status.permissions) \(status.kind == .directory ? 0 : status.links)"
      switch status.kind {
      case .directory: return try [line] + picture(of: path, volume)
      case .regular: return ["\(line) \(try volume.readWhole(path, sizeMax: 1 << 20))"]
      case .symbolicLink: return ["\(line) \(try volume.linkText(at: path))"]
      default: return [line]
      }
    }
  }

  @Test func looksTheSameAsOneMadeAnew() throws {
    let (disk, trees) = try states()
    #expect(trees.count > 20)
    let folder = try TemporaryDirectory("shown")
    let shown = try ShownFolder(folder.path, disk)
    for (number, tree) in trees.enumerated() {
      try shown.show(tree)
      let anew = try TemporaryDirectory("shown-anew")
      try ShownFolder(anew.path, disk).show(tree)
      #expect(try picture(folder.path) == picture(anew.path), "state \(number)")
    }
  }

  static let touches: [(what: String, changes: Bool, touch: @Sendable (any Volume) throws -> Void)] = [
    ("reads", false, { _ = try $0.readWhole("kept/old", sizeMax: 1 << 20) }),
    ("lists", false, { _ = try $0.entries(of: "kept", countMax: 100) }),
    ("writes the same in its place", true, { try overwrite("kept/old", "o", $0) }),
    ("makes", true, { try $0.make("new", text: "") }),
    ("removes", true, { try $0.unlink("f") }),
    ("makes and removes, at the top", true, { try passing("lock", $0) }),
    ("makes and removes, below", true, { try passing("kept/lock", $0) }),
    (
      "gives a second name, and takes it", true,
      { volume in
        try volume.link("f", to: "other")
        try volume.unlink("other")
      }
    ),
  ]

  private static func overwrite(_ path: BytePath, _ text: String, _ volume: any Volume) throws {
    let file = try volume.open(path, for: .writing)
    defer { try? volume.close(file) }
    try volume.writeWhole(file, at: 0, Array(text.utf8))
  }

  private static func passing(_ path: BytePath, _ volume: any Volume) throws {
    try volume.make(path, text: "")
    try volume.unlink(path)
  }

  @Test(arguments: touches) func knowsWhetherACheckHasWritten(
    what: String, changes: Bool, touch: @Sendable (any Volume) throws -> Void
  ) throws {
    let (disk, trees) = try states()
    let folder = try TemporaryDirectory("shown")
    let shown = try ShownFolder(folder.path, disk)
    let tree = try #require(
      trees.first { tree in ["kept/old", "f"].allSatisfy { path in tree.paths.contains { $0.path == path } } })
    // Also where most of it stays from one state to the next.
    for tree in [trees[trees.count - 1], tree, tree] { try shown.show(tree) }
    #expect(try shown.hasChanged() == false)
    try touch(try HostVolume(root: folder.path))
    #expect(try shown.hasChanged() == changes, "\(what)")
    try shown.show(tree)
    #expect(try shown.hasChanged() == false)
  }

  /// A check that writes, removes, replaces and locks out.
  @Test func mendsWhatACheckHasTouched() throws {
    let (disk, trees) = try states()
    let folder = try TemporaryDirectory("shown")
    let shown = try ShownFolder(folder.path, disk)
    guard let tree = trees.first(where: { $0.paths.contains { $0.path == "kept/old" } }) else {
      throw Errno.einval
    }
    try shown.show(tree)
    let whole = try picture(folder.path)
    let volume = try HostVolume(root: folder.path)
    let spoilings: [() throws -> Void] = [
      {
        let file = try volume.open("kept/old", for: .writing)
        try volume.writeWhole(file, Array("new ".utf8))
        try volume.close(file)
      },
      { try volume.unlink("kept/old") },
      { try volume.rename("kept/old", to: "elsewhere") },
      {
        try volume.unlink("kept/old")
        try volume.removeDirectory("kept")
      },
      { try volume.make("kept/journal", text: "x") },
      { try volume.make("deep/er/x", text: "x") },
      {
        try volume.unlink("kept/old")
        try volume.makeSymbolicLink("kept/old", to: "/etc/passwd")
      },
      { try volume.link("kept/old", to: "second") },
      {
        let file = try volume.open("kept", for: .directory)
        try volume.setAttributes(file, permissions: 0o000, modified: nil)
        try volume.close(file)
      },
    ]
    for (number, spoil) in spoilings.enumerated() {
      try spoil()
      #expect(try picture(folder.path) != whole, "spoiling \(number) spoils nothing")
      try shown.show(tree)
      #expect(try picture(folder.path) == whole, "spoiling \(number)")
    }
  }
}
