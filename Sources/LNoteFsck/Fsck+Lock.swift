import Files

extension Fsck {
  /// Takes the package's lock, again and again while another program has it and `waits` says so.
  func takeLock(_ package: BytePath) throws(FileCallError) -> (lock: PackageLock, folder: OpenFile?) {
    var taken = try PackageLock.take(package, in: volume)
    while case .held = taken.lock, waits?() == true { taken = try PackageLock.take(package, in: volume) }
    return taken
  }

  /// Waits until no other program has the package open; where that takes too long, it is looked at all the same.
  func awaitLock(_ package: BytePath) {
    guard waits != nil, let folder = try? takeLock(package).folder else { return }
    try? volume.close(folder)
  }
}
