import Files
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

@Suite struct FaultFSProcessLineTests {
  static let lines: [(line: String, isEnded: Bool)] = [
    ("12 (sh) S 1 12", false), ("12 (sh) Z 1 12", true), ("12 (sh) X 1 12", true), ("12 (a) Z) R 1", false),
    ("12 (a) R) Z 1", true), ("", false), ("12 (sh)", false),
  ]

  @Test(arguments: lines) func reads(line: String, isEnded: Bool) {
    #expect(ProcessLine.isEnded(Array(line.utf8)) == isEnded)
  }
}

@Suite struct FaultFSMountChecksTests {
  static let rows: [(facts: MountFacts, obstacle: MountObstacle?)] = [
    (MountFacts(device: .usable, isRoot: true, hasMountTool: false, place: .emptyDirectory), nil),
    (MountFacts(device: .usable, isRoot: false, hasMountTool: true, place: .emptyDirectory), nil),
    (MountFacts(device: .missing, isRoot: true, hasMountTool: true, place: .emptyDirectory), .noDevice),
    (MountFacts(device: .refused(eperm), isRoot: true, hasMountTool: true, place: .missing), .deviceRefused(eperm)),
    // The tool opens the device with its own rights.
    (MountFacts(device: .refused(eperm), isRoot: false, hasMountTool: true, place: .emptyDirectory), nil),
    (MountFacts(device: .usable, isRoot: false, hasMountTool: false, place: .emptyDirectory), .noMountTool),
    (MountFacts(device: .usable, isRoot: true, hasMountTool: true, place: .missing), .placeMissing("/m")),
    (MountFacts(device: .usable, isRoot: true, hasMountTool: true, place: .notDirectory), .placeNotDirectory("/m")),
    (MountFacts(device: .usable, isRoot: true, hasMountTool: true, place: .notEmpty), .placeNotEmpty("/m")),
    (MountFacts(device: .usable, isRoot: true, hasMountTool: true, place: .disconnected), .placeDisconnected("/m")),
    (
      MountFacts(device: .usable, isRoot: true, hasMountTool: true, place: .unreadable(eperm)),
      .placeUnreadable("/m", eperm)
    ),
  ]
  private static let eperm = Errno(rawValue: 1)

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
    (0, AllocationWish(keepsSize: false, punches: false)), (1, AllocationWish(keepsSize: true, punches: false)),
    (3, AllocationWish(keepsSize: true, punches: true)), (2, nil), (8, nil), (16, nil), (32, nil), (64, nil),
  ]

  @Test(arguments: modes) func reads(mode: CInt, wish: AllocationWish?) { #expect(AllocationWish(mode: mode) == wish) }
}
