// Things that only copying a whole tree makes; a volume that has none of them refuses.
extension Volume {
  /// ENOTSUP.
  package func makeSymbolicLink(_ path: BytePath, to text: BytePath) throws(FileCallError) {
    throw FileCallError("symlink", [path], .enotsup)
  }

  /// ENOTSUP.
  package func linkText(at path: BytePath) throws(FileCallError) -> BytePath {
    throw FileCallError("readlink", [path], .enotsup)
  }

  /// ENOTSUP.
  package func makeNode(
    _ path: BytePath, kind: FileKind, permissions: UInt16, device: UInt32
  ) throws(FileCallError) {
    throw FileCallError("mknod", [path], .enotsup)
  }

  /// ENOTSUP.
  package func extendedAttributeNames(of file: OpenFile) throws(FileCallError) -> [BytePath] {
    throw FileCallError("listxattr", [], .enotsup)
  }

  /// ENOTSUP.
  package func extendedAttribute(_ name: BytePath, of file: OpenFile) throws(FileCallError) -> [UInt8] {
    throw FileCallError("getxattr", [], .enotsup)
  }

  /// ENOTSUP.
  package func setExtendedAttribute(
    _ name: BytePath, of file: OpenFile, to value: [UInt8]
  ) throws(FileCallError) {
    throw FileCallError("setxattr", [], .enotsup)
  }
}
