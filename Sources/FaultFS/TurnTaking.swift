import CFuse
import Glibc

/// How threads take turns: one request is answered at a time, whose is drawn from the seed.
///
/// A thread that calls the file system waits for its answer, so it has one request at most. While others may still come,
/// all that are there are held; once none has come for a while, one of them is drawn and answered, and its thread goes
/// on. So a program whose threads meet in the file system only takes the same way again with the same seed.
package struct TurnTaking: Sendable {
  /// Decides the draws.
  let seed: UInt64
  /// How long no request must have come before one is answered.
  let quietMilliseconds: CInt
  private var drawCount: UInt64 = 0

  /// Turns drawn from this seed.
  package init(seed: UInt64, quietMilliseconds: Int) {
    self.seed = seed
    self.quietMilliseconds = CInt(clamping: quietMilliseconds)
  }

  /// The place of the one whose turn it is, among the threads that wait; threads are told apart by the order of their
  /// numbers, which the kernel gives in the order in which they began.
  mutating func next(among threads: [Int32]) -> Int {
    let byNumber = threads.indices.sorted { (threads[$0], $0) < (threads[$1], $1) }
    drawCount += 1
    var state = (seed ^ (drawCount &* 0x9E37_79B9_7F4A_7C15)) &+ 0x9E37_79B9_7F4A_7C15
    // The mixing step of SplitMix64 (Steele, Lea, Flood 2014).
    state = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    state = (state ^ (state >> 27)) &* 0x94D0_49BB_1331_11EB
    return byNumber[Int((state ^ (state >> 31)) % UInt64(byNumber.count))]
  }
}

/// The requests that wait for their turn, in buffers that are used again.
struct HeldRequests {
  private var waiting: [(thread: Int32, buffer: fuse_buf)] = []
  private var unused: [fuse_buf] = []

  /// True where nobody waits.
  var isEmpty: Bool { waiting.isEmpty }
  /// The threads that wait.
  var threads: [Int32] { waiting.map(\.thread) }

  /// A buffer to receive into.
  mutating func buffer() -> fuse_buf { unused.popLast() ?? fuse_buf() }

  /// The request in a buffer is through.
  mutating func takeBack(_ buffer: fuse_buf) { unused.append(buffer) }

  /// True where a request is nobody's turn and is answered at once; else it is held.
  mutating func passes(_ buffer: fuse_buf) -> Bool {
    guard let head = buffer.head, head.thread != 0, !RequestHead.Opcode.ofNoThread.contains(head.opcode) else {
      return true
    }
    waiting.append((head.thread, buffer))
    return false
  }

  /// The number of the request that an INTERRUPT is about; nil for any other request.
  static func interrupted(by buffer: fuse_buf) -> UInt64? {
    guard let head = buffer.head, head.opcode == RequestHead.Opcode.interrupt,
      buffer.size >= RequestHead.bytes + MemoryLayout<UInt64>.size
    else { return nil }
    return buffer.mem?.load(fromByteOffset: RequestHead.bytes, as: UInt64.self)
  }

  /// Takes out the request whose turn it is.
  mutating func remove(at place: Int) -> fuse_buf { waiting.remove(at: place).buffer }

  /// Frees all buffers.
  mutating func removeAll() {
    for buffer in waiting.map(\.buffer) + unused { free(buffer.mem) }
    waiting = []
    unused = []
  }
}

extension fuse_buf {
  /// The head of the request in it.
  fileprivate var head: RequestHead? { mem.flatMap { RequestHead(UnsafeRawBufferPointer(start: $0, count: size)) } }
}
