import Glibc
import Testing

@testable import Processes

@Suite(.serialized) struct LineChannelTests {
  private func text(_ bytes: [UInt8]?) -> String? { bytes.map { String(decoding: $0, as: UTF8.self) } }

  /// What each call of `receive` gives for bytes that arrive and then end.
  static let streams: [(bytes: String, lines: [String])] = [
    ("", []), ("a\n", ["a"]), ("a\nb\n", ["a", "b"]), ("a\nb", ["a", "b"]), ("\n\n", ["", ""]), ("\na", ["", "a"]),
  ]

  @Test(arguments: streams.indices) func splits(row: Int) throws {
    let (bytes, lines) = LineChannelTests.streams[row]
    let pipe = try makePipe()
    let nothing = try makePipe()
    let channel = LineChannel(reading: pipe.reading, writing: nothing.writing)
    try writeAll(Array(bytes.utf8), to: pipe.writing.number, until: .never)
    shutdownByClosing(pipe.writing)
    var found: [String] = []
    while let line = try channel.receive() { found.append(String(decoding: line, as: UTF8.self)) }
    #expect(found == lines)
    #expect(try channel.receive() == nil)
  }

  /// Puts the end of nothing in its place: the number stays the object's own.
  private func shutdownByClosing(_ descriptor: Descriptor) {
    let other = open("/dev/null", O_WRONLY)
    dup2(other, descriptor.number)
    close(other)
  }

  @Test func aLineOverTheLimitIsAnError() throws {
    let (one, other) = try LineChannel.pair()
    let bounded = LineChannel(reading: other.reading, writing: other.writing, lineBytesMax: 8)
    try one.send(Array("12345678".utf8))
    #expect(text(try bounded.receive()) == "12345678")
    try one.send(Array("123456789012".utf8))
    #expect(throws: ProcessCallError("line", "", EMSGSIZE)) { try bounded.receive() }
  }

  @Test func aLineMayBeLongerThanAnyBuffer() throws {
    let (one, other) = try LineChannel.pair()
    let line = [UInt8](repeating: 0x78, count: 3 << 20)
    try startThread { try? one.send(line) }
    #expect(try other.receive(until: .after(milliseconds: 20_000)) == line)
  }

  @Test func sendingHasADeadline() throws {
    let (one, other) = try LineChannel.pair()
    let line = [UInt8](repeating: 0x78, count: 8 << 20)
    #expect(throws: ProcessCallError("write", "", ETIMEDOUT)) { try one.send(line, until: .after(milliseconds: 20)) }
    _ = other
  }

  @Test func tellsWhetherALineWaits() throws {
    let (one, other) = try LineChannel.pair()
    try writeAll(Array("a\nb\nc".utf8), to: one.writing.number, until: .never)
    #expect(!other.hasLineWaiting)
    _ = try other.receive()
    #expect(other.hasLineWaiting)
    _ = try other.receive()
    #expect(!other.hasLineWaiting)
  }

  @Test func pollsSeveral() throws {
    let (first, firstEnd) = try LineChannel.pair()
    let (second, secondEnd) = try LineChannel.pair()
    let both = [first.reading.number, second.reading.number]
    #expect(try waitReadable(both, until: .after(milliseconds: 0)) == [])
    try secondEnd.send([])
    #expect(try waitReadable(both, until: .never) == [1])
    try firstEnd.send([])
    #expect(try waitReadable(both, until: .never) == [0, 1])
  }
}
