import Bytes
import Testing

@Suite struct ByteReaderTests {
  @Test func numbersAreLittleEndian() {
    var reader = ByteReader([1, 0x02, 0x03, 0xFE, 0xFF, 0xFF, 0xFF, 9, 8, 7, 6, 5, 4, 3, 0x80])
    #expect(reader.readUInt8() == 1)
    #expect(reader.readUInt16() == 0x0302)
    #expect(reader.peek(Int16.self) == -2)
    #expect(reader.readInt32() == -2)
    #expect(reader.offset == 7)
    #expect(reader.readUInt64() == 0x8003_0405_0607_0809)
    #expect(reader.isAtEnd)
  }

  /// Offsets are those of the slice, not of the array it came from.
  @Test func slicesBeginAtZero() {
    var reader = ByteReader(([0, 0, 0, 0, 5, 6, 7] as [UInt8])[4...])
    #expect(reader.count == 3)
    #expect(reader.readBytes(count: 2).map(Array.init) == [5, 6])
    #expect(reader.offset == 2)
    #expect(reader.seek(to: 0) == true)
    #expect(reader.readUInt8() == 5)
    #expect(Array(reader.readRest()) == [6, 7])
    #expect(reader.readRest() == [])
  }

  @Test(arguments: 0..<8) func whatDoesNotFitTakesNothing(count: Int) {
    var reader = ByteReader([UInt8](repeating: 1, count: count))
    if count < 8 { #expect(reader.read(UInt64.self) == nil) }
    if count < 4 { #expect(reader.readUInt32() == nil) }
    if count < 2 { #expect(reader.readInt16() == nil) }
    if count < 1 { #expect(reader.readUInt8() == nil) }
    #expect(reader.readBytes(count: count + 1) == nil)
    #expect(reader.readBytes(count: -1) == nil)
    #expect(reader.readBytes(count: .max) == nil)
    #expect(reader.skip(count: .max) == false)
    #expect(reader.skip(count: .min) == false)
    #expect(reader.seek(to: count + 1) == false)
    #expect(reader.seek(to: -1) == false)
    #expect(reader.seek(to: .max) == false)
    #expect(reader.remaining == count)
    #expect(reader.skip(count: count) == true)
    #expect(reader.readUInt8() == nil)
    #expect(reader.readBytes(count: 0) == [])
  }
}
