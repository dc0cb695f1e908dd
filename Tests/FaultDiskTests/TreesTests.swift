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

  @Test func extendedAttributesGoInAndOut() throws {
    let source = FaultDisk()
    let volume = source.volume()
    try volume.make("d/file", Array("text".utf8), permissions: 0o400)
    try volume.makeDirectory("locked", permissions: 0o500)
    try volume.link("d/file", to: "link")
    try volume.make("bare", text: "x")
    let bare = try TreeDigest.digest(of: volume)
    try volume.setAttribute("user.a", of: "d/file", to: [1, 0, 2])
    try volume.setAttribute("user.empty", of: "d/file", to: [])
    try volume.setAttribute("user.d", of: "locked", to: [UInt8](repeating: 7, count: 3000), isDirectory: true)
    try volume.setAttribute("trusted.t", of: "bare", to: [3])
    #expect(try TreeDigest.digest(of: volume) != bare)

    let disk = FaultDisk()
    try disk.importTree(from: volume)
    // What is copied is durable.
    disk.powerCut(.keepNone)
    let target = FaultDisk().volume()
    try disk.exportTree(to: target)
    #expect(try TreeDigest.digest(of: target) == TreeDigest.digest(of: volume))
    #expect(try target.attributes(of: "link") == ["user.a": [1, 0, 2], "user.empty": []])
    #expect(try target.attributes(of: "locked", isDirectory: true).mapValues(\.count) == ["user.d": 3000])
    // The system's own stay where they are, on the way in and on the way out.
    let direct = FaultDisk().volume()
    try source.exportTree(to: direct)
    for volume in [target, direct] { #expect(try volume.attributes(of: "bare") == [:]) }

    var configuration = DiskConfiguration()
    configuration.unseen = [.setxattr: "mount with --xattrs"]
    let without = FaultDisk(configuration)
    try without.importTree(from: volume)
    #expect(try TreeDigest.digest(of: without.volume()) == bare)
  }

  /// What a cut leaves of attributes is what a restart shows.
  @Test func onlyDurableAttributesGoOutAfterACut() throws {
    let disk = FaultDisk()
    let volume = disk.volume()
    try volume.make("file", text: "x")
    try volume.setAttribute("user.kept", of: "file", to: [1])
    try volume.synchronize(path: "file")
    try volume.synchronize(path: .root, isDirectory: true)
    try volume.setAttribute("user.lost", of: "file", to: [2])
    disk.powerCut(.keepNone)
    let target = FaultDisk().volume()
    try disk.exportTree(to: target)
    #expect(try target.attributes(of: "file") == ["user.kept": [1]])
  }

  /// A file system without extended attributes gets everything else, and then the first of the reasons is thrown.
  @Test func attributesThatCannotBeSetAreSaidAtTheEnd() throws {
    let disk = FaultDisk()
    let volume = disk.volume()
    for name in ["a", "b"] as [BytePath] {
      try volume.make(name, Array("x".utf8), permissions: 0o640)
      try volume.setAttribute("user.a", of: name, to: [1])
    }
    let bare = FaultDisk()
    try bare.arm(FaultRule(.errno(.enotsup), on: [.setxattr]))
    #expect(throws: FileCallError("setxattr", ["a"], .enotsup)) { try disk.exportTree(to: bare.volume()) }
    bare.clearAll()
    #expect(try shown(bare.volume()) == ["a": "x", "b": "x"])
    #expect(try bare.volume().status(at: "b").permissions == 0o640)
    // A source without them is as good as one that has set none.
    try bare.arm(FaultRule(.errno(.enotsup), on: [.listxattr]))
    let copy = FaultDisk()
    try copy.importTree(from: bare.volume())
    #expect(try shown(copy.volume()) == ["a": "x", "b": "x"])
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

extension Volume {
  /// Sets an extended attribute of a file or directory by its path.
  fileprivate func setAttribute(
    _ name: BytePath, of path: BytePath, to value: [UInt8], isDirectory: Bool = false
  ) throws {
    let file = try open(path, for: isDirectory ? .directory : .reading)
    try setExtendedAttribute(name, of: file, to: value)
    try close(file)
  }

  /// The extended attributes of a file or directory.
  fileprivate func attributes(of path: BytePath, isDirectory: Bool = false) throws -> [BytePath: [UInt8]] {
    let file = try open(path, for: isDirectory ? .directory : .reading)
    var attributes: [BytePath: [UInt8]] = [:]
    for name in try extendedAttributeNames(of: file) { attributes[name] = try extendedAttribute(name, of: file) }
    try close(file)
    return attributes
  }
}
