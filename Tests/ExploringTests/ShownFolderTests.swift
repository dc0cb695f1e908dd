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
