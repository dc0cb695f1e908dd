import Files

extension PackageLock {
  /// Whether another program holds the package's lock; the lock itself is let go at once.
  static func probe(_ package: BytePath, in volume: any Volume) throws(FileCallError) -> PackageLock {
    let (lock, folder) = try take(package, in: volume)
    if let folder { try? volume.close(folder) }
    return lock
  }

  /// Takes the package's lock; the open folder holds it until it is closed. Nil where another program has it.
  ///
  /// Where the file system refuses locks the folder is open all the same, and nothing is held.
  static func take(
    _ package: BytePath, in volume: any Volume
  ) throws(FileCallError) -> (lock: PackageLock, folder: OpenFile?) {
    let folder = try volume.open(package, for: .directory)
    do throws(FileCallError) {
      try volume.lockExclusively(folder)
      return (.free, folder)
    } catch {
      guard ["EAGAIN", "EWOULDBLOCK"].contains(error.errno.name) else { return (.unavailable, folder) }
      let holder = volume.lockHolder(of: folder)
      try? volume.close(folder)
      return (.held(by: holder), nil)
    }
  }
}
