import FaultDisk
import FileTracing
import Files
import Glibc
import Testing

@testable import FaultFS

@Suite struct FaultFSMountTableTests {
  static let text = """
    22 1 0:21 / /proc rw,nosuid - proc proc rw
    36 35 0:44 / /tmp/with\\040space\\134and\\011tab rw,nosuid shared:7 master:1 - fuse.faultfs faultfs-4711 rw,user_id=0
    37 35 0:45 / /tmp/other rw - fuse.sshfs faultfs-4711 rw
    38 35 0:46 / /tmp/alive rw - fuse.faultfs faultfs-12 rw
    39 35 0:47 / /tmp/foreign rw - fuse.faultfs something rw
    40 35 0:48 / /tmp/minus rw - fuse.faultfs faultfs--5 rw
    41 35 0:48 / broken
    """

  @Test func findsOursAndUndoesEscapes() {
    let stale = MountTable(text: Array(Self.text.utf8)).stale { $0 == 12 }
    #expect(stale.map(\.mountPoint) == [BytePath("/tmp/with space\\and\ttab")])
  }

  @Test func whatLivesIsNotStale() {
    #expect(MountTable(text: Array(Self.text.utf8)).stale { _ in true } == [])
  }

  static let servers: [(kind: String, source: String, server: Int32?)] = [
    ("fuse.faultfs", "faultfs-7", 7), ("fuse.faultfs", "/tmp/x/faultfs-7", nil),
    ("fuseblk.faultfs", "/tmp/faultfs-Ab1/faultfs-7", 7), ("fuseblk.faultfs", "/dev/loop7", nil),
    ("fuseblk.ntfs", "/tmp/faultfs-7", nil),
  ]

  @Test(arguments: servers) func tellsWhoServes(kind: String, source: String, server: Int32?) {
    let entry = MountTable(text: Array("1 0 0:1 / /m rw - \(kind) \(source) rw".utf8)).top(at: "/m")
    #expect(entry?.server == server)
  }

  @Test func theLastMountOfAPlaceIsSeen() {
    let text = "1 0 0:1 / /m rw - tmpfs a rw\n2 1 0:2 / /m rw - fuse.faultfs faultfs-9 rw\n"
    #expect(MountTable(text: Array(text.utf8)).top(at: "/m")?.source == "faultfs-9")
    #expect(MountTable(text: Array(text.utf8)).top(at: "/") == nil)
  }

  static let fields: [(escaped: String, bytes: String)] = [
    ("plain", "plain"), ("a\\040b", "a b"), ("\\012", "\n"), ("\\04", "\\04"), ("\\048", "\\048"), ("\\777", "\\777"),
    ("end\\", "end\\"), ("\\134040", "\\040"),
  ]

  @Test(arguments: fields) func unescapes(escaped: String, bytes: String) {
    #expect(MountTable.unescaped(Array(escaped.utf8)) == Array(bytes.utf8))
  }

  static let sources: [(source: String, server: Int32?)] = [
    ("faultfs-1", 1), ("faultfs-0", nil), ("faultfs-", nil), ("faultfs-+3", nil), ("faultfs-99999999999", nil),
    ("other-1", nil),
  ]

  @Test(arguments: sources) func readsTheServer(source: String, server: Int32?) {
    #expect(MountName.server(of: source) == server)
  }
}

@Suite struct FaultFSProcessFileTests {
  static let between = "1 12 12 0 -1 4 0 0 0 0 0 0 0 0 20 0"
  static let lines: [(line: String, isGone: Bool)] = [
    ("12 (sh) S \(between) 1 0", false), ("12 (sh) Z \(between) 1 0", true), ("12 (sh) X \(between) 0 0", true),
    // The first thread has ended, others have not.
    ("12 (sh) Z \(between) 2 0", false), ("12 (a) Z) R \(between) 1 0", false), ("12 (a) R) Z \(between) 1 0", true),
    ("", false), ("12 (sh)", false), ("12 (sh) Z", false),
  ]

  @Test(arguments: lines) func reads(line: String, isGone: Bool) {
    #expect(ProcessFile.isGone(statLine: Array(line.utf8)) == isGone)
  }

  @Test func knowsThisProcess() throws {
    #expect(ProcessFile.process(of: getpid()) == getpid())
    let thread = try #require(Int32(try Host.linkTarget(of: "/proc/thread-self").name.description))
    #expect(ProcessFile.process(of: thread) == getpid())
    #expect(!ProcessFile.isGone(getpid()))
    #expect(ProcessFile.process(of: 0) == nil)
  }
}

