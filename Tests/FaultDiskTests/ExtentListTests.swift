import TestSupport
import Testing

@testable import FaultDisk

@Suite struct ExtentListTests {
  @Test func neighboursMerge() {
    var list = ExtentList()
    for block in 0..<100 as Range<UInt64> { list.store(start: block * 10, length: 10, address: block * 10) }
    #expect(list.extents == [Extent(start: 0, length: 1000, address: 0)])
    // Rewritten in another place and back: one extent again.
    list.store(start: 300, length: 50, address: 5000)
    #expect(list.extents.count == 3)
    list.store(start: 300, length: 20, address: 300)
    list.store(start: 320, length: 30, address: 320)
    #expect(list.extents == [Extent(start: 0, length: 1000, address: 0)])
    list.remove(from: 400, to: 500)
    list.reserve(from: 300, to: 600)
    list.remove(from: 900, to: .max)
    list.reserve(from: 900, to: 920)
    list.reserve(from: 900, to: 940)
    let zeros = LogArena.zeros
    #expect(
      list.extents == [
        Extent(start: 0, length: 400, address: 0), Extent(start: 400, length: 100, address: zeros + 400),
        Extent(start: 500, length: 400, address: 500), Extent(start: 900, length: 40, address: zeros + 900),
      ])
    #expect(list.allocatedBytes == 940)
    #expect(list.brokenInvariant == nil)
  }

  /// Against an array with one address for every byte.
  @Test(arguments: [1, 2, 3] as [UInt64]) func agreesWithAnArray(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var list = ExtentList()
    var model = [UInt64?](repeating: nil, count: 120)
    for step in 0..<700 {
      let low = Int.random(in: 0..<110, using: &generator)
      let high = Int.random(in: (low + 1)...min(low + 30, 119), using: &generator)
      let (from, to) = (UInt64(low), UInt64(high))
      switch Int.random(in: 0..<5, using: &generator) {
      case 0:
        list.remove(from: from, to: to)
        for place in low..<high { model[place] = nil }
      case 1:
        list.reserve(from: from, to: to)
        for place in low..<high where model[place] == nil { model[place] = LogArena.zeros + UInt64(place) }
      default:
        // Few addresses, so that neighbours often continue each other.
        let address = UInt64.random(in: 0..<3, using: &generator) * 1000 + from
        list.store(start: from, length: to - from, address: address)
        for place in low..<high { model[place] = address + UInt64(place - low) }
      }
      #expect(list.brokenInvariant == nil, "step \(step)")
      var found = [UInt64?]()
      list.forEachPart(from: 0, to: 120) { address, length in
        for place in 0..<length { found.append(address.map { $0 + place }) }
      }
      #expect(found == model, "step \(step)")
      let room = UInt64.random(in: 0..<20, using: &generator)
      var left = room
      let fits = model[low..<high].prefix { address in
        if address == nil, left == 0 { return false }
        if address == nil { left -= 1 }
        return true
      }
      #expect(list.lengthThatFits(from: from, length: to - from, newBytesMax: room) == UInt64(fits.count))
      if found != model { return }
    }
  }
}
