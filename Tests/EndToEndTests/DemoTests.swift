import Files
import Glibc
import Processes
import TestSupport
import Testing

extension MountTests {
  /// `lnote-demo` as `make demo` starts it.
  @Suite struct DemoTests {
    /// The last screen, its figures masked.
    private static let screen = """
      --------------------------------------------------------------------------------
      A notes app wrote to a disk that failed on purpose: # scenarios, # faults, # s

        what you did                 what the disk did          what the check found
      # drew, then left the app      nothing                    nothing
      # inserted a photo             lost power before the page # photo that no page
                                     that shows it was written  uses: set aside
      # left the app with a change   lost power while renaming  # times no damage,
                                     document.json, in # ways  # times repaired it
      # drew on a full disk          refused # writes, later    nothing
                                     had room again

      Promised   the app said "saved" for # strokes, # photos, # pages
      Kept       after every fault: # strokes, # photos, # pages
      Control    the photo scenario with a store that never syncs: # stroke and #
                 photo lost, and the run said so. (A test that cannot fail proves
                 nothing.)

      Look       ls demo-kept/                     what crash and repair left
                 bin/lnote-fsck demo-kept/#-torn-rename/target-empty/crashed
      Change     edit Scenarios/photo-power-cut.scn, then
                 bin/lnote-scenario run Scenarios/photo-power-cut.scn
      Your app   bin/faultfs lint -- python3 save.py     what did it leave unsynced?
      Your notes bin/lnote-fsck FOLDER             looks only, changes nothing
      Read on    Docs/README.md
      --------------------------------------------------------------------------------

      """

    private func masked(_ text: Substring) -> String {
      String(
        text.replacing(/[0-9.]+ min( [0-9]+ s)?\b|[0-9.]+ s\b/, with: "# s").replacing(/\b[0-9][0-9,]*/, with: "#"))
    }

    /// From the first rule on.
    private func lastScreen(_ text: String) -> Substring {
      text.firstRange(of: String(repeating: "-", count: 80)).map { text[$0.lowerBound...] } ?? ""
    }

    private func demo(_ words: [String], in workshop: Workshop) throws -> Launch {
      let scenarios = repositoryRoot.appending("Scenarios").description
      return try workshop.launch("lnote-demo", ["--scenarios", scenarios, "--keep", "kept"] + words)
    }

    @Test func theWholeOfIt() throws {
      let workshop = try Workshop()
      let result = try demo([], in: workshop).run(limitMilliseconds: Workshop.millisecondsMax)
      #expect(masked(lastScreen(result.outputText)) == Self.screen)
      #expect(result.errorText == "")
      #expect(result.ending == .exited(0))
      let lines = lastScreen(result.outputText).split(separator: "\n")
      let promised = lines.firstMatch(of: "Promised   the app said \"saved\" for ")
      #expect(promised != nil && promised == lines.firstMatch(of: "Kept       after every fault: "))
      let kept = try workshop.volume().tree(below: "kept").map(\.description)
      for folder in ["2-photo", "3-torn-rename/target-empty", "3-torn-rename/both-names"] {
        for state in ["crashed", "repaired"] {
          #expect(kept.contains { $0.hasPrefix("kept/\(folder)/\(state)/") && $0.hasSuffix(".lnote") }, "\(folder)")
        }
      }
      #expect(try workshop.leftBehind() == [])
    }

