import Files
import Glibc

/// Where the control sockets of mounts lie, so that one is found by its mount point.
///
/// A folder of one user, mode 0700, with a name for each server: "4711.socket", the socket itself or a symbolic link to
/// the place that was asked for.
package enum ControlPlace {
  /// The folders that are looked at, the first usable one is made by a server.
  ///
  /// - Parameter runtime: $XDG_RUNTIME_DIR of this process; of no meaning for another user's server.
  static func folders(ofUser user: UInt32, runtime: BytePath?) -> [BytePath] {
    var folders: [BytePath] = []
    if let runtime, runtime.bytes.first == UInt8(ascii: "/") { folders.append(runtime.appending("faultfs")) }
    folders.append(BytePath("/run/user/\(user)/faultfs"))
    folders.append(BytePath("/tmp/faultfs-\(user)"))
    return folders
  }

  /// The name of a server's socket in such a folder.
  static func name(server: Int32) -> BytePath { BytePath("\(server).socket") }

  /// The server that a name in such a folder belongs to; nil for other names.
  static func server(of name: BytePath) -> Int32? {
    let text = name.description
    guard text.hasSuffix(".socket") else { return nil }
    return Int32(text.dropLast(".socket".count)).flatMap { $0 > 0 ? $0 : nil }
  }

  /// The name for this process's socket, in the first folder that can be used.
  ///
  /// Those of dead servers are removed there.
  package static func forThisProcess() -> BytePath? {
    let runtime = Host.environmentPath("XDG_RUNTIME_DIR")
    for folder in folders(ofUser: geteuid(), runtime: runtime) {
      let path = folder.appending(name(server: getpid()))
      guard path.bytes.count <= pathBytesMax else { continue }
      _ = mkdir(folder.cString, 0o700)
      guard isPrivate(folder, ofUser: geteuid()) else { continue }
      removeDead(in: folder)
      return path
    }
    return nil
  }

  /// What the address of a Unix socket holds.
  private static let pathBytesMax = 107

  /// True for a real folder that nobody but its owner may enter.
  static func isPrivate(_ folder: BytePath, ofUser user: UInt32) -> Bool {
    var status = stat()
    return lstat(folder.cString, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR && status.st_uid == user
      && status.st_mode & 0o077 == 0
  }

  private static func removeDead(in folder: BytePath) {
    guard let volume = try? HostVolume(root: folder), let entries = try? volume.entries(of: .root, countMax: 4096)
    else { return }
    for entry in entries {
      guard let server = server(of: entry.name), server == getpid() || ProcessFile.isGone(server) else { continue }
      try? volume.unlink(entry.name)
    }
  }

  /// The sockets by which a server could be reached, the likely one first.
  static func sockets(ofServer server: Int32) -> [BytePath] {
    var status = stat()
    let hasOwner = stat("/proc/\(server)", &status) == 0
    let user = hasOwner ? status.st_uid : geteuid()
    let runtime = user == geteuid() ? Host.environmentPath("XDG_RUNTIME_DIR") : nil
    return folders(ofUser: user, runtime: runtime).filter { isPrivate($0, ofUser: user) }
      .map { $0.appending(name(server: server)) }
  }
}

/// Which control socket a word of a command line means.
package enum ControlTarget: Equatable, Sendable {
  /// These sockets may lead to the server; the first that answers is it.
  case sockets([BytePath])
  /// The mount at this place has no server any more.
  case dead(BytePath)
  /// There is no mount of ours at this place, and no socket.
  case nothing(BytePath)

  /// Finds it for the path of a socket, of a mount point, or of something on a mount. Never asks the mount itself.
  package init(at path: BytePath) {
    var status = stat()
    let table = MountTable.now
    if let entry = table.ours(holding: path) {
      self = ControlTarget(entry)
    } else if lstat(path.cString, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK {
      self = .sockets([path])
    } else if let resolved = realpath(path.cString, nil) {
      defer { free(resolved) }
      let real = BytePath(bytes: UnsafeRawBufferPointer(start: resolved, count: strlen(resolved)))
      self = table.ours(holding: real).map { ControlTarget($0) } ?? .nothing(path)
    } else {
      self = .nothing(path)
    }
  }

  private init(_ entry: MountTable.Entry) {
    guard let server = entry.server, !ProcessFile.isGone(server) else {
      self = .dead(entry.mountPoint)
      return
    }
    self = .sockets(ControlPlace.sockets(ofServer: server))
  }
}

extension MountTable {
  /// The mount of ours that a path is seen on: the deepest mount above it, where it is one of ours.
  func ours(holding path: BytePath) -> Entry? {
    var best: Entry?
    for entry in entries where entry.mountPoint.holds(path) {
      if entry.mountPoint.bytes.count >= best?.mountPoint.bytes.count ?? 0 { best = entry }
    }
    return best.flatMap { $0.isOurs ? $0 : nil }
  }
}

extension BytePath {
  /// True for this path itself and for everything below it; both absolute.
  fileprivate func holds(_ path: BytePath) -> Bool {
    if bytes == [UInt8(ascii: "/")] || path == self { return true }
    return path.bytes.starts(with: bytes + [UInt8(ascii: "/")])
  }
}
