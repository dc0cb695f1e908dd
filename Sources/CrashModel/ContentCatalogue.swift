import Bytes
import FaultDisk
import Files

/// Digests of trees; the bytes of each content are read once.
///
/// A tree's digest is the sum of the digests of what stands at each of its paths. So of trees that differ in one file only
/// that file's part is digested anew.
struct ContentCatalogue: Sendable {
  /// A path, and the inode that stands there.
  private struct Place: Hashable {
    var path: BytePath
    var inode: UInt64
  }

  /// What stood at a place when its part was digested.
  private struct Known {
    var node: Namespace.Node
    var content: FileContent?
    var digest: Digest128
  }

  /// So many parts are kept.
  private static let knownMax = 1 << 14

  private var contents: ContentDigests
  private var known: [Place: Known] = [:]

  init(_ disk: FaultDisk) { contents = ContentDigests(disk) }

  /// The digests of all trees that one choice of names allows.
  ///
  /// They are equal for trees with equal names, kinds, permissions, texts, attributes and bytes.
  ///
  /// - Parameter open: the files whose contents are chosen, with the contents.
  mutating func digests(
    of window: CrashWindow, _ cut: Cut, _ reachable: [(path: BytePath, inode: UInt64)],
    _ open: [(inode: UInt64, choices: FileChoices)]
  ) -> TreeDigests {
    var digests = TreeDigests(openCount: open.count)
    let places = Dictionary(uniqueKeysWithValues: open.enumerated().map { ($1.inode, $0) })
    var firstNames: [UInt64: BytePath] = [:]
    for (path, inode) in reachable {
      guard let node = window.node(inode, in: cut) else { continue }
      // A second name of a file tells only which thing it is.
      if let first = firstNames[inode] {
        var writer = ByteWriter()
        writer.write(counted: path.bytes)
        writer.write(counted: first.bytes)
        digests.add(XXH3.digest128(of: writer.bytes))
        continue
      }
      firstNames[inode] = path
      if let place = places[inode], node.attributes.kind == .regular {
        let head = head(path, node)
        digests.add(open[place].choices.list.map { digest(of: $0.content, behind: head) }, at: place)
      } else {
        let content = node.attributes.kind == .regular ? window.content(of: inode, [:]) : nil
        digests.add(part(Place(path: path, inode: inode), node, content))
      }
    }
    return digests
  }

  /// The part of what does not change from one choice to the next, and seldom from one moment to the next.
  private mutating func part(_ place: Place, _ node: Namespace.Node, _ content: FileContent?) -> Digest128 {
    if let known = known[place], known.node == node, known.content == content { return known.digest }
    let head = head(place.path, node)
    let digest = content.map { self.digest(of: $0, behind: head) } ?? XXH3.digest128(of: head.bytes)
    if known.count == Self.knownMax { known.removeAll() }
    known[place] = Known(node: node, content: content, digest: digest)
    return digest
  }

  private func head(_ path: BytePath, _ node: Namespace.Node) -> ByteWriter {
    var writer = ByteWriter(capacity: 128)
    writer.write(counted: path.bytes)
    writer.write(node)
    return writer
  }

  /// The digest of a file's names and attributes, which are written already, and its bytes.
  private mutating func digest(of content: FileContent, behind head: ByteWriter) -> Digest128 {
    var writer = head
    let digest = contents.digest(of: content)
    writer.write(digest?.high ?? 0)
    writer.write(digest?.low ?? 0)
    writer.write(content.size)
    return XXH3.digest128(of: writer.bytes)
  }
}

/// The digests of trees that differ in the contents of some files.
struct TreeDigests {
  /// What all of them have in common.
  private var base = Digest128(high: 0, low: 0)
  /// For each of the files, a part for each of its contents.
  private var parts: [[Digest128]]

  fileprivate init(openCount: Int) { parts = Array(repeating: [], count: openCount) }

  fileprivate mutating func add(_ digest: Digest128) { base = base.adding(digest) }

  fileprivate mutating func add(_ digests: [Digest128], at place: Int) { parts[place] = digests }

  /// The digest of the tree in which each of the files has this content.
  func digest(of combination: [Int]) -> Digest128 {
    zip(parts, combination).reduce(base) { $1.0.isEmpty ? $0 : $0.adding($1.0[$1.1]) }
  }
}

extension Digest128 {
  /// The sum of two, modulo 2¹²⁸.
  fileprivate func adding(_ other: Digest128) -> Digest128 {
    let (low, carries) = low.addingReportingOverflow(other.low)
    return Digest128(high: high &+ other.high &+ (carries ? 1 : 0), low: low)
  }
}

extension ByteWriter {
  fileprivate mutating func write(counted bytes: [UInt8]) {
    write(UInt32(bytes.count))
    write(bytes: bytes)
  }

  fileprivate mutating func write(_ node: Namespace.Node) {
    write(bytes: node.attributes.kind.rawValue.utf8)
    write(node.attributes.permissions)
    write(counted: node.text.bytes)
    for (name, value) in node.extendedAttributes.sorted(by: { $0.key < $1.key }) {
      write(counted: name.bytes)
      write(counted: value)
    }
  }
}