    @Test func aControlThatPassesIsSaidFirst() throws {
      let workshop = try Workshop()
      let scenarios = try HostVolume(root: repositoryRoot.appending("Scenarios"))
      for entry in try scenarios.entries(of: .root, countMax: 1000) where entry.name.hasSuffix(".scn") {
        var text = String(decoding: try scenarios.bytes(of: entry.name), as: UTF8.self)
        if entry.name == "photo-never-synced.scn" { text.replace("durability none", with: "durability full") }
        // Less to carry about: what is looked at here is the control.
        text.replace("2MiB", with: "20KiB")
        try workshop.volume().make(BytePath("scenarios").appending(entry.name), text: text)
      }
      let result = try workshop.run("lnote-demo", ["--scenarios", "scenarios", "--keep", "kept"])
      let lines = lastScreen(result.outputText).split(separator: "\n", omittingEmptySubsequences: false)
      #expect(
        lines.prefix(4).dropFirst().joined(separator: "\n") == """
          The control was not convicted: a store that never syncs passed. Until that is
          mended, no result here means anything.

          """)
      #expect(!result.outputText.contains("and the run said so"))
      #expect(result.ending == .exited(1))
      #expect(try workshop.leftBehind() == [])
    }
  }
}

extension [Substring] {
  /// What stands behind these words on the first line that begins with them.
  fileprivate func firstMatch(of words: String) -> Substring? {
    first { $0.hasPrefix(words) }.map { $0.dropFirst(words.count) }
  }
}

/// The demonstration where no mount can be had.
@Suite(.serialized, .enabled(if: HiddenDevice.isPossible, "\(HiddenDevice.reason)"))
struct DemoWithoutMountTests {
  @Test(arguments: HiddenDevice.allCases) func saysWhatIsMissingAndRunsInProcess(hidden: HiddenDevice) throws {
    let workshop = try Workshop()
    let scenarios = repositoryRoot.appending("Scenarios").description
    let demo = try builtProgram("lnote-demo").description
    let words = [demo, "--scenarios", scenarios, "--keep", "kept"]
    let launch = workshop.wrapped(Launch("unshare", ["-m", "sh", "-c", hidden.script, "sh"] + words))
    let result = try launch.run(limitMilliseconds: Workshop.millisecondsMax)
    #expect(result.ending == .exited(0), "\(result.outputText)\(result.errorText)")
    let said = result.outputText.replacing("\n", with: " ")
    #expect(said.contains("(in process, without a mount: "), "\(result.outputText)")
    #expect(said.contains(hidden.says), "\(result.outputText)")
    #expect(said.contains("docker run "), "\(result.outputText)")
    #expect(said.contains("and the run said so"))
    #expect(try workshop.volume().tree(below: "kept").contains { $0.hasPrefix("kept/2-photo/crashed/") })
    #expect(try workshop.leftBehind() == [])
  }
}

/// Ways in which a machine has no usable `/dev/fuse`, made in a mount namespace of the program's own.
enum HiddenDevice: CaseIterable {
  /// There is none, as in a container that was not given it.
  case missing
  /// There is something else, as a broken set-up may leave it.
  case notTheDevice
  /// It is there, and the right to mount is not.
  case noRight

  static let reason = "needs the right to make a mount namespace (root)"
  static let isPossible =
    (try? Launch("unshare", ["-m", "true"]).run(limitMilliseconds: 30_000).ending.isSuccess) == true

  /// A shell script that hides the device and becomes the program in its words.
  var script: String {
    switch self {
    case .missing:
      """
      set -e
      new=$(mktemp -d)
      mount -t tmpfs none "$new"; rmdir "$new" 2>/dev/null || true
      for name in null zero urandom random; do : >"$new/$name"; mount --bind "/dev/$name" "$new/$name"; done
      mount --rbind "$new" /dev
      umount -R "$new"; rmdir "$new"
      exec "$@"
      """
    case .notTheDevice: "mount --bind /dev/null /dev/fuse && exec \"$@\""
    case .noRight: "exec setpriv --inh-caps=-sys_admin --bounding-set=-sys_admin \"$@\""
    }
  }

  /// How the reason begins.
  var says: String {
    switch self {
    case .missing: "/dev/fuse is missing, so nothing can be mounted here. Load the module (modprobe fuse);"
    case .notTheDevice: "mount failed: "
    case .noRight: "without the right to mount (CAP_SYS_ADMIN)"
    }
  }
}
