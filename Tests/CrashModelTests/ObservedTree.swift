import FaultDisk
import Files
import JSON
import TestSupport

@testable import CrashModel

/// A tree that a file system showed: a file is its size and a letter for each block.
struct ObservedTree: Sendable {
  /// "dir" for a directory, "->text" for a link, "size:letters" for a file.
  var things: [String: String]

  init(json: JSONValue) {
    things = [:]
    for (name, value) in json.object ?? [:] { things[name] = Self.unpacked(value.string ?? "") }
  }

  /// `n{16}` as sixteen letters.
  private static func unpacked(_ text: String) -> String {
    var result = ""
    var rest = Substring(text)
    while let open = rest.firstIndex(of: "{"), let close = rest.firstIndex(of: "}") {
      let letter = rest[rest.index(before: open)]
      result += rest[..<rest.index(before: open)]
      result += String(repeating: letter, count: Int(rest[rest.index(after: open)..<close]) ?? 0)
      rest = rest[rest.index(after: close)...]
    }
    return result + rest
  }
}

extension CrashWindow {
  /// True where some cut, and under it some content of every file, is what was observed. The bystander is left out.
  func allows(_ observed: ObservedTree, on disk: FaultDisk) -> Bool {
    hasCut { cut in
      var count = 0
      for (path, inode) in cut.namespace.reachable where path != "other" && !path.isRoot {
        count += 1
        let node = cut.namespace.nodes[inode] ?? reader.namespace.nodes[inode]
        switch node?.attributes.kind {
        case .directory: if observed.things["\(path)/"] != "dir" { return false }
        case .symbolicLink: if observed.things["\(path)"] != "->\(node?.text ?? "")" { return false }
        default:
          guard let file = observed.things["\(path)"], space(of: inode, in: cut).allows(file, on: disk) else {
            return false
          }
        }
      }
      return count == observed.things.count
    }
  }
}

extension FileSpace {
  fileprivate func allows(_ observed: String, on disk: FaultDisk) -> Bool {
    let parts = observed.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, let size = UInt64(parts[0]) else { return false }
    let letters = Array(parts[1])
    let changed = Set(changedBlocks)
    return sizes.contains { run in
      guard run.contains(size) else { return false }
      let pick = SizePick(size: size, version: run.version)
      return letters.indices.allSatisfy { index in
        let block = UInt64(index)
        let versions = changed.contains(block) ? versions(of: block, at: pick) : [0]
        return versions.contains { version in
          let low = block * FileWindow.blockBytes
          let bytes = disk.bytes(
            of: window.content(of: version), from: low, to: min(low + FileWindow.blockBytes, size))
          return Self.letter(of: bytes) == letters[index]
        }
      }
    }
  }

  /// The letter of a block.
  static func letter(of bytes: [UInt8]) -> Character {
    guard let first = bytes.first else { return "0" }
    if bytes == [UInt8](repeating: first, count: bytes.count) {
      return first == 0 ? "0" : Character(UnicodeScalar(first))
    }
    return bytes.contains(0) ? "~" : "*"
  }
}
