import FaultDisk
import Files
import TestSupport
import Testing

@Suite struct FaultVolumeTests {
  @Test(arguments: VolumeContract.rules)
  func keeps(rule: VolumeContract.Rule) throws {
    let disk = FaultDisk()
    let caller = Caller(thread: 1, user: 0, group: 0)
    let subject = VolumeContract.Subject(
      volume: disk.volume(),
      makeSymbolicLink: { target, path in
        try disk.withEngine { (engine: inout DiskEngine) throws(Errno) in
          let directory = try inode(of: path.parent, &engine, caller)
          _ = try engine.makeSymbolicLink(path.name, in: directory, text: target, caller)
        }
      },
      makeFIFO: { path in
        try disk.withEngine { (engine: inout DiskEngine) throws(Errno) in
          _ = try engine.makeNode(path, in: engine.rootInode, kind: .fifo, permissions: 0o600, caller)
        }
      })
    #expect(rule.violations(of: subject) == [])
  }
}

/// The inode number of a directory, looked up name by name as a kernel does.
func inode(of path: BytePath, _ engine: inout DiskEngine, _ caller: Caller) throws(Errno) -> UInt64 {
  var number = engine.rootInode
  for name in path.components { number = try engine.lookup(name, in: number, caller).number }
  return number
}
