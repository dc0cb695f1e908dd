import Bytes
import Files

extension Volume {
  /// Everything below `directory` that a program could have changed: a line for each name, sorted.
  ///
  /// Name, kind, permissions, time of the last modification in nanoseconds, and a digest of the bytes.
  package func picture(below directory: BytePath = .root) throws -> [String] {
    try tree(below: directory).map { path in
      let status = try status(at: path)
      let digest = status.kind == .regular ? XXH3.digest64(of: try bytes(of: path)) : 0
      return "\(path) \(status.kind) \(status.permissions) \(status.modified) \(digest)"
    }
  }
}
