/// A volume that lies over another one and does some things differently.
///
/// Every call goes to the volume below; a layer says only what it changes.
package protocol VolumeLayer: Volume {
  /// The volume below.
  var below: any Volume { get }
}

// Every requirement of `Volume`, handed on.
extension VolumeLayer {
  /// As below.
  package func open(_ path: BytePath, for purpose: OpenPurpose) throws(FileCallError) -> OpenFile {
    try below.open(path, for: purpose)
  }

  /// As below.
  package func close(_ file: OpenFile) throws(FileCallError) { try below.close(file) }

  /// As below.
  package func read(
    _ file: OpenFile, at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer
  ) throws(FileCallError) -> Int { try below.read(file, at: offset, into: buffer) }

  /// As below.
  package func write(
    _ file: OpenFile, at offset: UInt64, _ bytes: UnsafeRawBufferPointer
  ) throws(FileCallError) -> Int { try below.write(file, at: offset, bytes) }

  /// As below.
  package func truncate(_ file: OpenFile, to size: UInt64) throws(FileCallError) {
    try below.truncate(file, to: size)
  }

  /// As below.
  package func synchronize(_ file: OpenFile) throws(FileCallError) { try below.synchronize(file) }

  /// As below.
  package func status(of file: OpenFile) throws(FileCallError) -> FileStatus { try below.status(of: file) }

  /// As below.
  package func status(at path: BytePath) throws(FileCallError) -> FileStatus { try below.status(at: path) }

  /// As below.
  package func rename(_ from: BytePath, to: BytePath) throws(FileCallError) { try below.rename(from, to: to) }

  /// As below.
  package func renameKeeping(_ from: BytePath, to: BytePath) throws(FileCallError) {
    try below.renameKeeping(from, to: to)
  }

  /// As below.
  package func link(_ from: BytePath, to: BytePath) throws(FileCallError) { try below.link(from, to: to) }

  /// As below.
  package func unlink(_ path: BytePath) throws(FileCallError) { try below.unlink(path) }

  /// As below.
  package func makeDirectory(_ path: BytePath, permissions: UInt16) throws(FileCallError) {
    try below.makeDirectory(path, permissions: permissions)
  }

  /// As below.
  package func removeDirectory(_ path: BytePath) throws(FileCallError) { try below.removeDirectory(path) }

  /// As below.
  package func entries(of path: BytePath, countMax: Int) throws(FileCallError) -> [DirectoryEntry] {
    try below.entries(of: path, countMax: countMax)
  }

  /// As below.
  package func lockExclusively(_ file: OpenFile) throws(FileCallError) { try below.lockExclusively(file) }

  /// As below.
  package func lockHolder(of file: OpenFile) -> Int32? { below.lockHolder(of: file) }

  /// As below.
  package func freeSpace() throws(FileCallError) -> FreeSpace { try below.freeSpace() }

  /// As below.
  package func makeSymbolicLink(_ path: BytePath, to text: BytePath) throws(FileCallError) {
    try below.makeSymbolicLink(path, to: text)
  }

  /// As below.
  package func linkText(at path: BytePath) throws(FileCallError) -> BytePath { try below.linkText(at: path) }

  /// As below.
  package func makeNode(
    _ path: BytePath, kind: FileKind, permissions: UInt16, device: UInt32
  ) throws(FileCallError) {
    try below.makeNode(path, kind: kind, permissions: permissions, device: device)
  }

  /// As below.
  package func setAttributes(_ file: OpenFile, permissions: UInt16?, modified: Int64?) throws(FileCallError) {
    try below.setAttributes(file, permissions: permissions, modified: modified)
  }

  /// As below.
  package func extendedAttributeNames(of file: OpenFile) throws(FileCallError) -> [BytePath] {
    try below.extendedAttributeNames(of: file)
  }

  /// As below.
  package func extendedAttribute(_ name: BytePath, of file: OpenFile) throws(FileCallError) -> [UInt8] {
    try below.extendedAttribute(name, of: file)
  }

  /// As below.
  package func setExtendedAttribute(
    _ name: BytePath, of file: OpenFile, to value: [UInt8]
  ) throws(FileCallError) { try below.setExtendedAttribute(name, of: file, to: value) }
}
