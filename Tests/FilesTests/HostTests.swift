import Files
import Glibc
import TestSupport
import Testing

@Suite struct HostTests {
  @Test func pathsBecomeAbsolute() throws {
    let here = try Host.currentDirectory()
    #expect(here.hasPrefix("/"))
    #expect(try Host.absolutePath(of: "/a//b/./c/") == "/a/b/c")
    #expect(try Host.absolutePath(of: "/a/../b") == "/a/../b")
    #expect(try Host.absolutePath(of: "/") == "/")
    #expect(try Host.absolutePath(of: "x") == here.appending("x"))
    #expect(try Host.absolutePath(of: ".") == here)
  }

  @Test func environmentIsRead() {
    #expect(Host.environment("PATH") != nil)
    #expect(Host.environmentPath("PATH")?.exactText == Host.environment("PATH"))
    #expect(Host.environment("LNOTE_NO_SUCH_VARIABLE") == nil)
  }

  @Test func links() throws {
    let directory = try TemporaryDirectory()
    let target = BytePath(bytes: [0x61, 0xFF, 0x2F, 0x62])
    try directory.makeSymbolicLink(to: target, at: "link")
    #expect(try Host.linkTarget(of: directory.path.appending("link")) == target)
    let error = #expect(throws: FileCallError.self) { try Host.linkTarget(of: directory.path) }
    #expect(error?.errno == .einval)
    #expect(try Host.programPath().hasPrefix("/"))
  }
}
