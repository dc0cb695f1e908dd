import Files

/// An open file or directory.
struct Handle {
  let inode: Inode
  let access: FileAccess
  /// The in-process volume that opened it; 0 for the FUSE door.
  let volume: Int32
  /// The path by which a volume opened it, for the sentences of errors.
  var path = BytePath.root
  /// The names of a directory, as they were when the first one was asked for.
  var listing: [DirectoryEntry] = []
  /// The write-back error that it was told of last.
  var errorSeen: UInt64 = 0
}

/// The open files by their number; a number is used again after its release, the one let go last first.
struct HandleTable {
  /// How many files may be open at one time.
  static let handlesMax = 1 << 20

  private var slots: [Handle?] = []
  private var free: [Int] = []

  /// Gives a handle a number; ENFILE where too many are open.
  mutating func insert(_ handle: Handle) throws(Errno) -> UInt64 {
    if let slot = free.popLast() {
      slots[slot] = handle
      return UInt64(slot)
    }
    if slots.count >= HandleTable.handlesMax { throw Errno.enfile }
    slots.append(handle)
    return UInt64(slots.count - 1)
  }

  /// The handle of a number, if it is open and belongs to this volume; EBADF otherwise.
  func handle(_ number: UInt64, volume: Int32) throws(Errno) -> Handle {
    guard number < UInt64(slots.count), let handle = slots[Int(number)], handle.volume == volume else {
      throw Errno.ebadf
    }
    return handle
  }

  /// The volume that has a number open.
  func volume(of number: UInt64) -> Int32? { number < UInt64(slots.count) ? slots[Int(number)]?.volume : nil }

  mutating func setPath(_ number: UInt64, _ path: BytePath) { slots[Int(number)]?.path = path }

  mutating func setListing(_ number: UInt64, _ listing: [DirectoryEntry]) { slots[Int(number)]?.listing = listing }

  /// True where an open file has to be told of a write-back error, once; it counts as told then.
  mutating func mustTellError(_ number: UInt64) -> Bool {
    guard number < UInt64(slots.count), let handle = slots[Int(number)], handle.inode.writeBackError.number != 0 else {
      return false
    }
    var seen = handle.errorSeen
    defer { slots[Int(number)]?.errorSeen = seen }
    return handle.inode.writeBackError.tell(&seen)
  }

  /// True where a close has to tell of a write-back error. Nobody counts as told: a child that ends closes too.
  func mustTellErrorAtClose(_ number: UInt64) -> Bool {
    guard number < UInt64(slots.count), let handle = slots[Int(number)] else { return false }
    return handle.access.writes && handle.inode.writeBackError.number != handle.errorSeen
      && handle.inode.writeBackError.number != 0
  }

  /// Takes a handle away; nil where the number is not open.
  mutating func remove(_ number: UInt64) -> Handle? {
    guard number < UInt64(slots.count), let handle = slots[Int(number)] else { return nil }
    slots[Int(number)] = nil
    free.append(Int(number))
    return handle
  }

  /// The numbers that a volume has open, in order.
  func numbers(ofVolume volume: Int32) -> [UInt64] {
    slots.indices.filter { slots[$0]?.volume == volume }.map(UInt64.init)
  }

  /// Closes everything. Numbers begin at 0 again.
  mutating func removeAll() {
    slots.removeAll()
    free.removeAll()
  }

  /// How many are open.
  var count: Int { slots.count - free.count }
}
