import CPosix
import Glibc

extension HostVolume {
  /// The kernel's own limit for a value, and for a list of names.
  private static let extendedAttributeBytesMax = 64 << 10

  /// flistxattr(2), sorted by bytes.
  package func extendedAttributeNames(of file: OpenFile) throws(FileCallError) -> [BytePath] {
    let list = try extendedAttributeBytes("listxattr", of: file) { cposix_flistxattr(file.number, $0, $1) }
    return list.split(separator: 0).map { BytePath(bytes: $0) }.sorted()
  }

  /// fgetxattr(2); ENODATA where there is none.
  package func extendedAttribute(_ name: BytePath, of file: OpenFile) throws(FileCallError) -> [UInt8] {
    try extendedAttributeBytes("getxattr", of: file) { buffer, size in
      name.withCString { cposix_fgetxattr(file.number, $0, buffer, size) }
    }
  }

  /// fsetxattr(2).
  package func setExtendedAttribute(
    _ name: BytePath, of file: OpenFile, to value: [UInt8]
  ) throws(FileCallError) {
    let path = try path(of: file, for: "setxattr")
    _ = try retrying {
      name.withCString { name in value.withUnsafeBytes { cposix_fsetxattr(file.number, name, $0.baseAddress, $0.count) }
      }
    }.of("setxattr", [path])
  }

  /// What a call puts into a buffer that everything fits into.
  private func extendedAttributeBytes(
    _ call: String, of file: OpenFile, _ body: (UnsafeMutablePointer<CChar>?, Int) -> Int
  ) throws(FileCallError) -> [UInt8] {
    let path = try path(of: file, for: call)
    var outcome: Result<Int, Errno> = .success(0)
    let bytesMax = HostVolume.extendedAttributeBytesMax
    let bytes = withUnsafeTemporaryAllocation(of: CChar.self, capacity: bytesMax) { buffer in
      outcome = retrying { body(buffer.baseAddress, bytesMax) }
      guard case .success(let count) = outcome else { return [UInt8]() }
      return buffer[..<count].map { UInt8(bitPattern: $0) }
    }
    _ = try outcome.of(call, [path])
    return bytes
  }
}
