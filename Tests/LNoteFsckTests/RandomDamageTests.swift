import FaultDisk
import Files
import LNoteFormat
import TestSupport
import Testing

@testable import LNoteFsck

/// Seeded damage: every run of detect, plan, repair ends in a package where nothing is left to repair, and what could
/// be read before is alive or set aside.
@Suite struct RandomDamageTests {
  @Test(arguments: [1, 2, 3, 4] as [UInt64]) func whatCouldBeReadIsAliveOrSetAside(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for number in 0..<50 {
      let bench = try Bench()
      if number % 3 == 0 { try bench.put(Bench.picture, at: PackagePaths.asset(Bench.free)) }
      if number % 4 == 0 { try bench.writeTemporary(page: number % 3) { $0.generation = UInt64(4 + number % 3) } }
      for _ in 0..<(1 + Int(generator.next() % 3)) { try bench.damageSomething(&generator) }
      let before = try Contents(below: Bench.package, in: bench.volume)
      let report = bench.repair()
      let label = Comment(rawValue: "seed \(seed), case \(number): \(codes(report.found)) -> \(codes(report.left))")
      #expect(report.refusal == nil, label)
      let plan = bench.check().found.filter { $0.action != nil }
      #expect(plan.isEmpty, label)
      let after = try Contents(below: .root, in: bench.volume)
      #expect(before.elements.isSubset(of: after.elements), label)
      #expect(before.files.isSubset(of: after.files), label)
      let picture = try bench.picture()
      #expect(bench.repair().actions.isEmpty, label)
      #expect(try bench.picture() == picture, label)
    }
  }
}

/// Everything that can be read below a folder: whole elements of pages, and images as bytes.
struct Contents {
  var elements: Set<PageElement> = []
  var files: Set<[UInt8]> = []

  init(below folder: BytePath, in volume: FaultVolume) throws {
    for path in try volume.tree(below: folder) where try volume.status(at: path).kind == .regular {
      let bytes = try volume.bytes(of: path)
      if bytes.starts(with: [0x89, 0x4C, 0x4E, 0x50]) {
        elements.formUnion(PageSalvage.salvage(bytes, expecting: nil).elements)
      } else if bytes.starts(with: [0xFF, 0xD8]) {
        files.insert(bytes)
      }
    }
  }
}

extension Bench {
  /// One damage to one file: bytes changed, zeroed, cut, appended, or the file emptied, removed or swapped.
  func damageSomething(_ generator: inout SeededGenerator) throws {
    let files = try volume.tree(below: Bench.package).filter { try volume.status(at: $0).kind == .regular }
    guard !files.isEmpty else { return }
    func draw(_ count: Int) -> Int { Int(generator.next() % UInt64(max(1, count))) }
    let path = files[draw(files.count)]
    var bytes = try volume.bytes(of: path)
    switch draw(8) {
    case 0, 1:
      for _ in 0..<(1 + draw(3)) where !bytes.isEmpty { bytes[draw(bytes.count)] ^= 1 << UInt8(draw(8)) }
    case 2: bytes = Array(bytes.prefix(draw(bytes.count + 1)))
    case 3: bytes += (0..<draw(600)).map { _ in UInt8(draw(256)) }
    case 4:
      let start = draw(bytes.count + 1)
      for place in start..<min(bytes.count, start + 1 + draw(700)) { bytes[place] = 0 }
    case 5: bytes = []
    case 6:
      try volume.unlink(path)
      return
    default: bytes = try volume.bytes(of: files[draw(files.count)])
    }
    try volume.replace(path, with: bytes)
  }
}
