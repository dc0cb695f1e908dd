import FaultDisk
import FileTracing
import Files
import TestSupport
import Testing

/// Content names of shown trees: the same for the same bytes, and never for others.
@Suite struct ContentNameTests {
  private static func name(_ path: BytePath, _ disk: FaultDisk) throws -> ContentName? {
    let volume = disk.volume()
    let file = try volume.open(path, for: .reading)
    defer { try? volume.close(file) }
    return volume.contentName(of: file)
  }

  /// A disk that shows a tree with the files "f" and "g" of different bytes.
  private static func showing() throws -> (disk: FaultDisk, tree: DiskTree) {
    let disk = FaultDisk()
    try disk.volume().make("f", [UInt8](repeating: 7, count: 9000))
    try disk.volume().make("g", [UInt8](repeating: 8, count: 9000))
    disk.beginRecording()
    let tree = try #require(disk.recording).tree
    #expect(try name("f", disk) == nil)
    disk.keepForShowing()
    disk.show(tree)
    return (disk, tree)
  }

  @Test func sharedBytesHaveOneNameInAllTrees() throws {
    let (disk, tree) = try Self.showing()
    let name = try #require(try Self.name("f", disk))
    #expect(try Self.name("g", disk) != name)
    disk.show(tree)
    try disk.volume().rename("f", to: "h")
    #expect(try Self.name("h", disk) == name)
    let file = try disk.volume().open("h", for: .writing)
    #expect(disk.volume().contentName(of: file) == nil)
  }

  /// Bytes that are written into a shown tree make way for those of the next one, in the same place.
  @Test func whatIsWrittenHasNoName() throws {
    let (disk, tree) = try Self.showing()
    let before = try Self.name("f", disk)
    for byte: UInt8 in [1, 2] {
      let volume = disk.volume()
      let file = try volume.open("f", for: .writing)
      try volume.writeWhole(file, at: 4096, [byte])
      try volume.close(file)
      try volume.make("new", [byte, byte])
      #expect(try Self.name("f", disk) == nil)
      #expect(try Self.name("new", disk) == nil)
      disk.show(tree)
      #expect(try Self.name("f", disk) == before)
    }
    let volume = disk.volume()
    let file = try volume.open("f", for: .writing)
    try volume.truncate(file, to: 8999)
    #expect(try Self.name("f", disk) != before)
    try volume.truncate(file, to: 9000)
    #expect(try Self.name("f", disk) != before)
  }

  @Test func nothingHasANameWhereReadingMayBeSpoilt() throws {
    let (disk, tree) = try Self.showing()
    try disk.arm(FaultRule(name: "r", effect: .errno(.eio), operations: [.read]))
    #expect(try Self.name("f", disk) == nil)
    disk.clearAll()
    #expect(try Self.name("f", disk) != nil)
    disk.show(tree)
    disk.endShowing()
    #expect(try Self.name("f", disk) == nil)
  }

