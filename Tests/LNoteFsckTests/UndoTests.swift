import Bytes
import FaultDisk
import Files
import LNoteFormat
import TestSupport
import Testing

@testable import LNoteFsck

/// `--undo`: what a repair did is taken back, byte for byte.
@Suite struct UndoTests {
  /// What an undo has to bring back of the package: kinds, bytes, permissions, times of files, extended attributes.
  static func picture(_ volume: FaultVolume) throws -> [String] {
    try volume.tree(below: Bench.package).map { path in
      let status = try volume.status(at: path)
      var line = "\(path) \(status.kind) \(status.permissions)"
      guard status.kind == .regular else { return line }
      line += " \(status.modified) \(XXH3.digest128(of: try volume.bytes(of: path)))"
      let file = try volume.open(path, for: .reading)
      defer { try? volume.close(file) }
      for name in try volume.extendedAttributeNames(of: file) {
        line += " \(name)=\(try volume.extendedAttribute(name, of: file))"
      }
      return line
    }
  }

  /// Every file gets an odd time, permissions and an attribute, which no repair writes by itself.
  static func mark(_ volume: FaultVolume) throws {
    for (place, path) in try volume.tree(below: Bench.package).enumerated() {
      guard try volume.status(at: path).kind == .regular else { continue }
      let file = try volume.open(path, for: .reading)
      try volume.setExtendedAttribute("user.place", of: file, to: [UInt8(truncatingIfNeeded: place)])
      try volume.setAttributes(file, permissions: 0o640, modified: 1_700_000_000_123_456_789 + Int64(place))
      try volume.close(file)
    }
  }

  @Test(arguments: DamageCase.all) func everyRepairIsTakenBackByteForByte(row: DamageCase) throws {
    let bench = try Bench()
    try row.damage(bench)
    try Self.mark(bench.volume)
    let before = try Self.picture(bench.volume)
    let contents = try Contents(below: Bench.package, in: bench.volume)
    let repair = bench.repair()
    let repaired = try Self.picture(bench.volume)
    let made = try Contents(below: Bench.package, in: bench.volume)
    let undo = bench.undo()
    #expect(try Self.picture(bench.volume) == before)
    #expect(codes(undo.left) == row.found)
    #expect(undo.undo?.didChange == repair.didChange)
    #expect(undo.exit.contains(.repaired) == repair.didChange)
    #expect(undo.exit.contains(.operational) == !repair.didChange)
    // Nothing that could be read before either of the two is lost.
    let after = try Contents(below: .root, in: bench.volume)
    #expect(contents.elements.union(made.elements).isSubset(of: after.elements))
    #expect(contents.files.union(made.files).isSubset(of: after.files))
    // A second undo finds nothing to take back, and changes nothing.
    let everything = try bench.picture()
    let second = bench.undo()
    #expect(second.undo?.repair == nil && second.exit.contains(.operational))
    #expect(try bench.picture() == everything)
    // It can be repaired again, with the same outcome but for the times of new files.
    let again = bench.repair()
    #expect(codes(again.left) == row.left)
    #expect(try Self.picture(bench.volume).count == repaired.count)
  }

  @Test func repairsAreTakenBackOneByOneTheLastFirst() throws {
    let bench = try Bench()
    var pictures = [try Self.picture(bench.volume)]
    for number in 0..<11 {
      try bench.put(Array("\(number)".utf8), at: PackagePaths.manifest)
      pictures.append(try Self.picture(bench.volume))
      #expect(bench.repair().exit.rawValue == 1)
    }
    for number in (0..<11).reversed() {
      let undo = bench.undo()
      #expect(undo.undo?.restored == [PackagePaths.manifest])
      #expect(undo.undo?.repair == Bench.stampText + (number == 0 ? "" : "-\(number + 1)"))
      #expect(try Self.picture(bench.volume) == pictures[number + 1])
      // What the user did between two repairs is no repair's: the manifest as the earlier one had made it is put back.
      if number > 0 { try bench.put(ManifestRecord(mirroring: bench.document).encoded(), at: PackagePaths.manifest) }
    }
  }

