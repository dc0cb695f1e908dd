import FaultDisk
import Files
import TestSupport
import Testing

/// Trees that are shown: the same names and bytes, whatever was shown before.
@Suite struct ShowTests {
  @Test func showsARecordedTreeAgain() throws {
    let disk = FaultDisk()
    let volume = disk.volume()
    try volume.makeDirectory("d", permissions: 0o750)
    try volume.make("d/f", [UInt8](repeating: 7, count: 9000))
    try volume.link("d/f", to: "second")
    disk.beginRecording()
    let before = try TreeDigest.digest(of: volume)
    try volume.unlink("second")
    try volume.make("g", [1, 2, 3])
    let recording = try #require(disk.recording)
    #expect(recording.records.count > 2)
    disk.keepForShowing()
    for _ in 0..<3 {
      disk.show(recording.tree)
      let shown = disk.volume()
      #expect(try TreeDigest.digest(of: shown) == before)
      #expect(try shown.status(at: "second").links == 2)
      #expect(try shown.status(at: "second").inode == shown.status(at: "d/f").inode)
      // What is written into a shown tree is gone with the next one, and hurts no kept byte.
      try shown.make("recovered", [UInt8](repeating: 9, count: 5 << 20))
      try shown.unlink("d/f")
      #expect(throws: FileCallError.self) { try volume.status(at: "second") }
    }
  }

  /// What a program does in a shown tree is a recording, whose own trees are shown the same way.
  @Test func showingNests() throws {
    let disk = FaultDisk()
    try disk.volume().make("f", [1])
    disk.beginRecording()
    let outer = try #require(disk.recording)
    disk.keepForShowing()
    disk.show(outer.tree)
    try disk.volume().make("g", [UInt8](repeating: 5, count: 70_000))
    let inner = try #require(disk.recording)
    #expect(inner.records.contains { $0.kind == .create && $0.path == "g" })
    #expect(inner.tree.entries[inner.tree.root]?.count == 1)
    let withBoth = try TreeDigest.digest(of: disk.volume())
    disk.keepForShowing()
    disk.show(inner.tree)
    try disk.volume().make("h", [7])
    disk.show(inner.tree)
    try disk.volume().make("g", [UInt8](repeating: 5, count: 70_000))
    #expect(try TreeDigest.digest(of: disk.volume()) == withBoth)
    disk.endShowing()
    disk.show(outer.tree)
    #expect(try disk.volume().entries(of: .root, countMax: 9).map(\.name) == ["f"])
  }

  /// A copy has the same tree without a byte copied, and neither sees what is done to the other.
  @Test func aDiskThatSharesIsADiskOfItsOwn() throws {
    let disk = FaultDisk()
    try disk.volume().makeDirectory("d", permissions: 0o750)
    try disk.volume().make("d/f", [UInt8](repeating: 7, count: 9000))
    try disk.volume().link("d/f", to: "second")
    disk.beginRecording()
    let tree = try #require(disk.recording).tree
    disk.keepForShowing()
    disk.show(tree)
    try disk.volume().make("g", [UInt8](repeating: 3, count: 5 << 20))
    let before = try TreeDigest.digest(of: disk.volume())
    do {
      let copy = FaultDisk(sharing: disk).volume()
      #expect(try TreeDigest.digest(of: copy) == before)
      #expect(try copy.status(at: "second").links == 2)
      try copy.make("new", [UInt8](repeating: 1, count: 5 << 20))
      let file = try copy.open("d/f", for: .writing)
      try copy.writeWhole(file, at: 1, [1])
      #expect(try copy.bytes(of: "second").prefix(3) == [7, 1, 7])
      try copy.unlink("g")
    }
    #expect(try TreeDigest.digest(of: disk.volume()) == before)
    let copy = FaultDisk(sharing: disk).volume()
    try disk.volume().unlink("d/f")
    #expect(try TreeDigest.digest(of: copy) == before)
  }
}
