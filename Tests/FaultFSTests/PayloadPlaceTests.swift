import FaultDisk
import FileTracing
import Glibc
import Testing

@testable import FaultFS

/// Where the bytes of a write arrive, and where the disk gets them from.
@Suite struct PayloadPlaceTests {
  /// A write of these bytes as the kernel sends it: the head, what a write says besides, the bytes.
  private static func request(_ bytes: [UInt8]) -> [UInt8] {
    var head = [UInt8](repeating: 0, count: RequestHead.bytes + 40)
    head.withUnsafeMutableBytes { head in
      head.storeBytes(of: UInt32(head.count + bytes.count), as: UInt32.self)
      head.storeBytes(of: RequestHead.Opcode.write, toByteOffset: 4, as: UInt32.self)
    }
    return head + bytes
  }

  static let rules: [(effect: FaultEffect, isCopied: Bool)] = [
    (.flip(bits: 3), true), (.misplacedBlock, true), (.shortWrite(bytesMax: 3), false), (.errno(.eio), false),
  ]

  /// A rule that spoils bytes where they stand may be armed between the arrival of a write and its answer.
  @Test(arguments: rules) func aRuleArmedMeanwhileGetsACopy(effect: FaultEffect, isCopied: Bool) throws {
    let disk = FaultDisk()
    var ends: [CInt] = [-1, -1]
    #expect(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    let bytes: [UInt8] = (0..<4096).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let request = Self.request(bytes)
    #expect(write(ends[1], request, request.count) == request.count)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    defer { buffer.deallocate() }
    var place = PayloadPlace()
    let start = try #require(buffer.baseAddress)
    #expect(place.receive(ends[0], into: start, buffer.count, for: disk) == request.count)
    let payload = place
    let arrived = try disk.withEngine { engine throws in try Self.seen(payload, bytes.count, buffer, &engine) }
    try disk.arm(FaultRule(name: "f", effect: effect, operations: [.write]))
    let seen = try disk.withEngine { engine throws in try Self.seen(payload, bytes.count, buffer, &engine) }
    #expect(arrived.bytes == bytes && seen.bytes == bytes)
    #expect((seen.address != arrived.address) == isCopied)
  }

  /// What the disk gets of the write, and where it stands.
  private static func seen(
    _ place: PayloadPlace, _ count: Int, _ buffer: UnsafeMutableRawBufferPointer, _ engine: inout DiskEngine
  ) throws -> (bytes: [UInt8], address: UInt) {
    try place.withBytes(UnsafeRawBufferPointer(rebasing: buffer[..<count]), &engine) { _, bytes in
      (Array(bytes), bytes.baseAddress.map { UInt(bitPattern: $0) } ?? 0)
    }
  }
}
