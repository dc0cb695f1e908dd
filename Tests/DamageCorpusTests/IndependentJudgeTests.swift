import Bytes
import DamageCorpus
import Files
import JSON
import LNoteFormat
import Processes
import TestSupport
import Testing

/// What repairs leave of the named damages is read by a program that shares no code with the checker.
///
/// Tests/Fixtures/reader/lnote_reader.py reads pages that are whole; for what is left of others, `SalvageExactnessTests`
/// asks it.
@Suite struct IndependentJudgeTests {
  /// A damage and its repair, as digests of page files.
  private struct Repair {
    let name: String
    let elements: [String]
    let before: [Digest128]
    let after: [Digest128]
    let inPlace: [Digest128]
  }

  /// A part of them in `make test`, all where `LNOTE_DAMAGE_TRIES` is set.
  private static let cases =
    Host.environment("LNOTE_DAMAGE_TRIES") == nil
    ? DamageCase.all.indices.filter { $0 % 5 == 0 }.map { DamageCase.all[$0] } : DamageCase.all

  @Test func nothingIsLostByARepairAndSoMuchByADamageAsIsPinned() throws {
    var files: [Digest128: [UInt8]] = [:]
    let repairs = try IndependentJudgeTests.cases.compactMap { try IndependentJudgeTests.repair($0, &files) }
    let read = try IndependentJudgeTests.read(files)
    var counted = 0
    for repair in repairs {
      let was = Set(repair.before.flatMap { read[$0] ?? [] })
      let there = Set(repair.after.flatMap { read[$0] ?? [] })
      #expect(was.isSubset(of: there), "\(repair.name): \(was.subtracting(there).count) elements are gone")
      // Of a page that is still damaged the reader says nothing.
      let pages = repair.inPlace.map { read[$0] }
      if pages.contains(nil) { continue }
      counted += 1
      let shown = Set(pages.flatMap { $0 ?? [] })
      let gone = repair.elements.count { !shown.contains($0) }
      #expect(gone == DamageCase.expected[repair.name]?["gone"]?.integer ?? 0, "\(repair.name)")
    }
    #expect(counted > repairs.count * 3 / 4)
  }

  /// Repairs a damage once; nil where something around it stands in the way.
  private static func repair(_ row: DamageCase, _ files: inout [Digest128: [UInt8]]) throws -> Repair? {
    let stage = try row.stage()
    guard stage.surroundings.isEmpty else { return nil }
    let library = try DamagedLibrary(stage)
    let before = try pages(library.volume, &files)
    _ = library.run()
    let after = try pages(library.volume, &files)
    let inPlace = after.filter { $0.path.hasSuffix(".content") && !$0.path.description.contains("-lost+found") }
    return Repair(
      name: row.name, elements: stage.package.pages.flatMap(\.elements).map(key), before: before.map(\.digest),
      after: after.map(\.digest), inPlace: inPlace.map(\.digest))
  }

  /// Files that begin as pages do.
  private static func pages(
    _ volume: some Volume, _ files: inout [Digest128: [UInt8]]
  ) throws -> [(path: BytePath, digest: Digest128)] {
    try volume.tree().compactMap { path in
      guard try volume.status(at: path).kind == .regular else { return nil }
      let bytes = try volume.readWhole(path, sizeMax: 64 << 20)
      guard bytes.starts(with: [0x89, 0x4C, 0x4E, 0x50]) else { return nil }
      let digest = XXH3.digest128(of: bytes)
      files[digest] = bytes
      return (path, digest)
    }
  }

  /// The elements of each file that the reader calls whole.
  private static func read(_ files: [Digest128: [UInt8]]) throws -> [Digest128: [String]] {
    let folder = try TemporaryDirectory("judge")
    let volume = try folder.volume()
    let order = Array(files.keys)
    let names = order.indices.map { BytePath("\($0).content") }
    for (name, digest) in zip(names, order) { try volume.make(name, files[digest] ?? []) }
    let reader = repositoryRoot.appending("Tests/Fixtures/reader/lnote_reader.py").description
    var launch = Launch("python3", [reader, "--elements"] + names.map(\.description))
    launch.workingDirectory = folder.path.bytes
    let result = try launch.run(limitMilliseconds: 300_000)
    #expect(result.ending.isSuccess, "\(result.errorText)")
    let lines = try JSONLines.parse(result.output)
    #expect(lines.count == order.count)
    return Dictionary(
      uniqueKeysWithValues: zip(order, lines).compactMap { digest, line in
        line.array.map { (digest, $0.compactMap(\.string)) }
      })
  }

  /// The same words as the reader's.
  private static func key(_ element: PageElement) -> String {
    switch element {
    case .stroke(let stroke):
      let sum = stroke.samples.reduce(0) {
        $0 + Int($1.x) + Int($1.y) + Int($1.radius) + Int($1.pressure) + Int($1.time)
      }
      let colour = "0000000" + String(stroke.colour, radix: 16)
      return "\(stroke.id) \(colour.suffix(8)) \(stroke.samples.count) \(sum)"
    case .image(let image):
      let numbers = [image.x, image.y, image.width, image.height, image.rotation]
      let place = numbers.reduce(0) { $0 + Int($1) }
      let digest = [image.assetDigest.high, image.assetDigest.low].flatMap { half in
        withUnsafeBytes(of: half.bigEndian) { Array($0) }
      }
      return "\(image.id) \(image.asset) \(place) \(image.assetLength) \(Hex.text(of: digest))"
    case .unknown(let other):
      return other.payload.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
  }
}
