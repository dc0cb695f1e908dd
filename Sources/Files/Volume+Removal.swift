extension Volume {
  /// Removes everything in a directory, and not the directory.
  ///
  /// A directory that its owner may not write to is opened up first. Links are removed and not followed.
  package func removeAll(below directory: BytePath) throws(FileCallError) {
    for entry in try entries(of: directory, countMax: 1 << 20) {
      let path = directory.appending(entry.name)
      let status = try status(at: path)
      guard status.kind == .directory else {
        try unlink(path)
        continue
      }
      if status.permissions & 0o700 != 0o700 {
        let file = try open(path, for: .directory)
        defer { try? close(file) }
        try setAttributes(file, permissions: 0o700, modified: nil)
      }
      try removeAll(below: path)
      try removeDirectory(path)
    }
  }
}
