import CPosix
import Glibc

/// A Unix-domain stream socket that others connect to; only its owner may (mode 0600).
package final class SocketListener: Sendable {
  /// The socket; readable when somebody waits.
  package let descriptor: Descriptor
  /// Its path.
  package let path: [UInt8]

  /// Makes the socket at `path` and listens; one that a dead program left there is replaced.
  ///
  /// - Throws: EADDRINUSE where a living program listens there or something else has the name, ENAMETOOLONG for a
  ///   path of more than 107 bytes, and what the calls throw.
  package init(path: [UInt8]) throws(ProcessCallError) {
    let address = try SocketAddress(path)
    descriptor = try makeSocket()
    self.path = path
    // Before bind, so that the file never has another mode.
    _ = try retrying("fchmod", address.name) { fchmod(descriptor.number, 0o600) }
    do throws(ProcessCallError) {
      try address.call("bind", descriptor, bind)
    } catch {
      guard error.errorNumber == EADDRINUSE, SocketListener.isDead(address) else { throw error }
      _ = unlink(address.path)
      try address.call("bind", descriptor, bind)
    }
    _ = try retrying("listen", address.name) { listen(descriptor.number, connectionsWaitingMax) }
  }

  /// The next connection, or nil where none came until the deadline.
  package func accept(until deadline: Deadline = .never) throws(ProcessCallError) -> LineChannel? {
    guard !(try waitReadable([descriptor.number], until: deadline)).isEmpty else { return nil }
    let number = try retrying("accept", String(decoding: path, as: UTF8.self)) {
      cposix_accept(descriptor.number)
    }
    let connection = Descriptor(number)
    return LineChannel(reading: connection, writing: connection)
  }

  /// Takes the name away; connections that stand are not touched.
  package func removeName() { _ = unlink(path.map { CChar(bitPattern: $0) } + [0]) }

  /// True for a socket that nobody listens on; connecting to a plain file is refused just the same.
  private static func isDead(_ address: SocketAddress) -> Bool {
    var status = stat()
    guard lstat(address.path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return false }
    do throws(ProcessCallError) {
      try address.call("connect", try makeSocket(), connect)
      return false
    } catch {
      return error.errorNumber == ECONNREFUSED
    }
  }
}

extension LineChannel {
  /// Connects to the socket at `path`.
  ///
  /// - Throws: ENOENT or ECONNREFUSED where nobody listens, ENAMETOOLONG for a path of more than 107 bytes.
  package static func connect(path: [UInt8]) throws(ProcessCallError) -> LineChannel {
    let descriptor = try makeSocket()
    try SocketAddress(path).call("connect", descriptor, Glibc.connect)
    return LineChannel(reading: descriptor, writing: descriptor)
  }

  /// Two channels that are connected with each other.
  package static func pair() throws(ProcessCallError) -> (LineChannel, LineChannel) {
    BrokenPipe.becomesAnError
    var ends: [CInt] = [-1, -1]
    let kind = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    _ = try retrying("socketpair") { socketpair(AF_UNIX, kind, 0, &ends) }
    let (one, other) = (Descriptor(ends[0]), Descriptor(ends[1]))
    return (LineChannel(reading: one, writing: one), LineChannel(reading: other, writing: other))
  }
}

private let connectionsWaitingMax: CInt = 16

private func makeSocket() throws(ProcessCallError) -> Descriptor {
  BrokenPipe.becomesAnError
  let kind = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
  return Descriptor(try retrying("socket") { socket(AF_UNIX, kind, 0) })
}

/// The address of a socket that has a path.
private struct SocketAddress {
  let name: String
  let path: [CChar]
  private var address = sockaddr_un()

  init(_ path: [UInt8]) throws(ProcessCallError) {
    name = String(decoding: path, as: UTF8.self)
    self.path = path.map { CChar(bitPattern: $0) } + [0]
    guard !path.isEmpty && !path.contains(0) else { throw ProcessCallError("socket", name, EINVAL) }
    guard self.path.count <= MemoryLayout.size(ofValue: address.sun_path) else {
      throw ProcessCallError("socket", name, ENAMETOOLONG)
    }
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { room in path.withUnsafeBytes { room.copyMemory(from: $0) } }
  }

  /// Calls bind(2) or connect(2) with this address.
  func call(
    _ call: String, _ descriptor: Descriptor, _ body: (CInt, UnsafePointer<sockaddr>, socklen_t) -> CInt
  ) throws(ProcessCallError) {
    _ = try retrying(call, name) {
      withUnsafeBytes(of: address) { bytes in
        guard let start = bytes.baseAddress else { return -1 }
        return body(descriptor.number, start.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
      }
    }
  }
}
