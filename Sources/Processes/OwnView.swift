import CPosix

/// A view of the mounts of its own for the calling thread and for all that it starts from then on.
///
/// It ends with them. Mounts that others take away later are held by it on a machine whose mounts are not shared, so it
/// is for threads that end soon.
package enum OwnView {
  /// Gives the calling thread a view in which `place` shows the directory `shown`.
  ///
  /// - Throws: EPERM where this process may not mount.
  package static func begin(showing shown: [UInt8], at place: [UInt8]) throws(ProcessCallError) {
    _ = try retrying("unshare") { cposix_unshare_mounts() }
    _ = try retrying("mount", "/") { cposix_make_mounts_slaves() }
    let from = (shown + [0]).map { CChar(bitPattern: $0) }
    let to = (place + [0]).map { CChar(bitPattern: $0) }
    _ = try retrying("mount", String(decoding: place, as: UTF8.self)) { cposix_bind_mount(from, to) }
  }
}
