import Glibc

/// The bytes of every write, one behind the other; a write is copied once, into here, and never moved or changed.
///
/// An address is a place in the endless row of slabs. Files and log records hold addresses; a slab that nobody names
/// any more is used again, under new addresses, since the first touch of fresh memory is slow.
final class LogArena {
  /// The size of a slab as a power of two.
  static let slabBits = 22
  /// The size of a slab: 4 MiB.
  static let slabBytes = 1 << slabBits
  /// Addresses from here on stand for zeros that occupy space but no memory.
  static let zeros: UInt64 = 1 << 63
  /// Zeros to read from, in pieces of this many bytes.
  static let zeroPieceBytes = 64 << 10

  /// The slabs by their number; nil where the slab is in use again elsewhere.
  private var slabs: [UnsafeMutableRawPointer?] = []
  private var free: [UnsafeMutableRawPointer] = []
  private var end: UInt64 = 0
  private(set) var slabsInUse = 0
  private let zeroPiece: UnsafeMutableRawPointer

  init() {
    zeroPiece = UnsafeMutableRawPointer.allocate(byteCount: LogArena.zeroPieceBytes, alignment: 4096)
    memset(zeroPiece, 0, LogArena.zeroPieceBytes)
  }

  deinit {
    for slab in slabs { slab?.deallocate() }
    for slab in free { slab.deallocate() }
    zeroPiece.deallocate()
  }

  /// Copies these bytes behind all others; returns where they begin.
  func append(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    let address = end
    var done = 0
    while done < bytes.count {
      let inSlab = Int(end & UInt64(LogArena.slabBytes - 1))
      if inSlab == 0 { addSlab() }
      guard let slab = slabs[slabs.count - 1], let source = bytes.baseAddress else {
        preconditionFailure("the last of \(slabs.count) slabs is not in use")
      }
      let count = min(bytes.count - done, LogArena.slabBytes - inSlab)
      memcpy(slab + inSlab, source + done, count)
      done += count
      end += UInt64(count)
    }
    return address
  }

  private func addSlab() {
    slabs.append(free.popLast() ?? UnsafeMutableRawPointer.allocate(byteCount: LogArena.slabBytes, alignment: 4096))
    slabsInUse += 1
  }

  /// Hands out the bytes at an address, in pieces and in order; valid until the next `recycle`.
  func forEachPiece(at address: UInt64, length: UInt64, _ body: (UnsafeRawBufferPointer) -> Void) {
    if address >= LogArena.zeros { return forEachZeroPiece(length: length, body) }
    var address = address
    var left = length
    while left > 0 {
      let inSlab = Int(address & UInt64(LogArena.slabBytes - 1))
      let count = min(left, UInt64(LogArena.slabBytes - inSlab))
      guard let slab = slabs[Int(address >> LogArena.slabBits)] else {
        preconditionFailure("the bytes at \(address) are gone")
      }
      body(UnsafeRawBufferPointer(start: slab + inSlab, count: Int(count)))
      address += count
      left -= count
    }
  }

  /// Hands out this many zeros, in pieces.
  func forEachZeroPiece(length: UInt64, _ body: (UnsafeRawBufferPointer) -> Void) {
    var left = length
    while left > 0 {
      let count = min(left, UInt64(LogArena.zeroPieceBytes))
      body(UnsafeRawBufferPointer(start: zeroPiece, count: Int(count)))
      left -= count
    }
  }

  /// The slabs that hold some of these bytes; none for zeros.
  func slabs(at address: UInt64, length: UInt64) -> Range<Int> {
    if address >= LogArena.zeros || length == 0 { return 0..<0 }
    return Int(address >> LogArena.slabBits)..<(Int((address + length - 1) >> LogArena.slabBits) + 1)
  }

  /// How many slabs there have been; every slab number is below.
  var slabCount: Int { slabs.count }

  /// Takes back every slab that is not marked; the one being filled always stays.
  func recycle(keeping marked: [Bool]) {
    for number in 0..<max(slabs.count - 1, 0) where !marked[number] {
      guard let slab = slabs[number] else { continue }
      free.append(slab)
      slabs[number] = nil
      slabsInUse -= 1
    }
  }
}
