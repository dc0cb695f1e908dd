import Bytes
import Testing

@Suite struct ByteWriterTests {
  @Test func whatIsWrittenReadsBack() {
    var writer = ByteWriter()
    writer.write(UInt8(1))
    writer.write(Int16(-2))
    writer.write(UInt32(0xDEAD_BEEF))
    writer.write(bytes: [7, 8])
    writer.writeZeros(count: 3)
    #expect(writer.bytes == [1, 0xFE, 0xFF, 0xEF, 0xBE, 0xAD, 0xDE, 7, 8, 0, 0, 0])
    #expect(writer.count == 12)
    writer.overwrite(at: 3, UInt32(1))
    writer.overwrite(at: 11, UInt8(5))
    #expect(writer.bytes == [1, 0xFE, 0xFF, 1, 0, 0, 0, 7, 8, 0, 0, 5])
  }
}
