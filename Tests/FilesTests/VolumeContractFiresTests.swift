import Files
import TestSupport
import Testing

/// Each rule of the contract convicts a volume that breaks it.
@Suite struct VolumeContractFiresTests {
  static let rows: [(lie: LyingVolume.Lie, rule: String)] = [
    (.followsLinks, "V1 no call follows a link at the end of its path"),
    (.followsLinks, "V1 no call follows a link in the middle of its path"),
    (.normalisesPaths, "paths other than names between single slashes are refused"),
    (.cutsNames, "a name has up to 255 bytes, of any value but 0 and the slash"),
    (.removesRoot, "the root is a directory that cannot be made, moved or removed"),
    (.copiesOnRename, "V3 rename replaces the target, whose open files keep the old bytes"),
    (.replacesAlways, "V3 rename replaces an empty directory by a directory, nothing else"),
    (.replacesAlways, "V4 renameKeeping keeps the target"),
    (.reversesEntries, "V6 entries come sorted by bytes, and not more than wished"),
    (.dropsEntries, "V6 entries come sorted by bytes, and not more than wished"),
    (.replacesAlways, "V9 a refused change of names changes nothing"),
    (.emptiesOnUnlink, "V5 an unlinked file keeps its bytes until it is closed"),
    (.closesGaps, "V7 a gap reads as zeros, also after cutting and lengthening"),
    (.tearsWrites, "V7 a large file comes back byte by byte; overwriting begins from nothing"),
    (.hidesLinks, "the status tells kind, size, names, bits and identity"),
    (.forgetsTimes, "attributes are set one by one"),
    (.isFull, "a fresh volume has space and tells how much"),
    (.ignoresLocks, "V8 a lock belongs to its open file and ends with it"),
    (.writesThroughReaders, "V9 an open file does only what it was opened for"),
    (.namesOnce, "V11 a content name stands for one content"),
    (.namesFoldersOnce, "V11 a content name stands for one content"),
    (.closesLate, "V10 a closed file is refused; no number is valid twice"),
  ]

  @Test(arguments: rows) func fires(lie: LyingVolume.Lie, name: String) throws {
    let directory = try TemporaryDirectory()
    let volume = LyingVolume(lie, over: try directory.volume())
    let rule = try #require(VolumeContract.rules.first { $0.description == name })
    let subject = VolumeContract.Subject(
      volume: volume, makeSymbolicLink: directory.makeSymbolicLink, makeFIFO: directory.makeFIFO)
    #expect(rule.violations(of: subject) != [])
  }

  @Test func everyRuleHasARow() {
    // A volume that waits at a FIFO would hang this test, so V2 has none.
    let without = VolumeContract.rules.map(\.description).filter { name in !Self.rows.contains { $0.rule == name } }
    #expect(without == ["V2 open never blocks at a FIFO"])
  }

  @Test(arguments: VolumeContract.rules) func isSilentWithoutALie(rule: VolumeContract.Rule) throws {
    let directory = try TemporaryDirectory()
    #expect(rule.violations(of: .init(volume: LyingVolume(nil, over: try directory.volume()))) == [])
  }
}
