import Files
import Glibc
import TestSupport
import Testing

@Suite struct HostVolumeTests {
  @Test func theRootIsADirectoryThatExists() throws {
    let directory = try TemporaryDirectory()
    try directory.volume().make("file")
    try directory.makeSymbolicLink(to: ".", at: "link")
    let rows: [(path: BytePath, errno: Errno)] = [
      (directory.path.appending("nothing"), .enoent), (directory.path.appending("file"), .enotdir), ("", .einval),
      (BytePath(bytes: [0x2F, 0]), .einval),
    ]
    for (path, errno) in rows {
      let error = #expect(throws: FileCallError.self) { try HostVolume(root: path) }
      #expect(error == FileCallError("open", [path], errno))
    }
    // The user's own path may lead through a link; only what lies below may not.
    let linked = try HostVolume(root: directory.path.appending("link"))
    #expect(try linked.entries(of: .root, countMax: 9).map(\.name) == ["file", "link"])
  }

  @Test func openFilesAreBounded() throws {
    let directory = try TemporaryDirectory()
    let volume = try HostVolume(root: directory.path, openFilesMax: 2)
    try volume.make("file")
    let first = try volume.open("file", for: .reading)
    let second = try volume.open("file", for: .reading)
    let error = #expect(throws: FileCallError.self) { try volume.open("file", for: .reading) }
    #expect(error == FileCallError("open", ["file"], .emfile))
    #expect(throws: FileCallError.self) { try volume.open("new", for: .creating(permissions: 0o600)) }
    #expect(try volume.tree() == ["file"])
    try volume.close(first)
    let third = try volume.open("file", for: .reading)
    #expect(volume.openFileCount == 2)
    for file in [second, third] { try volume.close(file) }
  }

  /// Calls on names open the folders on the way; no descriptor of them is left, whatever the call answers.
  @Test(arguments: [PathResolution.inKernel, .byName]) func foldersOnTheWayAreClosed(resolution: PathResolution) throws
  {
    let directory = try TemporaryDirectory()
    let volume = try HostVolume(root: directory.path, resolution: resolution)
    try volume.make("a/b/c/file")
    let descriptors = try HostVolume(root: "/proc/self/fd")
    func left() throws -> [BytePath] {
      let below = directory.path.appending("a").description
      return try descriptors.entries(of: .root, countMax: 4096).compactMap { try? descriptors.linkText(at: $0.name) }
        .filter { $0.description.hasPrefix(below) }
    }
    let file = try volume.open("a/b/c/file", for: .reading)
    #expect(try left() == [directory.path.appending("a/b/c/file")])
    try volume.close(file)
    _ = try volume.status(at: "a/b/c/file")
    #expect(throws: FileCallError.self) { try volume.status(at: "a/b/c/none") }
    #expect(throws: FileCallError.self) { try volume.status(at: "a/b/none/file") }
    try volume.rename("a/b/c/file", to: "a/b/moved")
    #expect(try left() == [])
  }

  /// A descriptor that this volume did not hand out is none of its files, even where the process has it open.
  @Test func foreignDescriptorsAreRefused() throws {
    let directory = try TemporaryDirectory()
    let (one, other) = (try directory.volume(), try directory.volume())
    try one.make("file")
    let file = try one.open("file", for: .reading)
    let error = #expect(throws: FileCallError.self) { try other.status(of: file) }
    #expect(error?.errno == .ebadf)
    #expect(throws: FileCallError.self) { try other.close(file) }
    #expect(try one.status(of: file).kind == .regular)
    try one.close(file)
  }

  @Test func descriptorsEndWithTheVolume() throws {
    let directory = try TemporaryDirectory()
    var volume: HostVolume? = try directory.volume()
    try volume?.make("file")
    let lock = try #require(try volume?.open(.root, for: .directory))
    try volume?.lockExclusively(lock)
    volume = nil
    let next = try directory.volume()
    try next.lockExclusively(try next.open(.root, for: .directory))
  }

  @Test func theHolderOfALockIsTold() throws {
    let directory = try TemporaryDirectory()
    let (one, other) = (try directory.volume(), try directory.volume())
    let holder = try one.open(.root, for: .directory)
    let asking = try other.open(.root, for: .directory)
    #expect(other.lockHolder(of: asking) == nil)
    try one.lockExclusively(holder)
    #expect(other.lockHolder(of: asking) == getpid())
    try one.close(holder)
    #expect(other.lockHolder(of: asking) == nil)
  }

  @Test func offsetsThatNoFileCanHaveAreRefused() throws {
    let directory = try TemporaryDirectory()
    let volume = try directory.volume()
    let file = try volume.open("file", for: .creating(permissions: 0o600))
    let byte: [UInt8] = [1]
    let rows: [(Errno, () throws -> Void)] = [
      (.efbig, { _ = try byte.withUnsafeBytes { try volume.write(file, at: .max, $0) } }),
      (.efbig, { try volume.truncate(file, to: .max) }),
      (
        .einval,
        {
          var room = byte
          _ = try room.withUnsafeMutableBytes { try volume.read(file, at: .max, into: $0) }
        }
      ),
    ]
    for (errno, call) in rows {
      let error = #expect(throws: FileCallError.self) { try call() }
      #expect(error?.errno == errno)
    }
    #expect(try volume.status(of: file).size == 0)
  }

  @Test func errorsOfOpenFilesNameTheirPath() throws {
    let directory = try TemporaryDirectory()
    let volume = try directory.volume()
    try volume.make("a/file")
    let file = try volume.open("a/file", for: .reading)
    let error = #expect(throws: FileCallError.self) { try volume.truncate(file, to: 0) }
    #expect(error?.paths == ["a/file"])
    #expect(error?.call == "ftruncate")
  }

  @Test func timesBefore1970AreTimes() throws {
    let directory = try TemporaryDirectory()
    let volume = try directory.volume()
    try volume.make("file")
    let file = try volume.open("file", for: .writing)
    for time: Int64 in [-1, -1_000_000_000, -1_500_000_000, 0, 1] {
      try volume.setAttributes(file, permissions: nil, modified: time)
      #expect(try volume.status(of: file).modified == time)
    }
  }

  @Test func readingLeavesTheAccessTimeAlone() throws {
    let directory = try TemporaryDirectory()
    let volume = try directory.volume()
    try volume.make("file", [1, 2, 3])
    func accessTime() -> Int {
      var found = stat()
      return stat(directory.path.appending("file").description, &found) == 0 ? found.st_atim.tv_sec : -1
    }
    // A time of long ago, which any ordinary read would move.
    var times = [timespec(tv_sec: 1000, tv_nsec: 0), timespec(tv_sec: 1000, tv_nsec: 0)]
    #expect(utimensat(AT_FDCWD, directory.path.appending("file").description, &times, 0) == 0)
    #expect(try volume.bytes(of: "file") == [1, 2, 3])
    #expect(accessTime() == 1000)
  }

  /// Only its owner and root may ask for a file's access time to stay; others read all the same.
  @Test func filesOfOthersAreRead() throws {
    #expect(try !HostVolume(root: "/etc").bytes(of: "passwd").isEmpty)
  }

  @Test func findsBuiltPrograms() throws {
    #expect(try builtProgram("lnote-fsck").name == "lnote-fsck")
    #expect(throws: FileCallError.self) { try builtProgram("lnote-nothing") }
    #expect(try HostVolume(root: repositoryRoot).status(at: "Package.swift").kind == .regular)
  }
}
