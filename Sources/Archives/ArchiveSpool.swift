import Files

/// Where the bytes of entries are held: in memory up to a limit, then in one file that has no name.
///
/// The file is made in a new folder that only its owner may enter, and both names are gone before the first byte is
/// written. So nothing is left of it however the process ends, and nobody else can open it.
final class ArchiveSpool: Sendable {
  private let volume: HostVolume
  private let writing: OpenFile
  private let reading: OpenFile

  /// An empty file below `place`, or TMPDIR, or /tmp.
  init(below place: BytePath? = nil) throws(FileCallError) {
    let folder = try Host.makeTemporaryFolder(prefix: "lnote-archive-", below: place)
    let around = try HostVolume(root: folder.parent)
    defer { try? around.removeDirectory(folder.name) }
    let volume = try HostVolume(root: folder)
    self.volume = volume
    writing = try volume.open("entries", for: .creating(permissions: 0o600))
    defer { try? volume.unlink("entries") }
    reading = try volume.open("entries", for: .reading)
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(FileCallError) {
    var done = 0
    while done < bytes.count {
      done += try volume.write(writing, at: offset + UInt64(done), UnsafeRawBufferPointer(rebasing: bytes[done...]))
    }
  }

  func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws(FileCallError) -> Int {
    try volume.read(reading, at: offset, into: buffer)
  }
}

/// Collects the bytes of one entry after the other.
struct ArchiveHolder {
  private let memoryBytesMax: Int
  private let place: BytePath?
  private var memoryBytes = 0
  private var spooledBytes: UInt64 = 0
  private var pending: [UInt8] = []
  private var pendingStart: UInt64?
  /// How many bytes of the present entry are held.
  private(set) var count: UInt64 = 0
  /// The file; nil while memory is enough.
  private(set) var spool: ArchiveSpool?

  init(memoryBytesMax: Int, below place: BytePath?) {
    self.memoryBytesMax = memoryBytesMax
    self.place = place
  }

  mutating func add(_ piece: UnsafeRawBufferPointer) throws(FileCallError) {
    if pendingStart == nil && memoryBytes + pending.count + piece.count > memoryBytesMax {
      pendingStart = spooledBytes
      let before = pending
      pending = []
      if spool == nil { spool = try ArchiveSpool(below: place) }
      var failure: FileCallError?
      before.withUnsafeBytes { bytes in
        do throws(FileCallError) { try append(bytes) } catch { failure = error }
      }
      if let failure { throw failure }
    }
    if pendingStart == nil { pending += piece } else { try append(piece) }
    count += UInt64(piece.count)
  }

  /// Adds so many zeros.
  mutating func addZeros(_ count: UInt64) throws(FileCallError) {
    if count == 0 { return }
    let zeros = UnsafeMutableRawBufferPointer.allocate(byteCount: Int(min(count, 64 << 10)), alignment: 16)
    zeros.initializeMemory(as: UInt8.self, repeating: 0)
    defer { zeros.deallocate() }
    var left = count
    while left > 0 {
      let piece = min(left, UInt64(zeros.count))
      try add(UnsafeRawBufferPointer(rebasing: zeros[..<Int(piece)]))
      left -= piece
    }
  }

  /// The present entry's bytes; the next entry begins.
  mutating func finish() -> ArchiveContent {
    defer { drop() }
    if let pendingStart { return .spooled(at: pendingStart) }
    memoryBytes += pending.count
    return .memory(pending)
  }

  /// Forgets the present entry.
  mutating func drop() {
    (pending, pendingStart, count) = ([], nil, 0)
  }

  private mutating func append(_ bytes: UnsafeRawBufferPointer) throws(FileCallError) {
    try spool?.write(bytes, at: spooledBytes)
    spooledBytes += UInt64(bytes.count)
  }
}
