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
  /// Where the next byte goes, unless a place was given out.
  private(set) var end: UInt64 = 0
  private(set) var slabsInUse = 0
  /// Where somebody writes outside the lock; nil where nobody does.
  private var placeGiven: UInt64?
  private let zeroPiece: UnsafeMutableRawPointer
  /// The arena whose slabs come first, and are only read here; nil where all of them are our own.
  private let base: LogArena?
  /// How many slabs are those of `base`.
  private let baseCount: Int

  init() {
    (base, baseCount) = (nil, 0)
    zeroPiece = UnsafeMutableRawPointer.allocate(byteCount: LogArena.zeroPieceBytes, alignment: 4096)
    memset(zeroPiece, 0, LogArena.zeroPieceBytes)
  }

  /// An arena that goes on behind another one, and reads its bytes where they are; good as long as those stay there.
  init(behind base: LogArena) {
    (self.base, baseCount) = (base, base.slabs.count)
    zeroPiece = base.zeroPiece
    slabs = base.slabs
    end = UInt64(baseCount) << LogArena.slabBits
  }

  deinit {
    for slab in slabs.dropFirst(baseCount) { if let slab { LogArena.release(slab) } }
    for slab in free { LogArena.release(slab) }
    if base == nil { zeroPiece.deallocate() }
  }

  /// Copies these bytes behind all others; returns where they begin.
  ///
  /// Bytes that stand there already, in the place that was given out, are taken as they are.
  func append(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    if let placeGiven {
      if placeGiven == end, let source = bytes.baseAddress, source == UnsafeRawPointer(slabOfEnd() + offsetOfEnd) {
        self.placeGiven = nil
        end += UInt64(bytes.count)
        return placeGiven
      }
      leavePlaceGiven()
    }
    let address = end
    var done = 0
    while done < bytes.count {
      guard let source = bytes.baseAddress else { preconditionFailure("\(bytes.count) bytes at no place") }
      let count = min(bytes.count - done, LogArena.slabBytes - offsetOfEnd)
      memmove(slabOfEnd() + offsetOfEnd, source + done, count)
      done += count
      end += UInt64(count)
    }
    return address
  }

  /// Forgets everything behind an address: the next bytes go there again.
  func forget(behind address: UInt64) {
    placeGiven = nil
    precondition(address >= UInt64(baseCount) << LogArena.slabBits, "\(address) is another arena's")
    while slabs.count > Int((address + UInt64(LogArena.slabBytes) - 1) >> LogArena.slabBits) {
      guard let slab = slabs.popLast() ?? nil else { continue }
      free.append(slab)
      slabsInUse -= 1
    }
    end = address
  }

  private var offsetOfEnd: Int { Int(end & UInt64(LogArena.slabBytes - 1)) }

  /// The slab that the next byte goes to; a new one where the last is full.
  private func slabOfEnd() -> UnsafeMutableRawPointer {
    if slabs.count == Int(end >> LogArena.slabBits) { addSlab() }
    guard let slab = slabs[slabs.count - 1] else {
      preconditionFailure("the last of \(slabs.count) slabs is not in use")
    }
    return slab
  }

  /// Gives out the place where the next bytes go, to be filled outside the lock and appended then, without a copy.
  ///
  /// It is good until the next call of this or of `append`; nil where less than `bytesMax` are left in the slab.
  func givePlace(bytesMax: Int) -> UnsafeMutableRawPointer? {
    guard LogArena.slabBytes - offsetOfEnd >= bytesMax else {
      placeGiven = nil
      return nil
    }
    placeGiven = end
    return slabOfEnd() + offsetOfEnd
  }

  /// Takes back the place that was given out: nobody writes there any more.
  func takeBackPlace() { placeGiven = nil }

  /// Goes on in a new slab, where somebody may be writing at the end of this one.
  private func leavePlaceGiven() {
    guard let placeGiven, placeGiven == end else { return }
    end = UInt64(slabs.count) << LogArena.slabBits
  }

  private func addSlab() {
    slabs.append(free.popLast() ?? LogArena.newSlab())
    slabsInUse += 1
  }

  /// Mapped, and not from the heap, where slabs that come and go would leave gaps.
  private static func newSlab() -> UnsafeMutableRawPointer {
    let slab = mmap(nil, slabBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let slab, slab != MAP_FAILED else { preconditionFailure("no memory for a slab of \(slabBytes) bytes") }
    return slab
  }

  private static func release(_ slab: UnsafeMutableRawPointer) { munmap(slab, slabBytes) }

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

  /// How many more bytes may be appended where the slabs in use may take this much memory; at least two may be in use.
  func bytesLeft(ofMemory bytesMax: UInt64) -> UInt64 {
    let slabsMax = max(2, Int(clamping: bytesMax >> UInt64(LogArena.slabBits)))
    let used = end & UInt64(LogArena.slabBytes - 1)
    let inLast = used == 0 ? 0 : UInt64(LogArena.slabBytes) - used
    return UInt64(max(0, slabsMax - slabsInUse)) * UInt64(LogArena.slabBytes) + inLast
  }

  /// How many slabs there have been; every slab number is below.
  var slabCount: Int { slabs.count }

  /// How many slabs are in memory, in use or free.
  var slabsHeld: Int { slabsInUse + free.count }

  /// Gives free slabs back to the system, but for so many.
  func giveBack(keepingFree count: Int) {
    while free.count > max(0, count) { LogArena.release(free.removeLast()) }
  }

  /// Takes back every slab that is not marked; the one being filled always stays.
  func recycle(keeping marked: [Bool]) {
    let given = placeGiven.map { Int($0 >> LogArena.slabBits) }
    for number in baseCount..<max(slabs.count - 1, baseCount) where !marked[number] {
      guard let slab = slabs[number], number != given else { continue }
      free.append(slab)
      slabs[number] = nil
      slabsInUse -= 1
    }
  }
}
