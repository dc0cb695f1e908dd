import Bytes
import FaultDisk
import Files

/// Digests of trees.
struct ContentCatalogue: Sendable {
  private var digests: ContentDigests

  init(_ disk: FaultDisk) { digests = ContentDigests(disk) }

  /// Equal for choices whose trees have equal names, kinds, permissions, texts, attributes and bytes.
  mutating func digest(
    of window: CrashWindow, _ cut: Cut, _ reachable: [(path: BytePath, inode: UInt64)],
    _ choices: [UInt64: FileChoice]
  ) -> Digest128 {
    var writer = ByteWriter(capacity: 96 * reachable.count)
    var first: [UInt64: Int] = [:]
    for (place, thing) in reachable.enumerated() {
      guard let node = window.node(thing.inode, in: cut) else { continue }
      writer.write(UInt32(thing.path.bytes.count))
      writer.write(bytes: thing.path.bytes)
      // A second name of a file tells only which thing it is.
      if let known = first[thing.inode] {
        writer.write(UInt32(known))
        continue
      }
      first[thing.inode] = place
      writer.write(bytes: node.attributes.kind.rawValue.utf8)
      writer.write(node.attributes.permissions)
      writer.write(bytes: node.text.bytes)
      for (name, value) in node.extendedAttributes.sorted(by: { $0.key < $1.key }) {
        writer.write(bytes: name.bytes)
        writer.write(UInt32(value.count))
        writer.write(bytes: value)
      }
      guard node.attributes.kind == .regular else { continue }
      let content = window.content(of: thing.inode, choices)
      let digest = digests.digest(of: content)
      writer.write(digest?.high ?? 0)
      writer.write(digest?.low ?? 0)
      writer.write(content.size)
    }
    return XXH3.digest128(of: writer.bytes)
  }
}
