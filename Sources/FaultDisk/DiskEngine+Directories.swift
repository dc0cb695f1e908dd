import FileTracing
import Files

extension DiskEngine {
  /// The entries from the given place on. ".", "..", then names sorted by bytes, as they were when place 0 was asked.
  package mutating func entries(
    _ handle: UInt64, from place: Int, _ caller: Caller
  ) throws(Errno) -> ArraySlice<DirectoryEntry> {
    try admit(caller)
    let open = try handles.handle(handle, volume: caller.volume)
    let inode = open.inode
    guard let names = inode.directory else { throw Errno.enotdir }
    if place > 0 { return open.listing.dropFirst(place) }
    var draft = draft(.readdir, path(of: inode), caller)
    draft.inode = inode.number
    return try perform(draft, caller) { engine, record, extent throws(Errno) in
      let parent = inode.lastName?.directory ?? inode.number
      var listing = [
        DirectoryEntry(name: ".", kind: .directory, inode: inode.number),
        DirectoryEntry(name: "..", kind: .directory, inode: parent),
      ]
      for entry in names.sortedEntries {
        listing.append(DirectoryEntry(name: entry.name, kind: entry.inode.kind, inode: entry.inode.number))
      }
      if extent.fault == .shuffled {
        var draws = engine.draws(for: record)
        for place in stride(from: listing.count - 1, to: 2, by: -1) {
          listing.swapAt(place, 2 + Int(draws.below(UInt64(place - 1))))
        }
      }
      engine.handles.setListing(handle, listing)
      return listing[...]
    }
  }

  /// fsync of an open file (its data and size are durable) or directory (its names are).
  ///
  /// - Parameter call: what asked for it; it is recorded, and does the same here.
  package mutating func synchronize(
    _ handle: UInt64, as call: SynchronizingCall = .fsync, _ caller: Caller
  ) throws(Errno) {
    try admit(caller)
    let inode = try handles.handle(handle, volume: caller.volume).inode
    var draft = draft(.fsync, path(of: inode), caller)
    draft.inode = inode.number
    call.tell(&draft)
    try refusing(draft) { _ throws(Errno) in
      if inode.kind != .regular && inode.kind != .directory { throw Errno.einval }
    }
    try perform(draft, caller) { engine, _, extent throws(Errno) in
      switch extent.fault {
      case .fsyncFail(let pages):
        if pages == .drop { inode.dropDirtyPages() }
        throw .eio
      case .fsyncLie: return
      default:
        inode.directory?.makeDurable()
        inode.makeDurable()
        if engine.handles.mustTellError(handle) { throw .eio }
      }
    }
  }

  /// sync(2) or syncfs(2): the data of all files and the names of all directories are durable.
  package mutating func synchronizeAll(_ caller: Caller) throws(Errno) {
    try admit(caller)
    try perform(draft(.sync, .root, caller), caller) { engine, _, _ throws(Errno) in engine.makeAllDurable() }
  }

  private func makeAllDurable() {
    for inode in inodes.all {
      inode.directory?.makeDurable()
      inode.makeDurable()
    }
  }
}
