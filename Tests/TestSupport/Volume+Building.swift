import Files

extension Volume {
  /// Makes a file of these bytes, and the directories above it where they are missing.
  package func make(_ path: BytePath, _ bytes: [UInt8] = [], permissions: UInt16 = 0o600) throws {
    try makeDirectories(path.parent)
    let file = try open(path, for: .creating(permissions: permissions))
    defer { try? close(file) }
    try writeWhole(file, bytes)
  }

  /// Makes a file of this text, and the directories above it where they are missing.
  package func make(_ path: BytePath, text: String) throws { try make(path, Array(text.utf8)) }

  /// Makes this directory and those above it, where they are missing.
  package func makeDirectories(_ path: BytePath) throws {
    if path.isRoot || (try? status(at: path))?.kind == .directory { return }
    try makeDirectories(path.parent)
    try makeDirectory(path, permissions: 0o700)
  }

  /// The bytes of a file of at most 64 MiB.
  package func bytes(of path: BytePath) throws -> [UInt8] { try readWhole(path, sizeMax: 64 << 20) }

  /// Replaces the bytes of an existing file in place.
  package func replace(_ path: BytePath, with bytes: [UInt8]) throws {
    let file = try open(path, for: .overwriting(permissions: 0o600))
    defer { try? close(file) }
    try writeWhole(file, bytes)
  }

  /// The paths of everything below `directory`, sorted by bytes; a directory stands before what is in it.
  package func tree(below directory: BytePath = .root) throws -> [BytePath] {
    var paths: [BytePath] = []
    for entry in try entries(of: directory, countMax: 1 << 20) {
      let path = directory.appending(entry.name)
      paths.append(path)
      if try status(at: path).kind == .directory { paths += try tree(below: path) }
    }
    return paths.sorted()
  }
}
