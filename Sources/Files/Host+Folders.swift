import Glibc

extension Host {
  /// Makes an empty folder of a new name below `place`, or TMPDIR, or /tmp; only its owner may enter.
  ///
  /// - Returns: its absolute path.
  package static func makeTemporaryFolder(
    prefix: String, below place: BytePath? = nil
  ) throws(FileCallError) -> BytePath {
    let wish = place ?? environmentPath("TMPDIR").flatMap { $0.bytes.first == UInt8(ascii: "/") ? $0 : nil }
    let parent = wish ?? "/tmp"
    let pattern = parent.appending(prefix + "XXXXXX")
    var name = pattern.bytes.map { CChar(bitPattern: $0) } + [0]
    guard mkdtemp(&name) != nil else { throw FileCallError("mkdtemp", [pattern], .current) }
    return BytePath(bytes: name.dropLast().map { UInt8(bitPattern: $0) })
  }

  /// Makes a folder at an absolute path and every missing one above it, with permissions 0755.
  package static func makeFolders(_ path: BytePath) throws(FileCallError) {
    var made = BytePath("/")
    for name in path.components {
      made = made == "/" ? BytePath(bytes: [UInt8(ascii: "/")] + name.bytes) : made.appending(name)
      if mkdir(made.description, 0o755) != 0, errno != EEXIST { throw FileCallError("mkdir", [made], .current) }
    }
  }
}
