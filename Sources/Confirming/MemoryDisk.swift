import CPosix
import Files
import Glibc
import Processes

/// A disk whose bytes are in memory, without a name: it is gone with its last user, whatever ends the program.
final class MemoryDisk {
  private let image: Descriptor
  private let name: String
  private let bytes: UInt64

  /// An empty disk; the name is shown where the kernel lists what is open.
  init(_ name: String, bytes: UInt64) throws(ConfirmationError) {
    image = Descriptor(try checked("memfd_create", name, cposix_memory_file(name)))
    self.name = name
    self.bytes = bytes
    try checked("ftruncate", "a disk in memory", ftruncate(image.number, off_t(bytes)))
  }

  /// A copy of it as it is now; zeros take no space.
  func copy() throws(ConfirmationError) -> MemoryDisk {
    let copy = try MemoryDisk(name, bytes: bytes)
    var piece = [UInt8](repeating: 0, count: 4096)
    let zeros = piece
    var place: off_t = 0
    while true {
      place = lseek(image.number, place, cposix_SEEK_DATA)
      if place < 0 { break }
      let end = lseek(image.number, place, cposix_SEEK_HOLE)
      while place < end {
        let count = pread(image.number, &piece, piece.count, place)
        guard count > 0 else { throw ConfirmationError("pread", "a disk in memory") }
        if memcmp(piece, zeros, count) != 0, pwrite(copy.image.number, piece, count, place) != count {
          throw ConfirmationError("pwrite", "a disk in memory")
        }
        place += off_t(count)
      }
    }
    return copy
  }

  /// Makes it a device of the kernel, which lasts as long as the answer and every mount of it.
  func attach() throws(ConfirmationError) -> LoopDevice {
    let path = "/dev/loop-control"
    let control = Descriptor(try checked("open", path, open(path, O_RDWR | O_CLOEXEC)))
    for _ in 0..<Self.attachTriesMax {
      let number = try checked("ioctl", path, cposix_free_loop_device(control.number))
      let name = "/dev/loop\(number)"
      let device = Descriptor(try checked("open", name, open(name, O_RDWR | O_CLOEXEC)))
      if cposix_configure_loop(device.number, image.number) == 0 { return LoopDevice(path: name, device) }
      // Another process was faster.
      guard errno == EBUSY else { throw ConfirmationError("ioctl", name) }
    }
    throw ConfirmationError("no loop device is free for long enough")
  }

  private static let attachTriesMax = 100
}

/// A disk in memory as a device of the kernel.
struct LoopDevice {
  let path: String
  private let descriptor: Descriptor

  fileprivate init(path: String, _ descriptor: Descriptor) {
    self.path = path
    self.descriptor = descriptor
  }

  /// Makes an empty file system on it.
  func format(as fileSystem: CrashableFileSystem) throws(ConfirmationError) {
    let program = fileSystem.making[0]
    var launch = Launch(program, fileSystem.making.dropFirst() + [path])
    launch.environment = [("PATH", (Host.environment("PATH") ?? "") + ":/usr/sbin:/sbin")]
    let result: ProgramResult
    do throws(ProcessCallError) {
      result = try launch.run(limitMilliseconds: 60_000)
    } catch {
      throw ConfirmationError("\(program) cannot be run (is its package installed?): \(error)")
    }
    guard result.ending.isSuccess else { throw ConfirmationError("\(program) fails: \(result.errorText)") }
  }

  /// Mounts it at no place; it is unmounted when its last descriptor is closed.
  func mount(as fileSystem: CrashableFileSystem) throws(ConfirmationError) -> LooseMount {
    for _ in 0..<Self.waitsMax {
      if let mount = try mountOnce(as: fileSystem) { return mount }
      _ = try? waitReadable([], until: .after(milliseconds: 1))
    }
    throw ConfirmationError("\(path) stays mounted")
  }

  private static let waitsMax = 10_000

  /// Nil while a process that somebody starts here still holds the last mount, which ends with its exec.
  private func mountOnce(as fileSystem: CrashableFileSystem) throws(ConfirmationError) -> LooseMount? {
    let context = Descriptor(try checked("fsopen", fileSystem.type, cposix_fsopen(fileSystem.type)))
    try checked("fsconfig", "source", cposix_fsconfig_set(context.number, "source", path))
    for option in fileSystem.options {
      try checked("fsconfig", option.name, cposix_fsconfig_set(context.number, option.name, option.value))
    }
    var result = cposix_fsconfig_create(context.number, 1)
    if result < 0 && errno == EBUSY { return nil }
    if result < 0 && errno == EOPNOTSUPP { result = cposix_fsconfig_create(context.number, 0) }
    try checked("mount", fileSystem.type, result)
    return LooseMount(Descriptor(try checked("fsmount", fileSystem.type, cposix_fsmount(context.number))))
  }
}

/// A mounted file system that stands at no place of any name space.
final class LooseMount {
  private let descriptor: Descriptor

  fileprivate init(_ descriptor: Descriptor) { self.descriptor = descriptor }

  /// Opens a thing of it; the empty path is its root.
  func open(_ path: BytePath, flags: CInt, permissions: mode_t = 0) throws(ConfirmationError) -> Descriptor {
    let name = path.isRoot ? "." : path.description
    return Descriptor(
      try checked("open", name, openat(descriptor.number, name, flags | O_CLOEXEC, permissions)))
  }

  /// A directory of it as a volume.
  func volume(of directory: BytePath) throws(ConfirmationError) -> HostVolume {
    let root = BytePath("/proc/self/fd/\(descriptor.number)").appending(directory)
    return try reaching { () throws(FileCallError) in try HostVolume(root: root) }
  }

  /// Makes everything durable.
  func synchronize() throws(ConfirmationError) {
    let root = try open(.root, flags: O_RDONLY)
    try checked("syncfs", "", cposix_syncfs(root.number))
  }

  /// From now on nothing reaches the disk any more; what was issued before stays.
  func crash(writingLog: Bool) throws(ConfirmationError) {
    let root = try open(.root, flags: O_RDONLY)
    try checked("FS_IOC_SHUTDOWN", "", cposix_shut_down(root.number, writingLog ? 1 : 2))
  }
}
