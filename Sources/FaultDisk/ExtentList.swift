/// A run of bytes of a file, and where in the log arena they stand.
package struct Extent: Hashable, Sendable {
  /// Where it begins in the file.
  package var start: UInt64
  /// How long it is; never 0.
  package var length: UInt64
  /// Where its bytes are; from `LogArena.zeros` on it is reserved and reads as zeros.
  package var address: UInt64

  /// Where it ends in the file.
  package var end: UInt64 { start + length }

  /// False for reserved space, which reads as zeros.
  package var isWritten: Bool { address < LogArena.zeros }

  /// The part of it in `range`, which it must overlap.
  func clipped(from low: UInt64, to high: UInt64) -> Extent {
    let first = max(start, low)
    return Extent(start: first, length: min(end, high) - first, address: address + (first - start))
  }

  /// True where `next` goes on in the file and in the arena.
  func continues(in next: Extent) -> Bool { end == next.start && address + length == next.address }
}

/// The content of a file: extents in order, none overlapping.
///
/// Neighbours that continue each other are merged.
/// What no extent covers is a hole and reads as zeros. Finding is O(log n), writing O(extents behind the place).
package struct ExtentList: Hashable, Sendable {
  /// The extents, in order.
  package private(set) var extents: [Extent] = []
  /// The sum of the extents' lengths.
  package private(set) var allocatedBytes: UInt64 = 0

  /// No bytes.
  package init() {}

  /// The first extent that ends behind `offset`; the count where none does.
  func index(endingBehind offset: UInt64) -> Int {
    if let last = extents.last, last.end <= offset { return extents.count }
    var low = 0
    var high = extents.count
    while low < high {
      let middle = (low + high) / 2
      if extents[middle].end > offset { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// Lets the bytes from `start` on stand at `address`.
  package mutating func store(start: UInt64, length: UInt64, address: UInt64) {
    let new = Extent(start: start, length: length, address: address)
    if let last = extents.last, last.end <= start {
      allocatedBytes += length
      if last.continues(in: new) { extents[extents.count - 1].length += length } else { extents.append(new) }
    } else {
      replace(from: start, to: new.end, with: new)
    }
  }

  /// Makes a hole.
  package mutating func remove(from low: UInt64, to high: UInt64) {
    if low < high { replace(from: low, to: high, with: nil) }
  }

  /// Reserves what is a hole in the range: it occupies space and reads as zeros.
  package mutating func reserve(from low: UInt64, to high: UInt64) {
    for gap in gaps(from: low, to: high) {
      store(start: gap.lowerBound, length: gap.upperBound - gap.lowerBound, address: LogArena.zeros + gap.lowerBound)
    }
  }

  private mutating func replace(from low: UInt64, to high: UInt64, with new: Extent?) {
    let first = index(endingBehind: low)
    var behind = first
    var parts: [Extent] = []
    var gone: UInt64 = 0
    while behind < extents.count, extents[behind].start < high {
      let old = extents[behind]
      gone += old.length
      if old.start < low { parts.append(old.clipped(from: old.start, to: low)) }
      behind += 1
    }
    if let new { parts.append(new) }
    if behind > first, extents[behind - 1].end > high {
      parts.append(extents[behind - 1].clipped(from: high, to: extents[behind - 1].end))
    }
    var from = first
    if from > 0, let next = parts.first, extents[from - 1].continues(in: next) {
      from -= 1
      gone += extents[from].length
      parts.insert(extents[from], at: 0)
    }
    if behind < extents.count, let last = parts.last, last.continues(in: extents[behind]) {
      gone += extents[behind].length
      parts.append(extents[behind])
      behind += 1
    }
    parts = ExtentList.merged(parts)
    extents.replaceSubrange(from..<behind, with: parts)
    allocatedBytes = parts.reduce(allocatedBytes - gone) { $0 + $1.length }
  }

  private static func merged(_ parts: [Extent]) -> [Extent] {
    var merged: [Extent] = []
    for part in parts {
      if let last = merged.last, last.continues(in: part) {
        merged[merged.count - 1].length += part.length
      } else {
        merged.append(part)
      }
    }
    return merged
  }

  /// The holes in a range.
  package func gaps(from low: UInt64, to high: UInt64) -> [Range<UInt64>] {
    var gaps: [Range<UInt64>] = []
    var place = low
    var index = index(endingBehind: low)
    while index < extents.count, extents[index].start < high {
      if extents[index].start > place { gaps.append(place..<extents[index].start) }
      place = extents[index].end
      index += 1
    }
    if place < high { gaps.append(place..<high) }
    return gaps
  }

  /// The longest beginning of a write whose new bytes are at most `newBytesMax`; a hole that is filled is new.
  func lengthThatFits(from low: UInt64, length: UInt64, newBytesMax: UInt64) -> UInt64 {
    var room = newBytesMax
    for gap in gaps(from: low, to: low + length) {
      let count = gap.upperBound - gap.lowerBound
      if count > room { return gap.lowerBound + room - low }
      room -= count
    }
    return length
  }

  /// Hands out the range in order: extents' parts, and nil for holes, each with its length.
  func forEachPart(from low: UInt64, to high: UInt64, _ body: (_ address: UInt64?, _ length: UInt64) -> Void) {
    var place = low
    var index = index(endingBehind: low)
    while index < extents.count, extents[index].start < high {
      let part = extents[index].clipped(from: low, to: high)
      if part.start > place { body(nil, part.start - place) }
      body(part.address, part.length)
      place = part.end
      index += 1
    }
    if place < high { body(nil, high - place) }
  }

  /// What is wrong with the list; nil for a sound one. For tests.
  var brokenInvariant: String? {
    for (index, extent) in extents.enumerated() {
      if extent.length == 0 { return "extent \(index) is empty" }
      guard index > 0 else { continue }
      if extents[index - 1].end > extent.start { return "extent \(index) overlaps the one before" }
      if extents[index - 1].continues(in: extent) { return "extent \(index) is not merged with the one before" }
    }
    return extents.reduce(0) { $0 + $1.length } == allocatedBytes ? nil : "\(allocatedBytes) is not the sum"
  }
}
