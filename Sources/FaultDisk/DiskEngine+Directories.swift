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
    return try perform(draft, caller) { engine, _, _ throws(Errno) in
      let parent = inode.lastName?.directory ?? inode.number
      var listing = [
        DirectoryEntry(name: ".", kind: .directory, inode: inode.number),
        DirectoryEntry(name: "..", kind: .directory, inode: parent),
      ]
      for entry in names.sortedEntries {
        listing.append(DirectoryEntry(name: entry.name, kind: entry.inode.kind, inode: entry.inode.number))
      }
      engine.handles.setListing(handle, listing)
      return listing[...]
    }
  }

  /// fsync of an open file (its data and size are durable) or directory (its names are).
  package mutating func synchronize(_ handle: UInt64, _ caller: Caller) throws(Errno) {
    try admit(caller)
    let inode = try handles.handle(handle, volume: caller.volume).inode
    var draft = draft(.fsync, path(of: inode), caller)
    draft.inode = inode.number
    try refusing(draft) { _ throws(Errno) in
      if inode.kind != .regular && inode.kind != .directory { throw Errno.einval }
    }
    try perform(draft, caller) { _, _, _ throws(Errno) in
      inode.directory?.makeDurable()
      inode.durableContent = inode.content
    }
  }
}
