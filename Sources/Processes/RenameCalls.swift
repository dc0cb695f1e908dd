import CPosix

/// The system calls that rename, by their numbers.
package enum RenameCalls {
  /// The places of the two paths among the arguments of this call; nil for a call that renames nothing.
  package static func paths(ofCall number: Int) -> (from: Int, to: Int)? {
    if number < 0 { return nil }
    if number == Int(cposix_SYS_rename) { return (0, 1) }
    return number == Int(cposix_SYS_renameat) || number == Int(cposix_SYS_renameat2) ? (1, 3) : nil
  }
}
