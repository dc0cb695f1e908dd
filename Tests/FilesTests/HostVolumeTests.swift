import Files
import TestSupport
import Testing

@Suite struct HostVolumeTests {
  @Test func writesAndReads() throws {
    let directory = try TemporaryDirectory()
    let volume = try directory.volume()
    try volume.make("a/b/c", text: "hello")
    #expect(try volume.bytes(of: "a/b/c") == Array("hello".utf8))
    #expect(try volume.tree() == ["a", "a/b", "a/b/c"])
    #expect(volume.openFileCount == 0)
  }

  @Test func findsBuiltPrograms() throws {
    #expect(try builtProgram("lnote-fsck").name == "lnote-fsck")
    #expect(throws: FileCallError.self) { try builtProgram("lnote-nothing") }
  }
}
