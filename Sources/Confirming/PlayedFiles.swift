import CPosix
import Files
import Glibc
import Processes

/// The files of a recording in a real directory, by the numbers that they have in the recording.
///
/// A file is held without being open, so that it is found when it has lost its name; what the recording opens is open,
/// as long as it is there. A file without a name that is not mentioned any more is let go.
struct PlayedFiles {
  /// The directory that stands for the root of the recording.
  let root: Descriptor
  private var places: [UInt64: Descriptor] = [:]
  private var handles: [UInt64: Descriptor] = [:]
  /// The place of the last record that mentions an inode.
  private let lastMentions: [UInt64: Int]

  init(root: Descriptor, lastMentions: [UInt64: Int]) {
    self.root = root
    self.lastMentions = lastMentions
  }

  /// True where some record mentions it.
  func isMentioned(_ inode: UInt64) -> Bool { lastMentions[inode] != nil }

  /// Holds what has this path.
  mutating func hold(_ inode: UInt64, _ path: BytePath) throws(FileCallError) {
    places[inode] = try opened(path, cposix_O_PATH | O_NOFOLLOW)
  }

  /// Makes a file and opens it.
  mutating func create(_ inode: UInt64, _ path: BytePath, permissions: UInt16) throws(FileCallError) {
    handles[inode] = try opened(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, permissions: permissions)
    try hold(inode, path)
  }

  /// Opens it, instead of what was open of it before.
  mutating func open(_ inode: UInt64) throws(FileCallError) { handles[inode] = try reopened(inode) }

  /// Closes it.
  mutating func close(_ inode: UInt64) { handles[inode] = nil }

  /// What is open of it, or was opened only for this.
  func handle(_ inode: UInt64) throws(FileCallError) -> Descriptor {
    if let handle = handles[inode] { return handle }
    return try reopened(inode)
  }

  /// A descriptor for reading only, whose end the file system does not take for the end of a writer; nil where it is gone.
  func reader(_ inode: UInt64) -> Descriptor? {
    do throws(FileCallError) {
      return try opened(way(to: inode), O_RDONLY)
    } catch {
      return nil
    }
  }

  /// The path by which the kernel finds what is held.
  func way(to inode: UInt64) throws(FileCallError) -> BytePath { BytePath("/proc/self/fd/\(try place(inode).number)") }

  /// Lets go of files that have no name and that no record behind this one mentions.
  mutating func letGo(behind record: Int) {
    for (inode, place) in places where (lastMentions[inode] ?? -1) <= record {
      var status = stat()
      if fstat(place.number, &status) == 0 && status.st_nlink == 0 {
        places[inode] = nil
        handles[inode] = nil
      }
    }
  }

  private func place(_ inode: UInt64) throws(FileCallError) -> Descriptor {
    guard let place = places[inode] else { throw FileCallError("open", [BytePath("inode \(inode)")], .enoent) }
    return place
  }

  private func reopened(_ inode: UInt64) throws(FileCallError) -> Descriptor {
    let path = try way(to: inode)
    do throws(FileCallError) {
      return try opened(path, O_RDWR)
    } catch  where error.errno == .eisdir {
      return try opened(path, O_RDONLY | cposix_O_DIRECTORY)
    }
  }

  private func opened(_ path: BytePath, _ flags: CInt, permissions: UInt16 = 0) throws(FileCallError) -> Descriptor {
    let name = path.isRoot ? "." : path
    let number = openat(root.number, name.cString, flags | O_CLOEXEC | O_NOCTTY, mode_t(permissions))
    guard number >= 0 else { throw FileCallError("open", [path], .current) }
    return Descriptor(number)
  }
}

extension BytePath {
  /// The bytes with a zero behind them, as the kernel wants a path.
  var cString: [CChar] { bytes.map { CChar(bitPattern: $0) } + [0] }
}
