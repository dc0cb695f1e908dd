import Files
import Testing

@Suite struct BytePathTests {
  static let paths: [(path: BytePath, parent: BytePath, name: BytePath, count: Int)] = [
    ("", "", "", 0), ("a", "", "a", 1), ("a/b", "a", "b", 2), ("a/b/c.d", "a/b", "c.d", 3), ("/a", "", "a", 1),
  ]

  @Test(arguments: paths) func parts(path: BytePath, parent: BytePath, name: BytePath, count: Int) {
    #expect(path.parent == parent)
    #expect(path.name == name)
    #expect(path.components.count == count)
  }

  @Test func theFolderOfAFileInTheHostsRootIsTheHostsRoot() throws {
    #expect(BytePath("/file").folderOnHost == "/")
    #expect(BytePath("/folder/file").folderOnHost == "/folder")
    #expect(try HostVolume(root: BytePath("/file").folderOnHost).status(at: "proc").kind == .directory)
  }

  @Test func joins() {
    #expect(BytePath.root.appending("a") == "a")
    #expect(BytePath("a").appending(BytePath("b/c")) == "a/b/c")
    #expect(BytePath("a").appending(BytePath.root) == "a")
  }

  @Test func liesWithin() {
    #expect(BytePath("a/b").isWithin("a"))
    #expect(BytePath("a").isWithin("a"))
    #expect(BytePath("a").isWithin(.root))
    #expect(!BytePath("ab").isWithin("a"))
    #expect(!BytePath("a").isWithin("a/b"))
  }

  @Test func orderAndEqualityAreByBytes() {
    let composed = BytePath("\u{E9}")
    let decomposed = BytePath("e\u{301}")
    #expect(composed != decomposed)
    #expect([composed, "z", "Z", decomposed, "a-b", "a/b"].sorted() == ["Z", "a-b", "a/b", decomposed, "z", composed])
  }

  @Test func textIsExactOrNone() {
    #expect(BytePath("é").exactText == "é")
    #expect(BytePath(bytes: [0x61, 0xFF]).exactText == nil)
    #expect(BytePath(bytes: [0x61, 0xFF]).description == "a\u{FFFD}")
    #expect(BytePath("x.content").hasSuffix(".content"))
    #expect(!BytePath("content").hasSuffix(".content"))
    #expect(BytePath(".x").hasPrefix("."))
  }

  static let refusals: [(path: BytePath, errno: Errno?)] = [
    ("", nil), ("a", nil), ("a/b", nil), (".a", nil), ("..a/...", nil), ("a b\n", nil),
    (".", .einval), ("..", .einval), ("a/./b", .einval), ("a/..", .einval), ("/", .einval), ("/a", .einval),
    ("a/", .einval), ("a//b", .einval), (BytePath(bytes: [0]), .einval),
    (BytePath(bytes: repeatElement(0x61, count: 255)), nil),
    (BytePath(bytes: repeatElement(0x61, count: 256)), .enametoolong),
    (BytePath(bytes: Array(repeating: Array("a/".utf8), count: 2047).joined() + [0x61]), nil),
    (BytePath(bytes: Array(repeating: Array("a/".utf8), count: 2047).joined() + [0x61, 0x61]), .enametoolong),
  ]

  @Test(arguments: refusals) func refusal(path: BytePath, errno: Errno?) { #expect(path.refusal == errno) }
}
