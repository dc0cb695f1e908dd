/// The inodes that exist, by number.
///
/// Numbers only go up and are never used again. The table is in parts, and a part goes with the last of its inodes; what
/// then is left of an inode that was there once is an eighth of a byte. Finding is O(1), a walk O(parts there ever were +
/// inodes).
struct InodeTable {
  private static let partBits = 7

  private struct Part {
    var inodes = [Inode?](repeating: nil, count: 1 << InodeTable.partBits)
    var count = 0
  }

  private let first: UInt64
  private var parts: [Part?] = []
  /// The number of the next inode.
  private(set) var next: UInt64

  /// An empty table whose first inode will have this number.
  init(first: UInt64) {
    self.first = first
    next = first
  }

  /// The inode of this number; nil where it is gone, or was never there.
  subscript(number: UInt64) -> Inode? {
    guard number >= first, number < next else { return nil }
    let (part, place) = place(of: number)
    return part < parts.count ? parts[part]?.inodes[place] : nil
  }

  /// How many parts are in memory.
  var partCount: Int { parts.count { $0 != nil } }

  /// Puts an inode under its number, which nobody has; later ones have higher numbers.
  mutating func insert(_ inode: Inode) {
    precondition(inode.number >= first, "inode \(inode.number) is below the first, \(first)")
    let (part, place) = place(of: inode.number)
    while parts.count <= part { parts.append(nil) }
    if parts[part] == nil { parts[part] = Part() }
    precondition(parts[part]?.inodes[place] == nil, "two inodes have the number \(inode.number)")
    parts[part]?.inodes[place] = inode
    parts[part]?.count += 1
    next = max(next, inode.number + 1)
  }

  /// Lets an inode go.
  mutating func remove(_ number: UInt64) {
    guard self[number] != nil else { return }
    let (part, place) = place(of: number)
    parts[part]?.inodes[place] = nil
    parts[part]?.count -= 1
    if parts[part]?.count == 0 { parts[part] = nil }
  }

  /// Lets the next inode have this number, if it is not above it already.
  mutating func skip(to number: UInt64) { next = max(next, number) }

  /// Every inode, by number.
  var all: [Inode] { parts.flatMap { $0?.inodes.compactMap { $0 } ?? [] } }

  private func place(of number: UInt64) -> (part: Int, place: Int) {
    let distance = Int(number - first)
    return (distance >> InodeTable.partBits, distance & (1 << InodeTable.partBits - 1))
  }
}
