import Files

/// Tells who gives a name another spelling: rename("a", "A") where the two are the same name.
///
/// The kernel looks up both names first, and where both are one file it says "done" without asking. So the second
/// look-up is answered with "not there": then the rename comes. No other look-up may be answered so. These two come one
/// behind the other, in one directory, for the last names of the two paths of one rename, which /proc shows.
struct RespellingWatch {
  /// A look-up inside a rename.
  private struct Sighting {
    let call: RenameCall
    let directory: UInt64
    let stored: BytePath
  }

  /// What each thread has looked up last, where that was the old name of a rename.
  private var last: [Int32: Sighting] = [:]
  private static let threadsMax = 4096

  /// True for the new name of a rename that changes the spelling only. `call` is the rename that the thread is in.
  mutating func isTarget(
    _ name: BytePath, storedAs stored: BytePath, in directory: UInt64, _ thread: Int32, in call: RenameCall?
  ) -> Bool {
    // The kernel asks for the new name twice where it remembers it: what was seen before stays.
    if let call, let before = last[thread], before.call == call, before.directory == directory,
      before.stored == stored, name == call.to, name != call.from
    {
      return true
    }
    if last.count >= RespellingWatch.threadsMax { last = [:] }
    last[thread] = call.flatMap {
      name == $0.from ? Sighting(call: $0, directory: directory, stored: stored) : nil
    }
    return false
  }

  /// The rename of a thread has come.
  mutating func noteRename(by thread: Int32) { last[thread] = nil }
}
