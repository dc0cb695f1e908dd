import FaultDisk
import FileTracing
import Files
import TestSupport
import Testing

@Suite struct TreesTests {
  @Test func inAndOut() throws {
    let directory = try TemporaryDirectory()
    let host = try directory.volume()
    try host.make("a/b/file", Array("text".utf8), permissions: 0o640)
    try host.make("large", (0..<3 as Range<UInt8>).flatMap { [UInt8](repeating: $0, count: 800_001) })
    try host.make("locked/file", text: "x")
    try host.makeDirectory("empty", permissions: 0o755)
    let locked = try host.open("locked", for: .directory)
    try host.setAttributes(locked, permissions: 0o500, modified: nil)
    try host.close(locked)
    try host.makeSymbolicLink("link", to: "no/where")
    try host.link("large", to: "a/again")

    let disk = FaultDisk()
    try disk.arm(FaultRule(.errno(.eio), on: []))
    try disk.importTree(from: host)
    #expect(disk.log.records == [])
    #expect(disk.firings == [])
    disk.powerCut(.keepNone)
    disk.restart()
    #expect(try disk.volume().status(at: "a/b/file").permissions == 0o640)
    #expect(try TreeDigest.digest(of: disk.volume()) == TreeDigest.digest(of: host))

    let target = try TemporaryDirectory()
    try disk.exportTree(to: try target.volume())
    #expect(try TreeDigest.digest(of: target.volume()) == TreeDigest.digest(of: host))
    for volume in [disk.volume(), try target.volume()] as [any Volume] {
      #expect(try volume.linkText(at: "link") == "no/where")
      #expect(try volume.status(at: "a/again").inode == volume.status(at: "large").inode)
      #expect(errno { _ = try volume.linkText(at: "large") } == .einval)
    }
    #expect(errno { try disk.exportTree(to: try target.volume()) } != nil)
    #expect(disk.withEngine { $0.openHandleCount } == 0)
  }

  @Test func everyKindOfFileGoesOut() throws {
    let disk = FaultDisk()
    let volume = disk.volume()
    for kind in [FileKind.fifo, .socket] {
      try volume.makeNode(BytePath(kind.rawValue), kind: kind, permissions: 0o666, device: 0)
    }
    #expect(errno { try volume.makeNode("d", kind: .directory, permissions: 0o666, device: 0) } == .einval)
    let target = try TemporaryDirectory()
    try disk.exportTree(to: try target.volume())
    #expect(try TreeDigest.digest(of: target.volume()) == TreeDigest.digest(of: volume))
    #expect(try target.volume().status(at: "fifo").kind == .fifo)
    #expect(try target.volume().status(at: "socket").permissions == 0o666)
  }

  @Test func aDigestTellsTreesApart() throws {
    func digest(_ build: (any Volume) throws -> Void) throws -> String {
      let volume = FaultDisk().volume()
      try volume.make("a/b", text: "text")
      try build(volume)
      return try TreeDigest.digest(of: volume).description
    }
    let changes: [(any Volume) throws -> Void] = [
      { _ in },
      { try $0.replace("a/b", with: Array("texu".utf8)) },
      { try $0.replace("a/b", with: Array("text0".utf8)) },
      { try $0.rename("a/b", to: "a/c") },
      { try $0.rename("a/b", to: "b") },
      { try $0.make("c") },
      { try $0.makeDirectory("c", permissions: 0o700) },
      { try $0.makeDirectory("c", permissions: 0o701) },
      { try $0.makeSymbolicLink("c", to: "a") },
      { try $0.makeSymbolicLink("c", to: "b") },
    ]
    #expect(try Set(changes.map(digest)).count == changes.count)
    #expect(try digest { _ in } == digest { _ in })
  }

  @Test func aNameThatIsTakenIsNoPlaceToImport() throws {
    let source = FaultDisk().volume()
    try source.make("a/b", text: "new")
    let disk = FaultDisk()
    try disk.volume().make("a/c", text: "c")
    try disk.importTree(from: source)
    #expect(try shown(disk.volume()) == ["a/": "", "a/b": "new", "a/c": "c"])
    #expect(throws: FileCallError("open", ["a/b"], .eexist)) { try disk.importTree(from: source) }
    disk.setFreeSpace(bytes: 2)
    let larger = FaultDisk().volume()
    try larger.make("z", text: "four")
    #expect(throws: FileCallError("write", ["z"], .enospc)) { try disk.importTree(from: larger) }
  }
}
