import Files
import Testing

@Suite struct ErrnoTests {
  @Test func namesAndNumbersAgree() {
    for (name, number) in Errno.numbers {
      #expect(Errno(name: name)?.rawValue == number)
      #expect(Errno(rawValue: number).name == name)
    }
    #expect(Set(Errno.numbers.map(\.number)).count == Errno.numbers.count)
    #expect(Errno(name: "EWHAT") == nil)
    #expect(Errno(rawValue: 4711).name == "errno 4711")
  }

  @Test func theSentenceIsWrittenOnce() {
    let error = FileCallError("rename", ["a.tmp", "a.content"], .enospc)
    #expect(error.description == "rename a.tmp, a.content: No space left on device")
    #expect(FileCallError("statvfs", [.root], .eacces).description == "statvfs .: Permission denied")
    #expect(FileCallError("fsync", [], .eio).description == "fsync: Input/output error")
  }
}
