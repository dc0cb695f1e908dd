import FaultDisk

/// Which open files go through the kernel's page cache, and which past it.
///
/// Files that are only written go past it: every write(2) arrives as it is, at half the price. All others go through it,
/// because shared maps need it, and what it holds stays good from one open to the next. Since Linux 6.6 a write past the
/// cache drops what the cache holds there. An older kernel keeps the old pages; on it no file is open both ways at a
/// time, and what was written past the cache makes the next open begin with an empty one.
struct OpenWays {
  /// The way of one open file.
  struct Way: Equatable {
    /// True where it goes past the page cache.
    var isDirect: Bool
    /// True where the pages of the file that the cache holds are still good; of no meaning past it.
    var keepsPages: Bool
  }

  /// Linux 6.6; linux/fuse.h numbers its protocol 7.39.
  private static let protocolOfDroppedPages: UInt32 = 39

  private let kernelDropsPages: Bool
  private var counts: [UInt64: (direct: Int, cached: Int)] = [:]
  private var handles: [UInt64: (inode: UInt64, isDirect: Bool)] = [:]
  private var outdated: Set<UInt64> = []

  /// The ways for a kernel that speaks version 7 of the protocol with this minor version.
  init(protocolMinor: UInt32) { kernelDropsPages = protocolMinor >= OpenWays.protocolOfDroppedPages }

  /// Chooses the way of a file that was opened, and keeps it in mind until `release`.
  ///
  /// - Parameter readsAreHit: true where a rule can hit reads; files that are only read then go past the cache, or the
  ///   rule would never see most of them: read-ahead takes the error, and the kernel reads again.
  mutating func open(_ inode: UInt64, handle: UInt64, _ access: FileAccess, readsAreHit: Bool) -> Way {
    let wantsDirect = access.writes ? !access.reads : readsAreHit
    if kernelDropsPages { return Way(isDirect: wantsDirect, keepsPages: true) }
    var count = counts[inode] ?? (0, 0)
    let isDirect = count.direct > 0 || (wantsDirect && count.cached == 0)
    if isDirect { count.direct += 1 } else { count.cached += 1 }
    counts[inode] = count
    handles[handle] = (inode, isDirect)
    guard isDirect else { return Way(isDirect: false, keepsPages: outdated.remove(inode) == nil) }
    if access.writes { outdated.insert(inode) }
    return Way(isDirect: true, keepsPages: false)
  }

  /// The open file has ended.
  mutating func release(_ handle: UInt64) {
    guard let (inode, isDirect) = handles.removeValue(forKey: handle), var count = counts[inode] else { return }
    if isDirect { count.direct -= 1 } else { count.cached -= 1 }
    counts[inode] = count == (0, 0) ? nil : count
  }
}
