/// Who asks for an operation.
package struct Caller: Hashable, Sendable {
  /// The thread as the kernel names it; recorded in the log, and handed to `kill`.
  package var thread: Int32
  /// The user; 0 may do everything.
  package var user: UInt32
  /// The group; further groups of a user are not known here.
  package var group: UInt32
  /// The number of the in-process volume; 0 for the FUSE door.
  var volume: Int32 = 0

  /// A caller at the FUSE door.
  package init(thread: Int32, user: UInt32, group: UInt32) {
    self.thread = thread
    self.user = user
    self.group = group
  }

  init(volume: Int32) {
    self.init(thread: volume, user: 0, group: 0)
    self.volume = volume
  }
}
