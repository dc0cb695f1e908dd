/// A place where the house's rules are not kept.
struct Finding: Hashable, CustomStringConvertible {
  /// Relative to the package.
  let path: String
  /// From 1; 0 where the whole file is meant.
  let line: Int
  /// What is wrong, and what to do.
  let message: String

  var description: String { line == 0 ? "\(path): \(message)" : "\(path):\(line): \(message)" }
}
