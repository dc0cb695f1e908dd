import Files
import Glibc

/// One kind of system call, made again and again on a file of our own, for `make bench-faultfs`.
///
/// The calls are made without a room in between, so that what is timed is the file system and hardly anything else.
struct FileCalls {
  /// What is repeated.
  enum Kind: String, CaseIterable {
    /// A file is written from its beginning to its end, once more each time it is full; it is only open for writing.
    case writes
    /// A file is opened and read whole, again and again.
    case reads
    /// A hundred names are asked for their status in turn.
    case status
  }

  let kind: Kind
  /// The size of one write or read.
  let bytes: Int
  let count: Int

  private static let fileBytes = 64 << 20
  private static let nameCount = 100

  /// Makes the calls below a directory of the host; nothing is left there.
  func run(in directory: BytePath) throws(FileCallError) -> AtomicSaves.Cost {
    switch kind {
    case .writes: try write(directory.appending("written"))
    case .reads: try read(directory.appending("read"))
    case .status: try ask(directory)
    }
  }

  private func write(_ path: BytePath) throws(FileCallError) -> AtomicSaves.Cost {
    let content = content
    defer { unlink(path.cString) }
    // The first pass makes the names and the memory warm on both sides; it is not timed.
    try fill(path, content, pieces: min(count, piecesOfFile))
    return try AtomicSaves.Cost.each(of: count) { () throws(FileCallError) in
      var left = count
      while left > 0 {
        try fill(path, content, pieces: min(left, piecesOfFile))
        left -= piecesOfFile
      }
    }
  }

  private func fill(_ path: BytePath, _ content: [UInt8], pieces: Int) throws(FileCallError) {
    let file = try FileCalls.opened(path, O_WRONLY | O_CREAT | O_TRUNC)
    defer { close(file) }
    for piece in 0..<pieces where pwrite(file, content, bytes, off_t(piece * bytes)) != bytes {
      throw FileCallError("pwrite", [path], .current)
    }
  }

  private func read(_ path: BytePath) throws(FileCallError) -> AtomicSaves.Cost {
    defer { unlink(path.cString) }
    try fill(path, content, pieces: piecesOfFile)
    var buffer = [UInt8](repeating: 0, count: bytes)
    try drain(path, into: &buffer, pieces: piecesOfFile)
    return try AtomicSaves.Cost.each(of: count) { () throws(FileCallError) in
      var left = count
      while left > 0 {
        try drain(path, into: &buffer, pieces: min(left, piecesOfFile))
        left -= piecesOfFile
      }
    }
  }

  private func drain(_ path: BytePath, into buffer: inout [UInt8], pieces: Int) throws(FileCallError) {
    let file = try FileCalls.opened(path, O_RDONLY)
    defer { close(file) }
    for piece in 0..<pieces where pread(file, &buffer, bytes, off_t(piece * bytes)) != bytes {
      throw FileCallError("pread", [path], .current)
    }
  }

  private func ask(_ directory: BytePath) throws(FileCallError) -> AtomicSaves.Cost {
    let paths = (0..<FileCalls.nameCount).map { directory.appending("asked-\($0)") }
    let names = paths.map(\.cString)
    defer { for name in names { unlink(name) } }
    for path in paths { close(try FileCalls.opened(path, O_WRONLY | O_CREAT)) }
    var status = stat()
    for name in names { stat(name, &status) }
    return try AtomicSaves.Cost.each(of: count) { () throws(FileCallError) in
      for number in 0..<count where stat(names[number % names.count], &status) != 0 {
        throw FileCallError("stat", [paths[number % paths.count]], .current)
      }
    }
  }

  private var content: [UInt8] { (0..<bytes).map { UInt8(truncatingIfNeeded: $0 &* 167) } }

  private var piecesOfFile: Int { FileCalls.fileBytes / bytes }

  private static func opened(_ path: BytePath, _ flags: CInt) throws(FileCallError) -> CInt {
    let file = open(path.cString, flags | O_CLOEXEC, 0o644)
    guard file >= 0 else { throw FileCallError("open", [path], .current) }
    return file
  }
}

extension BytePath {
  /// The path as C takes it.
  fileprivate var cString: [CChar] { bytes.map { CChar(bitPattern: $0) } + [0] }
}
