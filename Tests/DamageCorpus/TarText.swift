import Files

/// The files and folders of a tree as a tar in the form of POSIX 1988 (ustar).
package struct TarText {
  /// The file.
  package private(set) var bytes: [UInt8] = []

  /// The tar of this tree.
  package init(_ tree: PackageTree) {
    for path in tree.paths {
      if let content = tree.bytes(at: path) {
        add(path, type: "0", content)
      } else {
        add(path, type: "5", [])
      }
    }
    bytes += [UInt8](repeating: 0, count: 1024)
  }

  private mutating func add(_ path: BytePath, type: String, _ content: [UInt8]) {
    precondition(path.bytes.count <= 100, "\(path) has no room in a header")
    var header = [UInt8](repeating: 0, count: 512)
    func put(_ text: [UInt8], at offset: Int) { header.replaceSubrange(offset..<(offset + text.count), with: text) }
    put(path.bytes, at: 0)
    put(Array((type == "5" ? "0000755" : "0000644").utf8), at: 100)
    put(Array("0000000".utf8), at: 108)
    put(Array("0000000".utf8), at: 116)
    put(TarText.octal(content.count, digits: 11), at: 124)
    put(TarText.octal(0, digits: 11), at: 136)
    put(Array("        ".utf8), at: 148)
    put(Array(type.utf8), at: 156)
    put(Array("ustar\u{0}00".utf8), at: 257)
    put(TarText.octal(header.reduce(0) { $0 + Int($1) }, digits: 6) + [0], at: 148)
    let padding = (512 - content.count % 512) % 512
    bytes += header + content + [UInt8](repeating: 0, count: padding)
  }

  private static func octal(_ number: Int, digits: Int) -> [UInt8] {
    let text = String(number, radix: 8)
    return Array((String(repeating: "0", count: digits - text.count) + text).utf8)
  }
}
