import Files
import TestSupport
import Testing

/// What was made of bytes is kept by name and question, and within a bound.
@Suite struct ContentMemoryTests {
  @Test func answersForThisNameAndThisQuestionOnly() {
    let memory = ContentMemory<String, Int>(bytesMax: 1 << 20)
    let (one, other) = (ContentName.unused(), ContentName.unused())
    memory.keep(7, bytes: 8, to: "length", about: one)
    #expect(memory.answer(to: "length", about: one) == 7)
    #expect(memory.answer(to: "width", about: one) == nil)
    #expect(memory.answer(to: "length", about: other) == nil)
    memory.keep(8, bytes: 8, to: "length", about: one)
    #expect(memory.answer(to: "length", about: one) == 8)
  }

  @Test func staysWithinItsBoundAndKeepsWhatIsUsed() {
    let memory = ContentMemory<Int, Int>(bytesMax: 64 << 10)
    let name = ContentName.unused()
    memory.keep(-1, bytes: 1 << 10, to: -1, about: name)
    for number in 0..<1000 {
      memory.keep(number, bytes: 1 << 10, to: number, about: name)
      #expect(memory.bytesKept <= 64 << 10)
      #expect(memory.answer(to: number, about: name) == number)
      #expect(memory.answer(to: -1, about: name) == -1)
    }
    #expect(memory.answer(to: 0, about: name) == nil)
    memory.keep(1, bytes: 33 << 10, to: -2, about: name)
    #expect(memory.answer(to: -2, about: name) == nil)
  }

  /// The host's files have no names: whoever reads them gets what is there.
  @Test func aVolumeWithoutNamesIsReadEachTime() throws {
    let directory = try TemporaryDirectory()
    let volume = try directory.volume()
    let memory = ContentMemory<OnlyQuestion, Int>(bytesMax: 1 << 20)
    for count in [3, 5] {
      try volume.replace("file", with: [UInt8](repeating: 1, count: count))
      #expect(try volume.readWhole("file", sizeMax: 9, OnlyQuestion(), from: memory) { $0.count } == count)
    }
    #expect(memory.bytesKept == 0)
    #expect(throws: FileCallError.self) {
      try volume.readWhole("file", sizeMax: 4, OnlyQuestion(), from: memory) { $0.count }
    }
  }
}
