import Files
import TestSupport
import Testing

@Suite struct WholeFileTests {
  @Test func readsUpToTheLimit() throws {
    let directory = try TemporaryDirectory()
    let volume = try directory.volume()
    try volume.make("file", [1, 2, 3])
    try volume.make("empty")
    #expect(try volume.readWhole("file", sizeMax: 3) == [1, 2, 3])
    #expect(try volume.readWhole("empty", sizeMax: 0) == [])
    // The kernel says 0 bytes for its own files, whatever they hold.
    #expect(try HostVolume(root: "/proc/self").readWhole("maps", sizeMax: 1 << 24).last == UInt8(ascii: "\n"))
    let error = #expect(throws: FileCallError.self) { try volume.readWhole("file", sizeMax: 2) }
    #expect(error == FileCallError("read", ["file"], .efbig))
    #expect(volume.openFileCount == 0)
  }

  @Test func whatIsNoRegularFileIsRefusedWithoutWaiting() throws {
    let directory = try TemporaryDirectory()
    let volume = try directory.volume()
    try volume.makeDirectory("directory", permissions: 0o700)
    try directory.makeFIFO(at: "fifo")
    try directory.makeSymbolicLink(to: "/dev/zero", at: "link")
    let rows: [(BytePath, [Errno])] = [
      ("directory", [.einval, .eisdir]), ("fifo", [.einval]), ("link", [.eloop]), ("nothing", [.enoent]),
    ]
    for (path, errnos) in rows {
      let error = #expect(throws: FileCallError.self) { try volume.readWhole(path, sizeMax: 1 << 20) }
      #expect(errnos.contains(try #require(error).errno))
    }
    #expect(volume.openFileCount == 0)
  }
}
