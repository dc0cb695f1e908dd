import Testing

@testable import FaultDisk

/// Writes that arrive where they stay, and everything that can come between.
@Suite struct LogArenaTests {
  private func text(_ arena: LogArena, _ address: UInt64, _ length: Int) -> String {
    var bytes: [UInt8] = []
    arena.forEachPiece(at: address, length: UInt64(length)) { bytes += $0 }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func append(_ text: String, to arena: LogArena) -> UInt64 {
    Array(text.utf8).withUnsafeBytes { arena.append($0) }
  }

  private func fill(_ place: UnsafeMutableRawPointer?, _ text: String) throws -> UnsafeRawBufferPointer {
    let bytes = Array(text.utf8)
    let start = try #require(place)
    let target = UnsafeMutableRawBufferPointer(start: start, count: bytes.count)
    target.copyBytes(from: bytes)
    return UnsafeRawBufferPointer(target)
  }

  @Test func takesWhatStandsInThePlaceGiven() throws {
    let arena = LogArena()
    let first = append("first", to: arena)
    let placed = try fill(arena.givePlace(bytesMax: 100), "placed")
    let second = arena.append(placed)
    let third = append("third", to: arena)
    #expect([first, second, third] == [0, 5, 11])
    #expect(text(arena, 0, 16) == "firstplacedthird")
  }

  @Test func takesOnlyTheBeginning() throws {
    let arena = LogArena()
    let placed = try fill(arena.givePlace(bytesMax: 100), "placed")
    let first = arena.append(UnsafeRawBufferPointer(rebasing: placed[..<3]))
    let second = append("more", to: arena)
    #expect([first, second] == [0, 3])
    #expect(text(arena, 0, 7) == "plamore")
  }

  @Test func othersDoNotWriteIntoThePlaceGiven() throws {
    let arena = LogArena()
    _ = append("first", to: arena)
    let placed = try fill(arena.givePlace(bytesMax: 100), "placed")
    let other = append("other", to: arena)
    #expect(other == UInt64(LogArena.slabBytes))
    // The slab with the place is not used again, though nothing in it is named.
    arena.recycle(keeping: [false, true])
    #expect(arena.slabsInUse == 2)
    let late = arena.append(placed)
    #expect(text(arena, other, 11) == "otherplaced")
    #expect(late == other + 5)
  }

  @Test func aPlaceTakenBackCostsNothing() throws {
    let arena = LogArena()
    _ = try fill(arena.givePlace(bytesMax: 100), "placed")
    arena.takeBackPlace()
    #expect(append("other", to: arena) == 0)
    #expect(text(arena, 0, 5) == "other")
  }

  @Test func givesNoPlaceWhereTheSlabEnds() {
    let arena = LogArena()
    let most = [UInt8](repeating: 1, count: LogArena.slabBytes - 50)
    _ = most.withUnsafeBytes { arena.append($0) }
    #expect(arena.givePlace(bytesMax: 51) == nil)
    #expect(arena.givePlace(bytesMax: 50) != nil)
    #expect(append("other", to: arena) == UInt64(LogArena.slabBytes))
  }

  @Test func givesThePlaceOfANewSlab() throws {
    let arena = LogArena()
    let whole = [UInt8](repeating: 1, count: LogArena.slabBytes)
    _ = whole.withUnsafeBytes { arena.append($0) }
    let placed = try fill(arena.givePlace(bytesMax: 100), "placed")
    #expect(arena.append(placed) == UInt64(LogArena.slabBytes))
    #expect(text(arena, UInt64(LogArena.slabBytes), 6) == "placed")
  }

  @Test func aDiskWithoutRulesGivesPlaces() throws {
    let disk = FaultDisk()
    #expect(disk.withEngine { $0.takesWritesInPlace && $0.placeForWrite(bytesMax: 100) != nil })
  }
}
