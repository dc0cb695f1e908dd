import FaultDisk
import FileTracing
import Files
import TestSupport
import Testing

@Suite struct SurvivalTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let what: String
    /// What happens after a durable start of d/, d/old "old", d/other "other".
    let actions: @Sendable (any Volume) throws -> Void
    let keepNone: [String: String]
    var testDescription: String { what }
  }

  private static let start = ["d/": "", "d/old": "old", "d/other": "other"]

  private static func with(_ changes: [String: String?]) -> [String: String] {
    var tree = start
    for (path, text) in changes { tree[path] = text }
    return tree
  }

  static let rows: [Row] = [
    Row(what: "nothing", actions: { _ in }, keepNone: start),
    Row(what: "a write without fsync is lost", actions: { try $0.replace("d/old", with: [1]) }, keepNone: start),
    Row(
      what: "a new file without fsync of its directory is lost",
      actions: {
        try $0.make("d/new", text: "new")
        try $0.synchronize(path: "d/new")
      }, keepNone: start),
    Row(
      what: "a new name whose file was never synced is empty",
      actions: {
        try $0.make("d/new", text: "new")
        try $0.synchronize(path: "d", isDirectory: true)
      }, keepNone: with(["d/new": ""])),
    Row(
      what: "file and name synced",
      actions: {
        try $0.make("d/new", text: "new")
        try $0.synchronize(path: "d/new")
        try $0.synchronize(path: "d", isDirectory: true)
      }, keepNone: with(["d/new": "new"])),
    Row(
      what: "what was written behind the fsync is lost",
      actions: { volume in
        let file = try volume.open("d/old", for: .writing)
        try volume.writeWhole(file, at: 0, Array("OLD".utf8))
        try volume.synchronize(file)
        try volume.writeWhole(file, at: 1, Array("xxxx".utf8))
        try volume.truncate(file, to: 1)
        try volume.close(file)
      }, keepNone: with(["d/old": "OLD"])),
    Row(
      what: "a safe save",
      actions: {
        try $0.make("d/.tmp", text: "new")
        try $0.synchronize(path: "d/.tmp")
        try $0.rename("d/.tmp", to: "d/old")
        try $0.synchronize(path: "d", isDirectory: true)
      }, keepNone: with(["d/old": "new"])),
    Row(
      what: "a save without fsync of the directory",
      actions: {
        try $0.make("d/.tmp", text: "new")
        try $0.synchronize(path: "d/.tmp")
        try $0.rename("d/.tmp", to: "d/old")
      }, keepNone: start),
    Row(
      what: "a save without fsync of the file",
      actions: {
        try $0.make("d/.tmp", text: "new")
        try $0.rename("d/.tmp", to: "d/old")
        try $0.synchronize(path: "d", isDirectory: true)
      }, keepNone: with(["d/old": ""])),
    Row(
      what: "a removal without fsync of the directory", actions: { try $0.unlink("d/old") }, keepNone: start),
    Row(
      what: "a removal with it",
      actions: {
        try $0.unlink("d/old")
        try $0.synchronize(path: "d", isDirectory: true)
      }, keepNone: with(["d/old": nil])),
    Row(
      what: "a directory whose parent was not synced",
      actions: {
        try $0.make("d/e/f", text: "f")
        try $0.synchronize(path: "d/e/f")
        try $0.synchronize(path: "d/e", isDirectory: true)
      }, keepNone: start),
    Row(
      what: "a directory that was not synced itself is empty",
      actions: {
        try $0.make("d/e/f", text: "f")
        try $0.synchronize(path: "d/e/f")
        try $0.synchronize(path: "d", isDirectory: true)
      }, keepNone: with(["d/e/": ""])),
    Row(
      what: "a move of which only the new directory was synced leaves both names",
      actions: {
        try $0.makeDirectory("e", permissions: 0o700)
        try $0.synchronize(path: .root, isDirectory: true)
        try $0.rename("d/old", to: "e/old")
        try $0.synchronize(path: "e", isDirectory: true)
      }, keepNone: with(["e/": "", "e/old": "old"])),
    Row(
      what: "a moved directory of which only the new parent was synced has its new name only",
      actions: {
        try $0.makeDirectory("e", permissions: 0o700)
        try $0.synchronize(path: .root, isDirectory: true)
        try $0.rename("d", to: "e/d")
        try $0.synchronize(path: "e", isDirectory: true)
      }, keepNone: ["e/": "", "e/d/": "", "e/d/old": "old", "e/d/other": "other"]),
    Row(
      what: "a moved directory of which no parent was synced has its old name",
      actions: {
        try $0.makeDirectory("e", permissions: 0o700)
        try $0.synchronize(path: .root, isDirectory: true)
        try $0.rename("d", to: "e/d")
      }, keepNone: with(["e/": ""])),
    Row(
      what: "a directory that is gone has the name that is durable",
      actions: {
        try $0.makeDirectory("e", permissions: 0o700)
        try $0.synchronize(path: .root, isDirectory: true)
        for name in ["old", "other"] { try $0.rename(BytePath("d/\(name)"), to: BytePath("e/\(name)")) }
        try $0.removeDirectory("d")
      }, keepNone: with(["e/": ""])),
    Row(
      what: "a durable name counts also where the directory that holds it has only a former one",
      actions: {
        for directory in ["y", "x", "e"] as [BytePath] { try $0.makeDirectory(directory, permissions: 0o700) }
        try $0.synchronize(path: .root, isDirectory: true)
        try $0.rename("x", to: "e/x")
        try $0.rename("y", to: "e/x/y")
        try $0.synchronize(path: "e/x", isDirectory: true)
      }, keepNone: with(["e/": "", "x/": "", "x/y/": ""])),
    Row(
      what: "names that would make a circle of directories do not, and no walk hangs",
      actions: {
        // Durable: d and a at the top, a/b. Then d goes into a/b, and a into d: a circle in what is durable of them.
        try $0.makeDirectories("a/b")
        try $0.synchronize(path: .root, isDirectory: true)
        try $0.synchronize(path: "a", isDirectory: true)
        try $0.rename("d", to: "a/b/d")
        try $0.synchronize(path: "a/b", isDirectory: true)
        try $0.rename("a/b/d", to: "d")
        try $0.rename("a", to: "d/a")
        try $0.synchronize(path: "d", isDirectory: true)
      },
      keepNone: ["d/": "", "d/a/": "", "d/a/b/": "", "d/old": "old", "d/other": "other"]),
  ]

  @Test(arguments: rows) func keepsWhatIsDurable(row: Row) throws {
    let disk = try SurvivalTests.disk()
    let volume = disk.volume()
    try row.actions(volume)
    let issued = try shown(volume)
    disk.powerCut(.keepNone)
    let exported = FaultDisk()
    try disk.exportTree(to: exported.volume())
    #expect(try shown(exported.volume()) == row.keepNone)
    disk.restart()
    #expect(try shown(disk.volume()) == row.keepNone)

    let other = try SurvivalTests.disk()
    try row.actions(other.volume())
    #expect(try other.shownAfter(cut: .keepAll) == issued)
    // What a restart shows is durable.
    #expect(try other.shownAfter(cut: .keepNone) == issued)
  }

  private static func disk() throws -> FaultDisk {
    let disk = FaultDisk()
    let volume = disk.volume()
    try volume.make("d/old", text: "old")
    try volume.make("d/other", text: "other")
    disk.beginRecording()
    return disk
  }

  @Test func aSecondCutChangesNothing() throws {
    let disk = try SurvivalTests.disk()
    try disk.volume().unlink("d/old")
    disk.powerCut(.keepNone)
    disk.powerCut(.keepAll)
    #expect(disk.condition == .cut(.keepNone))
    disk.restart()
    #expect(disk.condition == .running)
    #expect(try shown(disk.volume()) == SurvivalTests.start)
  }

  @Test func numbersAreNewAndLinksStay() throws {
    let disk = try SurvivalTests.disk()
    let volume = disk.volume()
    try volume.link("d/old", to: "link")
    let open = try volume.open("d/other", for: .reading)
    let gone = try volume.open("d/gone", for: .creating(permissions: 0o640))
    try volume.unlink("d/gone")
    let numbers = try volume.tree().map { try volume.status(at: $0).inode }
    disk.restart()
    let next = disk.volume()
    let newNumbers = try next.tree().map { try next.status(at: $0).inode }
    #expect(Set(numbers).isDisjoint(with: newNumbers))
    #expect(try next.status(at: "link").inode == next.status(at: "d/old").inode)
    #expect(try next.status(at: "link").links == 2)
    #expect(errno { _ = try volume.status(of: open) }?.name == "ENOTCONN")
    #expect(errno { _ = try next.status(of: gone) } == .ebadf)
    #expect(disk.withEngine { $0.rootInode } > numbers.max() ?? 0)
    #expect(
      errno {
        _ = try disk.withEngine { (engine: inout DiskEngine) throws in try engine.attributes(of: numbers[0]) }
      }?.name == "ESTALE")
  }

  /// Forty directories, one in the other, each durably named twice: with a copy for each name they would be 2^40.
  @Test func aDirectoryThatIsNamedTwiceIsThereOnce() throws {
    let disk = FaultDisk()
    let volume = disk.volume()
    var place = BytePath("c")
    try volume.makeDirectory(place, permissions: 0o755)
    try volume.synchronize(path: .root, isDirectory: true)
    let depth = 40
    for _ in 0..<depth {
      let (before, after) = (place.appending("a"), place.appending("b"))
      for directory in [before, after, before.appending("c")] {
        try volume.makeDirectory(directory, permissions: 0o755)
      }
      for directory in [place, before] { try volume.synchronize(path: directory, isDirectory: true) }
      try volume.rename(before.appending("c"), to: after.appending("c"))
      try volume.synchronize(path: after, isDirectory: true)
      place = after.appending("c")
    }
    disk.powerCut(.keepNone)
    disk.restart()
    #expect(disk.withEngine { $0.inodeCount } == 1 + 3 * UInt64(depth))
    #expect(try disk.volume().status(at: place).kind == .directory)
  }

  @Test func permissionsComeAlong() throws {
    let disk = FaultDisk()
    let volume = disk.volume()
    try volume.make("a", permissions: 0o640)
    try volume.makeDirectory("b", permissions: 0o711)
    try volume.synchronize(path: .root, isDirectory: true)
    disk.powerCut(.keepNone)
    disk.restart()
    let next = disk.volume()
    #expect(try next.status(at: "a").permissions == 0o640)
    #expect(try next.status(at: "b").permissions == 0o711)
    #expect(try next.status(at: "b").links == 2)
    #expect(try next.status(at: .root).links == 3)
  }

  @Test func recordingBeginsAnew() throws {
    let disk = FaultDisk()
    let volume = disk.volume()
    try disk.arm(FaultRule(.errno(.eio), on: [.mkdir], nth: 1))
    #expect(errno { try volume.makeDirectory("a", permissions: 0o700) } == .eio)
    try volume.make("file", text: "x")
    disk.beginRecording()
    #expect(disk.log.records == [])
    #expect(disk.firings == [])
    disk.mark("from here")
    try volume.makeDirectory("b", permissions: 0o700)
    #expect(disk.log.records.map(\.line) == ["1 [-] mark from here", "2 [1] mkdir b 0700 by 1"])
    #expect(try disk.shownAfter(cut: .keepNone) == ["file": "x"])
  }
}
