/// A path or a name as the bytes the kernel sees; never normalised, never assumed to be UTF-8.
///
/// A path is relative to the root of its `Volume` ("" is the root itself) unless a call says otherwise.
/// Order and equality are by bytes, so listings are the same on every machine.
package struct BytePath: Hashable, Sendable, ExpressibleByStringLiteral {
  /// The bytes, without a terminating zero.
  package let bytes: [UInt8]

  /// A path of exactly these bytes.
  package init(bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

  /// A path of exactly these bytes, which are not copied.
  package init(bytes: [UInt8]) { self.bytes = bytes }

  /// A path of the UTF-8 bytes of `text`.
  package init(_ text: String) { bytes = Array(text.utf8) }

  /// A path written in source text.
  package init(stringLiteral value: StaticString) {
    bytes = value.withUTF8Buffer { Array($0) }
  }

  /// All bytes in one go: what Swift makes by itself feeds them one by one.
  package func hash(into hasher: inout Hasher) { bytes.withUnsafeBytes { hasher.combine(bytes: $0) } }

  /// The root of a volume.
  package static let root = BytePath(bytes: [])

  /// True for the root of a volume.
  package var isRoot: Bool { bytes.isEmpty }

  /// This path with `/name` behind it; `name` may have several components.
  package func appending(_ name: BytePath) -> BytePath {
    if bytes.isEmpty { return name }
    if name.bytes.isEmpty { return self }
    let count = bytes.count + 1 + name.bytes.count
    return BytePath(
      bytes: [UInt8](unsafeUninitializedCapacity: count) { room, filled in
        var place = room.initialize(fromContentsOf: bytes)
        room.initializeElement(at: place, to: UInt8(ascii: "/"))
        place = room[(place + 1)...].initialize(fromContentsOf: name.bytes)
        filled = place
      })
  }

  /// This path with `/name` behind it.
  package func appending(_ name: String) -> BytePath { appending(BytePath(name)) }

  /// What stands before the last slash; the root for a single name.
  package var parent: BytePath {
    guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return .root }
    return BytePath(bytes: bytes[..<slash])
  }

  /// The folder that holds an absolute path of the host: "/" for "/file".
  package var folderOnHost: BytePath { parent.isRoot ? "/" : parent }

  /// What stands behind the last slash.
  package var name: BytePath {
    guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return self }
    return BytePath(bytes: bytes[(slash + 1)...])
  }

  /// The names between the slashes, empty ones left out.
  package var components: [BytePath] {
    bytes.split(separator: UInt8(ascii: "/")).map { BytePath(bytes: $0) }
  }

  /// True when this path is `directory` or lies below it.
  package func isWithin(_ directory: BytePath) -> Bool {
    if directory.isRoot || self == directory { return true }
    return bytes.starts(with: directory.bytes + [UInt8(ascii: "/")])
  }

  /// True when the name begins with these ASCII characters.
  package func hasPrefix(_ text: StaticString) -> Bool { text.withUTF8Buffer { bytes.starts(with: $0) } }

  /// True when the name ends with these ASCII characters.
  package func hasSuffix(_ text: StaticString) -> Bool {
    text.withUTF8Buffer { bytes.count >= $0.count && bytes.suffix($0.count).elementsEqual($0) }
  }

  /// The text, where the bytes are valid UTF-8; nil where they are not.
  package var exactText: String? { String(validating: bytes, as: UTF8.self) }
}

extension BytePath: Comparable {
  /// Order by bytes.
  package static func < (left: BytePath, right: BytePath) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }
}

extension BytePath: CustomStringConvertible {
  /// The text for a person to read; invalid UTF-8 is shown with replacement characters.
  package var description: String { String(decoding: bytes, as: UTF8.self) }
}
