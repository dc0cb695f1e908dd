import FaultDisk
import FileTracing
import Files
import Glibc
import Options

/// The files of the working directory that a command names; they are on its disk before it starts.
enum NamedFiles {
  /// A file is copied up to this size.
  private static let bytesMax = 1 << 30

  /// The words that name a regular file below the working directory, each once.
  static func all(in words: ArraySlice<Word>) throws(FileCallError) -> [BytePath] {
    let here = try Host.currentDirectory()
    var seen: Set<BytePath> = []
    return words.map { BytePath(bytes: $0.bytes) }.filter { path in
      var status = stat()
      return isBelow(path) && stat(here.appending(path).cString, &status) == 0
        && status.st_mode & S_IFMT == S_IFREG && seen.insert(path).inserted
    }
  }

  /// True for a name that could be one below the working directory, and not an option.
  private static func isBelow(_ path: BytePath) -> Bool {
    guard let first = path.bytes.first else { return false }
    return first != UInt8(ascii: "/") && first != UInt8(ascii: "-") && !path.components.contains("..")
  }

  /// Copies one to the same path on a disk, with its permissions and the time of its last change.
  static func copy(_ path: BytePath, to volume: FaultVolume) throws(FileCallError) {
    let source = try Host.currentDirectory().appending(path)
    var status = stat()
    guard stat(source.cString, &status) == 0 else { throw FileCallError("stat", [path], .current) }
    let bytes = try HostVolume(root: source.folderOnHost).readWhole(path.name, sizeMax: bytesMax)
    var directory = BytePath.root
    for name in path.parent.components where name != "." {
      directory = directory.appending(name)
      do throws(FileCallError) {
        try volume.makeDirectory(directory, permissions: 0o755)
      } catch  where error.errno == .eexist {}
    }
    do throws(FileCallError) {
      let file = try volume.open(
        directory.appending(path.name), for: .creating(permissions: UInt16(status.st_mode & 0o777)))
      try volume.writeWhole(file, bytes)
      try volume.setAttributes(file, permissions: nil, modified: Int64(status.st_mtim.tv_sec) * 1_000_000_000)
      try volume.close(file)
    } catch  where error.errno == .eexist {
      // Two spellings of one file, such as "a" and "./a".
    }
  }
}
