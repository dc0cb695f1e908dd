import Files
import Glibc

extension MountFacts {
  /// Looks at the machine and at the mount point, an absolute path.
  init(lookingAt path: BytePath, wantsOthers: Bool, wantsSync: Bool) {
    let isRoot = geteuid() == 0
    self.init(
      device: Self.device(), isRoot: isRoot, hasMountTool: Self.hasMountTool(), place: Self.place(path),
      hasMountRight: !isRoot || Self.hasMountRight(), placeIsOurs: isRoot || Self.isOurs(path),
      wantsOthers: wantsOthers, mayAllowOthers: Self.mayAllowOthers(),
      wantsSync: wantsSync, kernelRelease: Self.kernelRelease())
  }

  /// CAP_SYS_ADMIN of linux/capability.h.
  private static let mountCapability: UInt64 = 21

  private static func hasMountRight() -> Bool {
    guard let capabilities = ProcessFile.effectiveCapabilities else { return true }
    return capabilities >> mountCapability & 1 == 1
  }

  private static func kernelRelease() -> String {
    var names = utsname()
    guard uname(&names) == 0 else { return "unknown" }
    return withUnsafeBytes(of: &names.release) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }

  /// What fusermount3 asks of a mount point.
  private static func isOurs(_ path: BytePath) -> Bool {
    var status = stat()
    guard stat(path.cString, &status) == 0, access(path.cString, W_OK) == 0 else { return false }
    return status.st_mode & S_ISVTX == 0 || status.st_uid == getuid()
  }

  private static let configurationBytesMax = 64 << 10

  private static func mayAllowOthers() -> Bool {
    guard let text = try? HostVolume(root: "/etc").readWhole("fuse.conf", sizeMax: configurationBytesMax) else {
      return false
    }
    return text.split(separator: UInt8(ascii: "\n")).contains { line in
      line.filter { $0 > 0x20 }.elementsEqual("user_allow_other".utf8)
    }
  }

  private static func device() -> Device {
    let descriptor = open("/dev/fuse", O_RDWR | O_CLOEXEC)
    if descriptor >= 0 {
      close(descriptor)
      return .usable
    }
    let errno = Errno.current
    return errno.rawValue == ENOENT || errno.rawValue == ENXIO ? .missing : .refused(errno)
  }

  /// Where libfuse and the distributions put the tool.
  private static let toolPlaces = ["/usr/bin/fusermount3", "/bin/fusermount3", "/usr/local/bin/fusermount3"]

  private static func hasMountTool() -> Bool {
    toolPlaces.contains { place in
      var status = stat()
      return stat(place, &status) == 0 && status.st_uid == 0 && status.st_mode & S_ISUID != 0
    }
  }

  private static func place(_ path: BytePath) -> Place {
    let name = path.cString
    var status = stat()
    if let ours = MountTable.now.ours(holding: path), ours.mountPoint != path { return .onOurs }
    guard stat(name, &status) == 0 else {
      switch Errno.current.rawValue {
      case ENOENT, ENOTDIR: return .missing
      case ENOTCONN, ECONNABORTED: return .disconnected
      default: return .unreadable(.current)
      }
    }
    guard status.st_mode & S_IFMT == S_IFDIR else { return .notDirectory }
    guard let stream = opendir(name) else {
      let errno = Errno.current
      return errno.rawValue == ENOTCONN ? .disconnected : .unreadable(errno)
    }
    defer { closedir(stream) }
    while let entry = readdir(stream) {
      let isDots = withUnsafeBytes(of: &entry.pointee.d_name) { name in
        name[0] == UInt8(ascii: ".") && (name[1] == 0 || (name[1] == UInt8(ascii: ".") && name[2] == 0))
      }
      if !isDots { return .notEmpty }
    }
    return .emptyDirectory
  }
}

extension BytePath {
  /// The bytes as C wants them, with a terminating zero.
  package var cString: [CChar] { bytes.map { CChar(bitPattern: $0) } + [0] }
}
