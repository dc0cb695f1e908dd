import Files

extension Volume {
  /// Copies a file to `other` and syncs the copy: bytes, permissions, time of change, extended attributes.
  func copyWithAttributes(
    _ source: BytePath, to target: BytePath, of other: any Volume
  ) throws(FileCallError) {
    let status = try status(at: source)
    try copyFile(source, to: target, of: other, permissions: status.permissions, modified: status.modified)
    do throws(FileCallError) {
      try copyExtendedAttributes(source, to: target, of: other)
    } catch {
      try? other.unlink(target)
      throw error
    }
  }

  /// The extended attributes of users; those of the system belong to the file system.
  private func copyExtendedAttributes(
    _ source: BytePath, to target: BytePath, of other: any Volume
  ) throws(FileCallError) {
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
      let to = try other.open(target, for: .reading)
      defer { try? other.close(to) }
      try other.setExtendedAttribute(name, of: to, to: try extendedAttribute(name, of: from))
      try other.synchronize(to)
    }
  }
}
