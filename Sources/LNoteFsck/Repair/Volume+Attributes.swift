import Files

extension Volume {
  /// Copies a file within this volume and syncs the copy: bytes, permissions, time of change, extended attributes.
  func copyWithAttributes(_ source: BytePath, to target: BytePath) throws(FileCallError) {
    let status = try status(at: source)
    try copyFile(source, to: target, of: self, permissions: status.permissions, modified: status.modified)
    do throws(FileCallError) {
      try copyExtendedAttributes(source, to: target)
    } catch {
      try? unlink(target)
      throw error
    }
  }

  /// The extended attributes of users; those of the system belong to the file system.
  private func copyExtendedAttributes(_ source: BytePath, to target: BytePath) throws(FileCallError) {
    let from = try open(source, for: .reading)
    defer { try? close(from) }
    let names: [BytePath]
    do throws(FileCallError) {
      names = try extendedAttributeNames(of: from)
    } catch {
      if ["ENOTSUP", "EOPNOTSUPP"].contains(error.errno.name) { return }
      throw error
    }
    for name in names where name.hasPrefix("user.") {
      let to = try open(target, for: .reading)
      defer { try? close(to) }
      try setExtendedAttribute(name, of: to, to: try extendedAttribute(name, of: from))
      try synchronize(to)
    }
  }
}
