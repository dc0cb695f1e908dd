import FaultDisk
import FileTracing
import Files
import Testing

/// A torn rename with the power cut right behind it: the outcome is on the medium, the cut is in force at once.
@Suite struct FaultEndingTests {
  @Test func tornAndCut() throws {
    let disk = FaultDisk()
    let volume = disk.volume()
    for name in ["a", "a.tmp"] {
      let file = try volume.open(BytePath(name), for: .creating(permissions: 0o644))
      try volume.writeWhole(file, Array(name.utf8))
      try volume.close(file)
    }
    disk.beginRecording()
    try disk.arm(FaultRule(name: "torn", effect: .tornRename(.oldTarget), operations: [.rename]))
    try disk.arm(FaultRule(name: "cut", effect: .powerCut(.keepNone), operations: [.rename]))
    try volume.rename("a.tmp", to: "a")
    #expect(disk.condition == .cut(.keepNone))
    #expect(disk.firings.map(\.rule) == ["torn", "cut"])
    #expect(throws: FileCallError.self) { try volume.status(at: "a") }
    disk.restart()
    let after = disk.volume()
    #expect(try after.entries(of: .root, countMax: 10).map(\.name) == ["a"])
    #expect(try after.readWhole("a", sizeMax: 10) == Array("a".utf8))
  }

  @Test func heldFaultsNeitherCountNorHit() throws {
    let disk = FaultDisk()
    let volume = disk.volume()
    try disk.arm(
      FaultRule(
        name: "second", effect: .errno(Errno(name: "EIO")!), operations: [.mkdir], occurrence: FaultOccurrence(nth: 2)))
    try volume.makeDirectory("a", permissions: 0o755)
    disk.holdFaults(true)
    try volume.makeDirectory("b", permissions: 0o755)
    disk.holdFaults(false)
    #expect(disk.firings.isEmpty)
    #expect(throws: FileCallError("mkdir", ["c"], Errno(name: "EIO")!)) {
      try volume.makeDirectory("c", permissions: 0o755)
    }
    #expect(disk.firings.map(\.rule) == ["second"])
  }

  @Test func killedVolumeIsDeadAndTheDiskGoesOn() throws {
    let disk = FaultDisk()
    let volume = disk.volume()
    let other = disk.volume()
    volume.kill()
    #expect(throws: FileCallError("stat", [.root], Errno(name: "ECANCELED")!)) { try volume.status(at: .root) }
    #expect(try other.status(at: .root).kind == .directory)
  }
}
