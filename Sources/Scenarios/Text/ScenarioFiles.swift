/// How a scenario gets at the files that it names.
///
/// It is handed in, so that reading a scenario touches nothing by itself.
package struct ScenarioFiles: Sendable {
  /// Why a file cannot be had, in a few words.
  package struct Refusal: Error, Sendable {
    /// "No such file or directory".
    package let reason: String

    /// A refusal for this reason.
    package init(reason: String) { self.reason = reason }
  }

  /// The content of the file at this path, which is relative to the scenario's own folder.
  package let read: @Sendable (_ path: String, _ bytesMax: Int) -> Result<[UInt8], Refusal>

  /// Files that are read so.
  package init(read: @escaping @Sendable (_ path: String, _ bytesMax: Int) -> Result<[UInt8], Refusal>) {
    self.read = read
  }

  /// No files at all.
  package static let none = ScenarioFiles { _, _ in .failure(Refusal(reason: "no other file can be read here")) }

  /// The path that `name` means in a file at `path`: "parts/pens.scn" and "../a.jpg" are "a.jpg".
  static func path(of name: String, in path: String) -> String {
    if name.hasPrefix("/") { return name }
    var parts = path.split(separator: "/").dropLast().map(String.init)
    for part in name.split(separator: "/").map(String.init) where part != "." {
      if part == "..", let last = parts.last, last != ".." {
        parts.removeLast()
      } else {
        parts.append(part)
      }
    }
    return (path.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
  }
}
