import Confirming
import FaultDisk
import FileTracing
import Files
import TestSupport
import Testing

/// A tree of a recording and the same tree on a volume look alike, and nothing else does.
@Suite struct SeenTreeTests {
  /// A disk with some of everything.
  static func makeDisk() throws -> FaultDisk {
    let disk = FaultDisk()
    let volume = disk.volume()
    try volume.makeDirectory("d", permissions: 0o750)
    try volume.make("d/long", [UInt8](repeating: 7, count: 9000))
    try volume.make("empty")
    try volume.link("d/long", to: "again")
    try volume.makeSymbolicLink("s", to: "d/long")
    disk.beginRecording()
    return disk
  }

  @Test func looksTheSameFromBothSides() throws {
    let disk = try Self.makeDisk()
    let tree = try #require(disk.recording).tree
    #expect(try SeenTree(tree, on: disk) == SeenTree(of: disk.volume()))
    #expect(SeenTree(tree, on: disk).things.count == 5)
    #expect(SeenTree(tree, on: disk).things["d/long"]?.sameAs == "again")
  }

  static let changes: [String: @Sendable (FaultVolume) throws -> Void] = [
    "a byte": { volume in
      let file = try volume.open("d/long", for: .writing)
      try volume.writeWhole(file, at: 8999, [8])
    },
    "the size": { volume in
      let file = try volume.open("empty", for: .writing)
      try volume.truncate(file, to: 1)
    },
    "a name": { try $0.rename("empty", to: "full") },
    "permissions": { volume in
      try volume.setAttributes(volume.open("empty", for: .writing), permissions: 0o644, modified: nil)
    },
    "a link that is a copy": { volume in
      try volume.unlink("again")
      try volume.make("again", [UInt8](repeating: 7, count: 9000))
    },
    "a text": { volume in
      try volume.unlink("s")
      try volume.makeSymbolicLink("s", to: "d")
    },
  ]

  @Test(arguments: changes.keys.sorted()) func differsIn(_ what: String) throws {
    let disk = try Self.makeDisk()
    let before = try SeenTree(of: disk.volume())
    try Self.changes[what]?(disk.volume())
    #expect(try SeenTree(of: disk.volume()) != before)
  }

  @Test func doesNotSeeTimes() throws {
    let disk = try Self.makeDisk()
    let volume = disk.volume()
    let before = try SeenTree(of: volume)
    try volume.setAttributes(volume.open("empty", for: .writing), permissions: nil, modified: 5)
    #expect(try SeenTree(of: volume) == before)
  }
}
