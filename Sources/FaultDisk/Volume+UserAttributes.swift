import Files

extension BytePath {
  /// True for the name of an extended attribute that belongs to users; the others are the system's.
  var isUserAttribute: Bool { bytes.starts(with: "user.".utf8) }
}

extension Volume {
  /// The extended attributes of an open file that belong to users; none where the volume has no such thing.
  func userAttributes(of file: OpenFile) throws(FileCallError) -> [BytePath: [UInt8]] {
    var names: [BytePath] = []
    do throws(FileCallError) {
      names = try extendedAttributeNames(of: file)
    } catch {
      guard error.errno == .enotsup else { throw error }
    }
    var attributes: [BytePath: [UInt8]] = [:]
    for name in names where name.isUserAttribute { attributes[name] = try extendedAttribute(name, of: file) }
    return attributes
  }
}