@Suite struct FaultFSMountChecksTests {
  static let rows: [(facts: MountFacts, obstacle: MountObstacle?)] = [
    (MountFacts(device: .usable, isRoot: true, hasMountTool: false, place: .emptyDirectory), nil),
    (MountFacts(device: .usable, isRoot: false, hasMountTool: true, place: .emptyDirectory), nil),
    (MountFacts(device: .missing, isRoot: true, hasMountTool: true, place: .emptyDirectory), .noDevice),
    (MountFacts(device: .refused(eperm), isRoot: true, hasMountTool: true, place: .missing), .deviceRefused(eperm)),
    // The tool opens the device with the rights of its user.
    (
      MountFacts(device: .refused(eperm), isRoot: false, hasMountTool: true, place: .emptyDirectory),
      .deviceRefused(eperm)
    ),
    (MountFacts(device: .usable, isRoot: false, hasMountTool: false, place: .emptyDirectory), .noMountTool),
    (MountFacts(device: .usable, isRoot: true, hasMountTool: true, place: .missing), .placeMissing("/m")),
    (MountFacts(device: .usable, isRoot: true, hasMountTool: true, place: .notDirectory), .placeNotDirectory("/m")),
    (MountFacts(device: .usable, isRoot: true, hasMountTool: true, place: .notEmpty), .placeNotEmpty("/m")),
    (MountFacts(device: .usable, isRoot: true, hasMountTool: true, place: .disconnected), .placeDisconnected("/m")),
    (MountFacts(device: .usable, isRoot: true, hasMountTool: true, place: .onOurs), .placeOnOurs("/m")),
    (
      MountFacts(device: .usable, isRoot: false, hasMountTool: true, place: .emptyDirectory, placeIsOurs: false),
      .placeNotYours("/m")
    ),
    (MountFacts(device: .usable, isRoot: true, hasMountTool: true, place: .emptyDirectory, placeIsOurs: false), nil),
    (
      MountFacts(device: .usable, isRoot: true, hasMountTool: true, place: .emptyDirectory, hasMountRight: false),
      .noMountRight
    ),
    (
      MountFacts(device: .usable, isRoot: false, hasMountTool: true, place: .emptyDirectory, wantsOthers: true),
      .othersNotAllowed
    ),
    (
      MountFacts(
        device: .usable, isRoot: false, hasMountTool: true, place: .emptyDirectory, wantsOthers: true,
        mayAllowOthers: true), nil
    ),
    (MountFacts(device: .usable, isRoot: true, hasMountTool: true, place: .emptyDirectory, wantsOthers: true), nil),
    (wantsSync(isRoot: true, "6.18.2-arch1"), nil), (wantsSync(isRoot: true, "7.0-rc1"), nil),
    (wantsSync(isRoot: true, "6.17.9"), .syncUntold("6.17.9")), (wantsSync(isRoot: true, "odd"), .syncUntold("odd")),
    (wantsSync(isRoot: false, "6.18.2"), .syncNeedsRoot),
    (
      MountFacts(device: .usable, isRoot: true, hasMountTool: true, place: .unreadable(eperm)),
      .placeUnreadable("/m", eperm)
    ),
  ]
  private static let eperm = Errno(rawValue: 1)

  private static func wantsSync(isRoot: Bool, _ release: String) -> MountFacts {
    MountFacts(
      device: .usable, isRoot: isRoot, hasMountTool: true, place: .emptyDirectory, wantsSync: true,
      kernelRelease: release)
  }

  @Test(arguments: rows) func finds(facts: MountFacts, obstacle: MountObstacle?) {
    #expect(mountObstacle(facts, at: "/m") == obstacle)
  }

  @Test func everySentenceSaysWhatToDo() {
    for (_, obstacle) in Self.rows {
      guard let obstacle else { continue }
      #expect(obstacle.sentences.split(separator: ". ").count >= 2, "\(obstacle.sentences)")
      #expect(obstacle.sentences.hasSuffix("."))
    }
  }
}

@Suite struct FaultFSAllocationTests {
  static let modes: [(mode: CInt, wish: AllocationWish?)] = [
    (0, AllocationWish(.reserve, keepsSize: false)), (1, AllocationWish(.reserve, keepsSize: true)),
    (3, AllocationWish(.punch, keepsSize: true)), (16, AllocationWish(.zero, keepsSize: false)),
    (17, AllocationWish(.zero, keepsSize: true)), (2, nil), (8, nil), (32, nil), (64, nil),
  ]

  @Test(arguments: modes) func reads(mode: CInt, wish: AllocationWish?) { #expect(AllocationWish(mode: mode) == wish) }
}

@Suite struct FaultFSKernelMemoryTests {
  private static func rule(
    _ effect: FaultEffect, _ operations: Set<OperationKind>, phase: FaultPhase? = nil
  ) -> FaultRule { FaultRule(name: "f", effect: effect, operations: operations, phase: phase) }

  private static let eio = FaultEffect.errno(Errno(rawValue: EIO))

