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
    for name in bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
      if name.isEmpty || name.elementsEqual(".".utf8) || name.elementsEqual("..".utf8) { return .einval }
      if name.count > BytePath.nameBytesMax { return .enametoolong }
    }
    return nil
  }
}
