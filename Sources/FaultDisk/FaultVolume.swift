import Files

/// The in-process door of a fault disk: it speaks for one process with root's rights.
///
/// After a kill every call fails with ECANCELED, after a power cut with EIO, after a `restart` with ENOTCONN.
package final class FaultVolume: Volume {
  /// The disk behind the door.
  package let disk: FaultDisk
  /// The number of the volume; its operations carry it as thread.
  package let number: Int32

  init(disk: FaultDisk, number: Int32) {
    self.disk = disk
    self.number = number
  }

  package func open(_ path: BytePath, for purpose: OpenPurpose) throws(FileCallError) -> OpenFile {
    throw unsupported("open", path)
  }
  package func close(_ file: OpenFile) throws(FileCallError) {}
  package func read(
    _ file: OpenFile, at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer
  ) throws(FileCallError) -> Int { throw unsupported("read") }
  package func write(
    _ file: OpenFile, at offset: UInt64, _ bytes: UnsafeRawBufferPointer
  ) throws(FileCallError) -> Int { throw unsupported("write") }
  package func truncate(_ file: OpenFile, to size: UInt64) throws(FileCallError) {}
  package func synchronize(_ file: OpenFile) throws(FileCallError) {}
  package func status(of file: OpenFile) throws(FileCallError) -> FileStatus { throw unsupported("fstat") }
  package func status(at path: BytePath) throws(FileCallError) -> FileStatus { throw unsupported("lstat", path) }
  package func rename(_ from: BytePath, to: BytePath) throws(FileCallError) {}
  package func renameKeeping(_ from: BytePath, to: BytePath) throws(FileCallError) {}
  package func link(_ from: BytePath, to: BytePath) throws(FileCallError) {}
  package func unlink(_ path: BytePath) throws(FileCallError) {}
  package func makeDirectory(_ path: BytePath, permissions: UInt16) throws(FileCallError) {}
  package func removeDirectory(_ path: BytePath) throws(FileCallError) {}
  package func entries(of path: BytePath, countMax: Int) throws(FileCallError) -> [DirectoryEntry] { [] }
  package func lockExclusively(_ file: OpenFile) throws(FileCallError) {}
  package func lockHolder(of file: OpenFile) -> Int32? { nil }
  package func freeSpace() throws(FileCallError) -> FreeSpace { throw unsupported("statfs") }
  package func setAttributes(_ file: OpenFile, permissions: UInt16?, modified: Int64?) throws(FileCallError) {}

  private func unsupported(_ call: String, _ paths: BytePath...) -> FileCallError {
    FileCallError(call, paths, Errno(rawValue: 38))
  }
}
