extension BytePath {
  /// The most bytes of a path, as the kernel counts them without the zero at the end.
  package static let pathBytesMax = 4095
  /// The most bytes of a name.
  package static let nameBytesMax = 255

  /// Why a volume refuses this path; nil for the root and for names separated by single slashes.
  ///
  /// EINVAL for "." and "..", for a slash at an end or behind another, and for a zero byte; ENAMETOOLONG for a name
  /// or path beyond the limits.
  package var refusal: Errno? {
    if isRoot { return nil }
    if bytes.count > BytePath.pathBytesMax { return .enametoolong }
    if bytes.contains(0) { return .einval }
    // Every call asks this, so no copies of the names are made.
    return bytes.withUnsafeBytes { bytes in
      var start = 0
      for end in 0...bytes.count where end == bytes.count || bytes[end] == UInt8(ascii: "/") {
        let length = end - start
        if length == 0 { return .einval }
        if length <= 2, bytes[start] == UInt8(ascii: "."), bytes[end - 1] == UInt8(ascii: ".") { return .einval }
        if length > BytePath.nameBytesMax { return .enametoolong }
        start = end + 1
      }
      return nil
    }
  }
}
