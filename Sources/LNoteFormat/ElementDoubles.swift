import Bytes

/// Elements of one page that have the identity of an earlier one.
package struct ElementDoubles: Hashable, Sendable {
  /// How many of them are that element once more.
  package private(set) var same: UInt64 = 0
  /// How many of them are other elements.
  package private(set) var different: UInt64 = 0

  /// None.
  package init() {}

  /// True where each element has an identity of its own.
  package var isNothing: Bool { same == 0 && different == 0 }

  /// The elements, each once and each with an identity of its own, and how many were repeated.
  ///
  /// Of elements that are the same the first is kept. One that is not, though it has the identity of an earlier one,
  /// gets a new identity, which follows from its own, its place and the page.
  package static func separated(
    _ elements: [PageElement], of page: NoteID
  ) -> (elements: [PageElement], doubles: ElementDoubles) {
    var doubles = ElementDoubles()
    var kept: [PageElement] = []
    var known: Set<NoteID> = []
    var seen: Set<PageElement> = []
    var used = Set(elements.compactMap(\.id))
    for (place, element) in elements.enumerated() {
      guard let id = element.id else {
        kept.append(element)
        continue
      }
      let isFirst = known.insert(id).inserted
      if !seen.insert(element).inserted {
        doubles.same += 1
      } else if isFirst {
        kept.append(element)
      } else {
        doubles.different += 1
        kept.append(element.with(id: newIdentity(besides: &used, for: id, at: place, of: page)))
      }
    }
    return (kept, doubles)
  }

  private static func newIdentity(
    besides used: inout Set<NoteID>, for id: NoteID, at place: Int, of page: NoteID
  )
    -> NoteID
  {
    var attempt: UInt64 = 0
    while true {
      var writer = ByteWriter(capacity: 48)
      writer.write(bytes: page.bytes)
      writer.write(bytes: id.bytes)
      writer.write(UInt64(place))
      writer.write(attempt)
      let digest = XXH3.digest128(of: writer.bytes)
      // Version 8 of RFC 9562: made of whatever its maker likes.
      let new = NoteID(
        high: digest.high & ~0xF000 | 0x8000, low: digest.low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
      if used.insert(new).inserted { return new }
      attempt += 1
    }
  }

  // MARK: Whether there are any

  // So many places are looked at for one identity; honest ones are spread, and need two or three.
  private static let probesMax = 64

  /// True where two of these elements have the same identity. Its work and its memory are linear in their number.
  static func areThere(in marks: [ElementMark]) -> Bool {
    if marks.count < 2 { return false }
    var bits = 2
    while 1 << bits < 2 * marks.count { bits += 1 }
    let isDouble = withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 1 << bits) { slots -> Bool? in
      slots.initialize(repeating: 0)
      let last = 1 << bits &- 1
      for (place, mark) in marks.enumerated() {
        guard let id = mark.id else { continue }
        var slot = Int(((id.low ^ id.high) &* 0x9E37_79B9_7F4A_7C15) &>> 32) & last
        var probes = 0
        while slots[slot] != 0 {
          if marks[Int(slots[slot]) - 1].id == id { return true }
          probes += 1
          if probes == probesMax { return nil }
          slot = (slot &+ 1) & last
        }
        slots[slot] = UInt32(place + 1)
      }
      return false
    }
    if let isDouble { return isDouble }
    // Identities made so that they come together.
    var seen: Set<NoteID> = []
    return !marks.allSatisfy { $0.id.map { seen.insert($0).inserted } ?? true }
  }
}

extension PageElement {
  /// The same element under another identity; one of an unknown type as it is.
  fileprivate func with(id: NoteID) -> PageElement {
    switch self {
    case .stroke(var stroke):
      stroke.id = id
      return .stroke(stroke)
    case .image(var image):
      image.id = id
      return .image(image)
    case .unknown: return self
    }
  }
}
