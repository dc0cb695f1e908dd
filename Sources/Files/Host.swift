import Glibc

/// What the host tells a process about itself. For programs; nothing below them asks.
package enum Host {
  /// The current directory, absolute; ENOENT where it was removed.
  package static func currentDirectory() throws(FileCallError) -> BytePath {
    var text = [CChar](repeating: 0, count: BytePath.pathBytesMax + 1)
    guard getcwd(&text, text.count) != nil else { throw FileCallError("getcwd", [], .current) }
    return BytePath(bytes: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) })
  }

  /// The path as the user meant it, absolute. Joined to the current directory, "." and empty names left out.
  ///
  /// ".." is kept, since what it means depends on symbolic links that only the kernel follows.
  package static func absolutePath(of path: BytePath) throws(FileCallError) -> BytePath {
    let isAbsolute = path.bytes.first == UInt8(ascii: "/")
    let names = (isAbsolute ? [] : try currentDirectory().components) + path.components.filter { $0 != "." }
    return BytePath(bytes: [UInt8(ascii: "/")] + names.map(\.bytes).joined(separator: [UInt8(ascii: "/")]))
  }

  /// realpath(3): the absolute path of what is there, without links, "." and "..".
  package static func resolvedPath(of path: BytePath) throws(FileCallError) -> BytePath {
    let resolved = path.withCString { realpath($0, nil) }
    guard let resolved else { throw FileCallError("realpath", [path], .current) }
    defer { free(resolved) }
    return BytePath(bytes: UnsafeRawBufferPointer(start: resolved, count: strlen(resolved)))
  }

  /// The path of the running program, links resolved.
  package static func programPath() throws(FileCallError) -> BytePath {
    try linkTarget(of: "/proc/self/exe")
  }

  /// readlink(2): what the symbolic link at this path of the host says.
  package static func linkTarget(of path: BytePath) throws(FileCallError) -> BytePath {
    let room = BytePath.pathBytesMax + 1
    var text = [CChar](repeating: 0, count: room)
    let count = try path.withCString { path in retrying { readlink(path, &text, room) } }.of("readlink", [path])
    return BytePath(bytes: text[..<count].map { UInt8(bitPattern: $0) })
  }

  /// The value of an environment variable; nil where it is not set.
  package static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  /// The value of an environment variable as bytes, for paths; nil where it is not set.
  package static func environmentPath(_ name: String) -> BytePath? {
    getenv(name).map { BytePath(bytes: UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
  }
}
