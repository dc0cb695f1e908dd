import Files
import Glibc

/// A directory of its own for one test, below TMPDIR. It and all in it is removed when the last reference goes.
package final class TemporaryDirectory: Sendable {
  /// The most entries of a directory that are removed.
  package static let entriesMax = 1 << 20

  /// Where it is, absolute.
  package let path: BytePath

  /// Makes a new, empty directory.
  package init(_ purpose: String = "test") throws {
    let base = try Host.absolutePath(of: Host.environmentPath("TMPDIR") ?? "/tmp")
    var template = base.appending("lnote-\(purpose)-XXXXXX").bytes.map { CChar(bitPattern: $0) } + [0]
    guard mkdtemp(&template) != nil else { throw FileCallError("mkdtemp", [base], .current) }
    path = BytePath(bytes: template.dropLast().map { UInt8(bitPattern: $0) })
  }

  deinit {
    if let volume = try? HostVolume(root: path) { TemporaryDirectory.empty(volume, .root) }
    if let parent = try? HostVolume(root: path.parent) { try? parent.removeDirectory(path.name) }
  }

  /// The directory as a volume.
  package func volume() throws -> HostVolume { try HostVolume(root: path) }

  /// The path as text, for programs' arguments.
  package var text: String { path.description }

  /// Makes a symbolic link below it that says `target`.
  package func makeSymbolicLink(to target: BytePath, at name: BytePath) throws {
    let result = withCStrings(target, path.appending(name)) { symlink($0, $1) }
    guard result == 0 else { throw FileCallError("symlink", [target, name], .current) }
  }

  /// Makes a FIFO below it.
  package func makeFIFO(at name: BytePath) throws {
    let result = withCStrings(path.appending(name), .root) { fifo, _ in mkfifo(fifo, 0o600) }
    guard result == 0 else { throw FileCallError("mkfifo", [name], .current) }
  }

  private func withCStrings<Answer>(
    _ first: BytePath, _ second: BytePath, _ body: (UnsafePointer<CChar>, UnsafePointer<CChar>) -> Answer
  ) -> Answer {
    let texts = [first, second].map { path in path.bytes.map { CChar(bitPattern: $0) } + [0] }
    return texts[0].withUnsafeBufferPointer { first in
      texts[1].withUnsafeBufferPointer { second in body(first.baseAddress!, second.baseAddress!) }
    }
  }

  /// Removes what a test left, as far as it can; a test may have taken rights away.
  private static func empty(_ volume: HostVolume, _ directory: BytePath) {
    if let opened = try? volume.open(directory, for: .directory) {
      try? volume.setAttributes(opened, permissions: 0o700, modified: nil)
      try? volume.close(opened)
    }
    for entry in (try? volume.entries(of: directory, countMax: entriesMax)) ?? [] {
      let path = directory.appending(entry.name)
      if (try? volume.unlink(path)) != nil { continue }
      empty(volume, path)
      try? volume.removeDirectory(path)
    }
  }
}
