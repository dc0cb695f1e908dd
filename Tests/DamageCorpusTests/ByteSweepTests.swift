import DamageCorpus
import FaultDisk
import Files
import LNoteFormat
import LNoteFsck
import TestSupport
import Testing

/// Every byte of a small document, changed in each of twelve ways: it is found, or the document means the same.
///
/// Some bytes in each `make test`; `LNOTE_EVERY_BYTE=1` takes all.
@Suite struct ByteSweepTests {
  private static let step = Host.environment("LNOTE_EVERY_BYTE") != nil ? 1 : 151

  /// One of twelve: the eight bits, all zeros, all ones, the byte deleted, one put in.
  private static func changed(_ whole: [UInt8], at place: Int, _ number: Int) -> [UInt8] {
    var bytes = whole
    switch number {
    case 0..<8: bytes[place] ^= 1 << UInt8(number)
    case 8: bytes[place] = 0
    case 9: bytes[place] = 0xFF
    case 10: bytes.remove(at: place)
    default: bytes.insert(0x20, at: place)
    }
    return bytes
  }

  static let files = ["document", "manifest", "page1", "page2", "page3", "asset1", "asset2", "thumbnail1", "journal1"]

  @Test(arguments: files) func noChangedByteIsOverlooked(file: String) throws {
    var stage = DamageStage(try #require(Bases.all["small"]))
    if file == "journal1" { try stage.follow(Recipe("journal page1 add remove replace picture1")) }
    let path = try #require(stage.path(of: file))
    let volume = FaultDisk().volume()
    try stage.tree.write(to: volume)
    let fsck = Fsck(volume: volume, now: DamagedLibrary.now)
    let whole = try volume.bytes(of: path)
    let sound = fsck.check(stage.package.name).found.map(\.message)
    #expect(sound.count == (file == "journal1" ? 1 : 0))
    for place in stride(from: file.utf8.count % ByteSweepTests.step, to: whole.count, by: ByteSweepTests.step) {
      for number in 0..<12 {
        let bytes = ByteSweepTests.changed(whole, at: place, number)
        if bytes == whole { continue }
        try volume.replace(path, with: bytes)
        let isFound = fsck.check(stage.package.name).found.map(\.message) != sound
        let meansTheSame =
          DocumentRecord.read(bytes).record == DocumentRecord.read(whole).record
          && ManifestRecord.read(bytes).record == ManifestRecord.read(whole).record
        #expect(isFound || meansTheSame && file.hasSuffix("t"), "\(file), byte \(place), change \(number)")
      }
    }
    try volume.replace(path, with: whole)
    #expect(fsck.check(stage.package.name).found.map(\.message) == sound)
  }
}