  @Test func aFileThatWasChangedSinceStaysAndIsNamed() throws {
    let bench = try Bench()
    let page = PackagePaths.page(Bench.pages[0])
    try bench.damage(page) { $0[200] ^= 1 }
    let damaged = try bench.bytes(page)
    let document = try bench.bytes(PackagePaths.document)
    #expect(bench.repair().exit.rawValue == 5)
    try bench.write(page: 0) { $0.generation = 9 }
    let drawn = try bench.bytes(page)
    let report = bench.undo()
    #expect(report.undo?.refused.map(\.path) == [page] && report.undo?.refused.map(\.reason) == [.changed])
    #expect(report.exit.contains(.operational) && report.exit.contains(.repaired))
    #expect(try bench.bytes(page) == drawn)
    #expect(try bench.bytes(PackagePaths.document) == document)
    #expect(RefusalTests.text(report, .undo).contains("\(page) was changed after the repair"))
    // Moved elsewhere, it no longer stands in the way.
    try bench.remove(page)
    let second = bench.undo()
    #expect(second.undo?.restored == [page] && second.undo?.isUnfinished == false)
    #expect(try bench.bytes(page) == damaged)
  }

  @Test func whatWasSetAsideMustBeWhatItWas() throws {
    let bench = try Bench()
    let page = PackagePaths.page(Bench.pages[0])
    try bench.damage(page) { $0[200] ^= 1 }
    let repair = bench.repair()
    let aside = try #require(repair.asides.first { $0.from == page })
    try bench.volume.replace(aside.to, with: [1, 2, 3])
    let repaired = try bench.bytes(page)
    #expect(bench.undo().undo?.refused.map(\.reason) == [.keptIsGone])
    #expect(try bench.bytes(page) == repaired)
  }

  @Test func anOpenDocumentIsNotTakenBack() throws {
    let bench = try Bench()
    try bench.remove(PackagePaths.manifest)
    #expect(bench.repair().exit.rawValue == 1)
    let folder = try bench.volume.open(Bench.package, for: .directory)
    try bench.volume.lockExclusively(folder)
    let picture = try bench.picture()
    #expect(bench.undo().exit.rawValue == 8)
    #expect(try bench.picture() == picture)
    try bench.volume.close(folder)
    #expect(bench.undo().undo?.removed == [PackagePaths.manifest])
  }

  @Test func aLedgerThatCannotBeReadIsNotGuessedAt() throws {
    let bench = try Bench()
    try bench.remove(PackagePaths.manifest)
    _ = bench.repair()
    let ledger = BytePath("\(Bench.package)-lost+found/\(Bench.stampText)/index.jsonl")
    let whole = try bench.volume.bytes(of: ledger)
    try bench.volume.replace(ledger, with: [UInt8(ascii: "x"), UInt8(ascii: "\n")] + whole)
    let picture = try Self.picture(bench.volume)
    #expect(bench.undo().undo?.refused.map(\.path) == [ledger])
    #expect(try Self.picture(bench.volume) == picture)
    // A last line that was cut is one whose change was never made.
    try bench.volume.replace(ledger, with: whole + whole.prefix(20))
    #expect(bench.undo().undo?.removed == [PackagePaths.manifest])
  }

  @Test(arguments: ["", "f", "fo", "foo", "foob\u{FF}"]) func base64IsReadBack(text: String) {
    #expect(bytes(base64: base64(Array(text.utf8))) == Array(text.utf8))
    #expect(bytes(base64: "Zg=") == nil && bytes(base64: "Z===") == nil && bytes(base64: "!!!!") == nil)
  }
}

extension Bench {
  func undo() -> PackageReport { Fsck(volume: volume, now: Bench.now).undo(Bench.package) }
}