  static let rules: [(rule: FaultRule, names: Bool, attributes: Bool, reads: Bool)] = [
    (rule(eio, [.rename]), false, false, false), (rule(eio, [.rename], phase: .after), true, false, false),
    (rule(eio, [.write], phase: .after), false, false, false), (rule(eio, [], phase: .after), true, false, false),
    (rule(eio, []), false, false, false), (rule(eio, [.read, .write]), false, false, true),
    (rule(.tornRename(.notDone), [.rename]), true, false, false),
    (rule(.shortWrite(bytesMax: 1), [.write]), false, false, false),
    (rule(.powerCut(.keepAll), [.fsync]), true, true, false), (rule(.kill, [.create]), true, false, false),
    (rule(.kill, [.create], phase: .before), false, false, false), (rule(.kill, [.fsync]), false, false, false),
  ]

  @Test(arguments: rules) func isDoubted(rule: FaultRule, names: Bool, attributes: Bool, reads: Bool) {
    #expect(rule.makesNamesDoubtful == names)
    #expect(rule.makesAttributesDoubtful == attributes)
    #expect(rule.canHitReads == reads)
  }

  @Test func remembersWhatTheKernelWasTold() {
    let cache = KernelCache()
    cache.remember("a", in: 1, inode: 5)
    cache.remember("b", in: 1, inode: 5)
    cache.remember("none", in: 1, inode: 0)
    cache.remember("c", in: 2, inode: 6)
    cache.drop("c", in: 2)
    cache.drop("never", in: 2)
    cache.forget(inode: 5, lookups: 1)
    #expect(cache.everything.names.map(\.name) == ["a", "b", "none"])
    #expect(cache.everything.inodes == [5, 6])
    cache.forget(inode: 5, lookups: 1)
    cache.forget(inode: 7, lookups: 1)
    #expect(cache.everything.inodes == [6])
  }

  private static let reads = FileAccess(reads: true, writes: false)
  private static let writes = FileAccess(reads: false, writes: true)
  private static let both = FileAccess(reads: true, writes: true)
  private static let direct = OpenWays.Way(isDirect: true, keepsPages: false)
  private static let fresh = OpenWays.Way(isDirect: false, keepsPages: false)
  private static let kept = OpenWays.Way(isDirect: false, keepsPages: true)

  @Test func goesPastTheCacheOnANewKernel() {
    var ways = OpenWays(protocolMinor: 39)
    #expect(ways.open(5, handle: 1, Self.reads, readsAreHit: false) == Self.kept)
    #expect(ways.open(5, handle: 2, Self.writes, readsAreHit: false).isDirect)
    #expect(ways.open(5, handle: 3, Self.both, readsAreHit: false) == Self.kept)
    #expect(ways.open(5, handle: 4, Self.reads, readsAreHit: true).isDirect)
    #expect(ways.open(5, handle: 5, Self.both, readsAreHit: true) == Self.kept)
  }

  @Test func isNeverOpenBothWaysOnAnOldKernel() {
    var ways = OpenWays(protocolMinor: 38)
    #expect(ways.open(5, handle: 1, Self.writes, readsAreHit: false) == Self.direct)
    // While that is open everybody goes past the cache; another file does not.
    #expect(ways.open(5, handle: 2, Self.reads, readsAreHit: false) == Self.direct)
    #expect(ways.open(6, handle: 3, Self.reads, readsAreHit: false) == Self.kept)
    ways.release(1)
    #expect(ways.open(5, handle: 4, Self.both, readsAreHit: false) == Self.direct)
    ways.release(2)
    ways.release(4)
    // Written past the cache: the first that goes through it begins anew, the next does not.
    #expect(ways.open(5, handle: 5, Self.reads, readsAreHit: false) == Self.fresh)
    #expect(ways.open(5, handle: 6, Self.reads, readsAreHit: false) == Self.kept)
    // While cached files are open a writer goes through the cache too.
    #expect(ways.open(5, handle: 7, Self.writes, readsAreHit: false) == Self.kept)
    for handle in [5, 6, 7, 8] as [UInt64] { ways.release(handle) }
    #expect(ways.open(5, handle: 9, Self.writes, readsAreHit: false) == Self.direct)
  }

  /// Version, then `max_write` at byte 20 of the answer to INIT.
  static let answers: [(version: UInt32, asked: UInt32, sent: UInt32)] = [
    (7, 1 << 20, 1_044_480), (7, 65536, 65536), (8, 1 << 20, 1 << 20),
  ]

  @Test(arguments: answers) func lowersTheWriteSize(version: UInt32, asked: UInt32, sent: UInt32) {
    var body = [UInt32](repeating: 0, count: 16)
    body[0] = version
    body[5] = asked
    body.withUnsafeMutableBytes { DeviceIO.lowerWriteSize($0) }
    #expect(body[5] == sent)
    var short: [UInt32] = [7, 0, 0, 0, 0]
    short.withUnsafeMutableBytes { DeviceIO.lowerWriteSize($0) }
    #expect(short == [7, 0, 0, 0, 0])
  }
}
