import Files
import Glibc

/// The block device on which a mount stands whose server shall see sync(2): a loop device on an empty file without a name.
///
/// Only for a mount on a block device does the kernel tell a server of sync(2). Nothing is ever read from or written to
/// the device. It goes away with the mount, or with the process where nothing was mounted.
///
/// The kernel shows a mount's source as it was named, so the device is named by a symbolic link that holds the number of
/// the server, as the source of other mounts of ours does.
struct SyncDevice {
  /// Where the device is named, until `letGo`.
  let name: BytePath
  private let descriptor: CInt

  /// The numbers of linux/loop.h.
  private enum Loop {
    static let getFree: UInt = 0x4C82
    static let configure: UInt = 0x4C0A
    /// `struct loop_config`: the file's descriptor, and `lo_flags` of the `struct loop_info64` in it.
    static let configurationBytes = 304
    static let fileOffset = 0
    static let flagsOffset = 60
    static let autoClear: UInt32 = 4
  }

  private static let sizeBytes = 1 << 20
  /// Others may take a device between our asking and our taking.
  private static let triesMax = 16

  /// Makes one.
  init() throws(MountObstacle) {
    let device = try SyncDevice.makeDevice()
    descriptor = device.descriptor
    do throws(MountObstacle) {
      name = try SyncDevice.makeName(device.path)
    } catch {
      close(device.descriptor)
      throw error
    }
  }

  /// Takes the name away; the device is the mount's alone from now on, or gone where there is none.
  func letGo() {
    unlink(name.cString)
    rmdir(name.parent.cString)
    close(descriptor)
  }

  private static func failed(_ call: String) -> MountObstacle { .system(FileCallError(call, [], .current)) }

  private static func makeDevice() throws(MountObstacle) -> (descriptor: CInt, path: BytePath) {
    let folder = try makeFolder()
    let name = folder.appending("device")
    let file = open(name.cString, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    let failure = failed("open \(name)")
    unlink(name.cString)
    rmdir(folder.cString)
    guard file >= 0 else { throw failure }
    defer { close(file) }
    guard ftruncate(file, off_t(sizeBytes)) == 0 else { throw failed("ftruncate") }
    let control = open("/dev/loop-control", O_RDWR | O_CLOEXEC)
    guard control >= 0 else { throw failed("open /dev/loop-control") }
    defer { close(control) }
    for _ in 0..<triesMax {
      let number = ioctl(control, Loop.getFree)
      guard number >= 0 else { throw failed("LOOP_CTL_GET_FREE") }
      let path = "/dev/loop\(number)"
      let device = open(path, O_RDWR | O_CLOEXEC)
      guard device >= 0 else { throw failed("open \(path)") }
      if configure(device, on: file) { return (device, BytePath(bytes: Array(path.utf8))) }
      let isTaken = errno == EBUSY
      guard isTaken else {
        defer { close(device) }
        throw failed("LOOP_CONFIGURE")
      }
      close(device)
    }
    throw .system(FileCallError("LOOP_CONFIGURE", [], Errno(rawValue: EBUSY)))
  }

  private static func configure(_ device: CInt, on file: CInt) -> Bool {
    var configuration: [UInt8] = Array(repeating: 0, count: Loop.configurationBytes)
    return configuration.withUnsafeMutableBytes { bytes in
      bytes.storeBytes(of: UInt32(file), toByteOffset: Loop.fileOffset, as: UInt32.self)
      bytes.storeBytes(of: Loop.autoClear, toByteOffset: Loop.flagsOffset, as: UInt32.self)
      guard let start = bytes.baseAddress else { return false }
      return ioctl(device, Loop.configure, start) == 0
    }
  }

  /// A directory of its own, where temporary files go.
  private static func makeFolder() throws(MountObstacle) -> BytePath {
    do throws(FileCallError) {
      return try Host.makeTemporaryFolder(prefix: "faultfs-")
    } catch {
      throw .system(error)
    }
  }

  /// A symbolic link to the device in a directory of its own.
  private static func makeName(_ device: BytePath) throws(MountObstacle) -> BytePath {
    let directory = try makeFolder()
    let name = directory.appending(BytePath(bytes: Array(MountName.source(server: getpid()).utf8)))
    guard symlink(device.cString, name.cString) == 0 else {
      defer { rmdir(directory.cString) }
      throw failed("symlink")
    }
    return name
  }
}
