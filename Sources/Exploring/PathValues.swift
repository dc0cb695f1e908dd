import Bytes
import CrashModel
import FaultDisk
import Files

/// What a name stands for, as far as a reader sees it.
package enum PathValue: Hashable, Sendable {
  /// Nothing.
  case missing
  /// A directory.
  case directory
  /// A symbolic link with this text.
  case link(BytePath)
  /// A file with bytes of this digest.
  case file(Digest128, size: UInt64)
  /// A file of this size, all of it zeros.
  case zeros(size: UInt64)
  /// A device, FIFO or socket.
  case other
}

/// Tells what names stand for; the bytes of each content are read once.
package struct PathReader {
  private var digests: ContentDigests

  /// A reader of trees whose bytes stand on this disk.
  package init(_ disk: FaultDisk) { digests = ContentDigests(disk) }

  /// What each path of a tree stands for.
  package mutating func values(of tree: DiskTree) -> [BytePath: PathValue] {
    var values: [BytePath: PathValue] = [:]
    for (path, inode) in tree.paths where !path.isRoot {
      if let node = tree.nodes[inode] { values[path] = value(of: node) }
    }
    return values
  }

  /// What a name of this node stands for.
  package mutating func value(of node: DiskTree.Node) -> PathValue {
    switch node.attributes.kind {
    case .directory: .directory
    case .symbolicLink: .link(node.text)
    case .regular: value(of: node.content)
    default: .other
    }
  }

  private mutating func value(of content: FileContent) -> PathValue {
    digests.digest(of: content).map { .file($0, size: content.size) } ?? .zeros(size: content.size)
  }
}

/// A name that stands for something else than it did in another tree.
package struct PathDifference: Hashable, Sendable, Comparable {
  /// The name.
  package let path: BytePath
  /// What it stands for, a phrase: "is empty".
  package let words: String

  /// By path.
  package static func < (left: PathDifference, right: PathDifference) -> Bool {
    (left.path, left.words) < (right.path, right.words)
  }

  /// The names of `values` that stand for something else in `others`.
  package static func all(
    in values: [BytePath: PathValue], from others: [BytePath: PathValue]
  ) -> [PathDifference] {
    Set(values.keys).union(others.keys).compactMap { path in
      let (value, other) = (values[path] ?? .missing, others[path] ?? .missing)
      return value == other ? nil : PathDifference(path: path, words: words(for: value, not: other))
    }.sorted()
  }

  /// What a value is, told to somebody who expects another.
  package static func words(for value: PathValue, not expected: PathValue) -> String {
    switch value {
    case .missing: return "is missing"
    case .directory: return "is a directory"
    case .link: return "is a symbolic link"
    case .other: return "is a device, FIFO or socket"
    case .zeros(size: 0): return expected == .missing ? "is there, empty" : "is empty"
    case .zeros(let size): return "is \(size) bytes of zeros"
    case .file(_, let size):
      switch expected {
      case .missing: return "is there"
      case .file(_, size): return "has other bytes"
      case .file(_, let expectedSize) where size < expectedSize: return "is cut to \(size) of \(expectedSize) bytes"
      case .zeros(let expectedSize), .file(_, let expectedSize): return "has \(size) bytes, not \(expectedSize)"
      default: return "is a file"
      }
    }
  }
}