  /// Where trees of a tree are shown, their bytes stay only as long as that lasts.
  @Test func aPlaceThatGetsOtherBytesGetsAnotherName() throws {
    let (disk, tree) = try Self.showing()
    let outer = try #require(try Self.name("f", disk))
    var names: Set<ContentName> = []
    for byte: UInt8 in 1...3 {
      disk.show(tree)
      try disk.volume().make("inner", [UInt8](repeating: byte, count: 5000))
      disk.keepForShowing()
      names.insert(try #require(try Self.name("inner", disk)))
      #expect(try Self.name("f", disk) == outer)
      disk.endShowing()
    }
    #expect(names.count == 3)
  }

  private static let changes: [(what: String, make: @Sendable (FaultVolume) throws -> Void, isChange: Bool)] = [
    ("nothing", { _ in }, false),
    ("a look", { _ = try $0.bytes(of: "in/deep/f") }, false),
    ("a time", { try $0.withFile("in/deep/f") { try $0.setAttributes($1, permissions: nil, modified: 5) } }, false),
    (
      "a move away and back",
      {
        try $0.rename("in/deep/f", to: "f")
        try $0.rename("f", to: "in/deep/f")
      }, false
    ),
    ("a copy of the same", { try $0.rename("in/deep/g", to: "in/deep/f") }, true),
    ("a byte", { try $0.withFile("in/deep/f") { try $0.writeWhole($1, at: 9, [3]) } }, true),
    ("a size", { try $0.withFile("in/deep/f") { try $0.truncate($1, to: 10) } }, true),
    (
      "permissions", { try $0.withFile("in/deep/f") { try $0.setAttributes($1, permissions: 0o640, modified: nil) } },
      true
    ),
    ("another name", { try $0.rename("in/deep/f", to: "in/deep/h") }, true),
    ("a folder's name", { try $0.rename("in/deep", to: "in/other") }, true),
    ("an empty folder", { try $0.makeDirectory("in/new", permissions: 0o755) }, true),
    (
      "a folder's permissions",
      { try $0.withFile("in") { try $0.setAttributes($1, permissions: 0o700, modified: nil) } }, true
    ),
    ("a link", { try $0.makeSymbolicLink("in/link", to: "deep") }, true),
    ("one less", { try $0.unlink("in/deep/g") }, true),
  ]

  /// Whatever is changed below a folder changes its name; what comes back has the old one.
  @Test(arguments: changes.indices) func aFolderIsNamedByAllThatIsBelowIt(row: Int) throws {
    let disk = FaultDisk()
    let volume = disk.volume()
    try volume.makeDirectory("in", permissions: 0o755)
    try volume.makeDirectory("in/deep", permissions: 0o755)
    try volume.make("in/deep/f", [UInt8](repeating: 7, count: 9000))
    try volume.make("in/deep/g", [UInt8](repeating: 7, count: 9000))
    disk.beginRecording()
    let tree = try #require(disk.recording).tree
    #expect(volume.named(at: "in") == nil)
    disk.keepForShowing()
    disk.show(tree)
    let before = try #require(disk.volume().named(at: "in"))
    #expect(before.status == (try disk.volume().status(at: "in")))
    try Self.changes[row].make(disk.volume())
    #expect((disk.volume().named(at: "in")?.name != before.name) == Self.changes[row].isChange)
    disk.show(tree)
    #expect(disk.volume().named(at: "in")?.name == before.name)
    try disk.arm(FaultRule(name: "r", effect: .errno(.eio), operations: [.read]))
    #expect(disk.volume().named(at: "in") == nil)
  }

  /// A link's text is what it holds.
  @Test func linksAreToldApart() throws {
    let disk = FaultDisk()
    try disk.volume().makeDirectory("in", permissions: 0o755)
    disk.beginRecording()
    let tree = try #require(disk.recording).tree
    disk.keepForShowing()
    let names = try ["a", "b", "a"].map { (text: BytePath) in
      disk.show(tree)
      try disk.volume().makeSymbolicLink("in/link", to: text)
      return try #require(disk.volume().named(at: "in")).name
    }
    #expect(names[0] == names[2] && names[0] != names[1])
  }

  @Test func changesAreCounted() throws {
    let (disk, tree) = try Self.showing()
    let count = { disk.withEngine { $0.changeCount } }
    let before = count()
    _ = try disk.volume().bytes(of: "f")
    _ = try disk.volume().entries(of: .root, countMax: 9)
    #expect(count() == before)
    try disk.volume().unlink("f")
    let after = count()
    #expect(after > before)
    disk.show(tree)
    #expect(count() > after)
  }
}

extension FaultVolume {
  /// Opens what is there, a folder to look at it and a file to write it, and closes it.
  fileprivate func withFile(_ path: BytePath, _ body: (FaultVolume, OpenFile) throws -> Void) throws {
    let isFolder = try status(at: path).kind == .directory
    let file = try open(path, for: isFolder ? .directory : .writing)
    try body(self, file)
    try close(file)
  }
}
