import Files
import Synchronization

/// Another volume that somebody changes each time a page is being read.
final class RestlessVolume: Volume {
  private let inner: any Volume
  private let times: Int
  private let change: @Sendable (Int) throws -> Void
  private let state = Mutex<(changes: Int, pages: Set<OpenFile>)>((0, []))

  init(_ inner: any Volume, times: Int, change: @escaping (Int) throws -> Void) {
    self.inner = inner
    self.times = times
    nonisolated(unsafe) let change = change
    self.change = { try change($0) }
  }

  var changes: Int { state.withLock { $0.changes } }

  func open(_ path: BytePath, for purpose: OpenPurpose) throws(FileCallError) -> OpenFile {
    let file = try inner.open(path, for: purpose)
    if path.hasSuffix(".content") { state.withLock { _ = $0.pages.insert(file) } }
    return file
  }

  func close(_ file: OpenFile) throws(FileCallError) {
    state.withLock { _ = $0.pages.remove(file) }
    try inner.close(file)
  }

  func read(
    _ file: OpenFile, at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer
  ) throws(FileCallError) -> Int {
    let number: Int? = state.withLock { state in
      guard offset == 0, state.pages.contains(file), state.changes < times else { return nil }
      state.changes += 1
      return state.changes
    }
    if let number { try? change(number) }
    return try inner.read(file, at: offset, into: buffer)
  }

  func write(_ file: OpenFile, at offset: UInt64, _ bytes: UnsafeRawBufferPointer) throws(FileCallError) -> Int {
    try inner.write(file, at: offset, bytes)
  }

  func truncate(_ file: OpenFile, to size: UInt64) throws(FileCallError) { try inner.truncate(file, to: size) }
  func synchronize(_ file: OpenFile) throws(FileCallError) { try inner.synchronize(file) }
  func status(of file: OpenFile) throws(FileCallError) -> FileStatus { try inner.status(of: file) }
  func status(at path: BytePath) throws(FileCallError) -> FileStatus { try inner.status(at: path) }
  func rename(_ from: BytePath, to: BytePath) throws(FileCallError) { try inner.rename(from, to: to) }
  func renameKeeping(_ from: BytePath, to: BytePath) throws(FileCallError) { try inner.renameKeeping(from, to: to) }
  func link(_ from: BytePath, to: BytePath) throws(FileCallError) { try inner.link(from, to: to) }
  func unlink(_ path: BytePath) throws(FileCallError) { try inner.unlink(path) }
  func makeDirectory(_ path: BytePath, permissions: UInt16) throws(FileCallError) {
    try inner.makeDirectory(path, permissions: permissions)
  }
  func removeDirectory(_ path: BytePath) throws(FileCallError) { try inner.removeDirectory(path) }
  func entries(of path: BytePath, countMax: Int) throws(FileCallError) -> [DirectoryEntry] {
    try inner.entries(of: path, countMax: countMax)
  }
  func lockExclusively(_ file: OpenFile) throws(FileCallError) { try inner.lockExclusively(file) }
  func lockHolder(of file: OpenFile) -> Int32? { inner.lockHolder(of: file) }
  func freeSpace() throws(FileCallError) -> FreeSpace { try inner.freeSpace() }
  func setAttributes(_ file: OpenFile, permissions: UInt16?, modified: Int64?) throws(FileCallError) {
    try inner.setAttributes(file, permissions: permissions, modified: modified)
  }
}
