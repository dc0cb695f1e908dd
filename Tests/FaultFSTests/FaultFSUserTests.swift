import Files
import Glibc
import Processes
import TestSupport
import Testing

extension MountTests {
  /// Ordinary users, and machines on which nothing can be mounted; each in a mount namespace of its own.
  @Suite(.enabled(if: SomebodyElse.canBe, "needs root, unshare and setpriv, to become somebody else"))
  struct FaultFSUserTests {
    /// Runs a script as root in a mount namespace of its own; `user` runs the rest of its words as nobody.
    private func run(_ script: String, in directory: TemporaryDirectory) throws -> ProgramResult {
      let head = """
        set -e
        user() { setpriv --reuid 65534 --regid 65534 --clear-groups "$@"; }
        device() { mknod -m 666 "$1/fuse" c 10 229; mount --bind "$1/fuse" /dev/fuse; }
        chmod 755 "$1"; mkdir -m 777 "$1/tmp" "$1/disk"; export TMPDIR="$1/tmp"
        unset XDG_RUNTIME_DIR
        """
      let program = try builtProgram("faultfs").description
      return try Launch("unshare", ["-m", "sh", "-c", head + "\n" + script, program, directory.text])
        .run(limitMilliseconds: 60_000)
    }

    @Test func runsAndMountsForAnOrdinaryUser() throws {
      let directory = try TemporaryDirectory("user")
      let script = """
        device "$1"
        user "$0" run --fault 'EIO on fsync nth 1' -- sh -c 'id -u; echo a > a; sync a' || echo "status $?"
        user "$0" mount "$1/disk" > "$1/said"
        user sh -c 'echo mine > "$1/disk/f"' sh "$1"
        user "$0" ctl "$1/disk" arm 'EIO on create'
        "$0" ctl "$1/disk" clear fault-1
        user "$0" ctl "$1/disk" stats | grep '^create'
        user fusermount3 -u "$1/disk"
        ls "$1/tmp" | wc -l
        """
      let result = try run(script, in: directory)
      #expect(result.ending == .exited(0), "\(result.errorText)")
      #expect(result.outputText == "65534\nstatus 1\nfault-1\ncreate          1\n0\n", "\(result.errorText)")
      #expect(result.errorText.contains("faultfs: 1 of 1 fault fired"), "\(result.errorText)")
    }

    static let obstacles: [(script: String, status: Int, says: String)] = [
      (#"mount -t tmpfs t /dev; mknod /dev/null c 1 3; "$0" mount "$1/disk""#, 4, "/dev/fuse is missing"),
      (
        #"mknod -m 600 "$1/fuse" c 10 229; mount --bind "$1/fuse" /dev/fuse; user "$0" mount "$1/disk""#, 4,
        "/dev/fuse cannot be opened: Permission denied"
      ),
      (
        #"device "$1"; mount --bind /bin/true "$(readlink -f /usr/bin/fusermount3)"; user "$0" mount "$1/disk""#, 4,
        "fusermount3, is missing or not set-user-id root"
      ),
      (#"setpriv --bounding-set=-sys_admin "$0" mount "$1/disk""#, 4, "without the right to mount (CAP_SYS_ADMIN)"),
      (#"device "$1"; mkdir -m 755 "$1/own"; user "$0" mount "$1/own""#, 2, "is not yours to mount on"),
      (#"device "$1"; mkdir -m 1777 "$1/own"; user "$0" mount "$1/own""#, 2, "is not yours to mount on"),
      (
        #"device "$1"; touch "$1/c"; mount --bind "$1/c" /etc/fuse.conf; user "$0" mount --allow-other "$1/disk""#, 4,
        "user_allow_other"
      ),
      (
        #""$0" mount "$1/disk" > "$1/said"; mkdir "$1/disk/d"; "$0" mount "$1/disk/d" || s=$?; umount "$1/disk"; exit $s"#,
        2, "lies on a mount of faultfs"
      ),
    ]

    @Test(arguments: obstacles) func saysWhatIsInTheWay(script: String, status: Int, says: String) throws {
      let directory = try TemporaryDirectory("obstacle")
      let result = try run(script, in: directory)
      #expect(result.ending == .exited(status), "\(script): \(result.errorText)")
      #expect(result.errorText.contains(says), "\(result.errorText)")
    }

    @Test func showsTheMountToOthers() throws {
      let directory = try TemporaryDirectory("others")
      for (option, status) in [("--allow-other", 0), ("--fixed-plan", 1)] {
        let script = """
          "$0" mount "$1/disk" \(option) > "$1/said"; echo x > "$1/disk/f"
          user cat "$1/disk/f" && s=0 || s=1; umount "$1/disk"; exit $s
          """
        let result = try run(script, in: directory)
        #expect(result.ending == .exited(status), "\(result.errorText)")
        for name in ["tmp", "disk"] as [BytePath] { try directory.volume().removeDirectory(name) }
      }
    }

    /// Rights that come from one of a user's further groups: what they let him do is replayed to the same tree.
    @Test func replaysWhatAGroupPermitted() throws {
      let directory = try TemporaryDirectory("groups")
      let script = """
        cat > "$1/work" <<'WORK'
        member() { setpriv --reuid 65534 --regid 65534 --groups 4242 "$@"; }
        stranger() { setpriv --reuid 65534 --regid 65534 --clear-groups "$@"; }
        set -e; umask 022
        chgrp 4242 .; chmod 2775 .
        for name in shared kept runs cut open; do printf old > $name; done
        chmod 660 shared; chmod 2660 kept; chmod 2770 runs; chmod 2770 cut; chmod 2666 open
        stranger sh -c 'printf x > made' 2>/dev/null && exit 9
        stranger sh -c 'printf new >> open'
        member sh -c 'for name in shared kept runs; do printf new >> $name; done; : > cut'
        member sh -c 'printf mine > made; chmod 2755 made; mkdir within; printf x > within/x; mv shared within/moved'
        WORK
        "$0" run --allow-other --log "$1/log" --export "$1/after" -- sh "$1/work"
        "$0" trace play "$1/log" --to "$1/again" > /dev/null
        for tree in after again; do
          cd "$1/$tree"
          { find . -type f -printf "$tree %P %m %s\\n"; find . -type d ! -name . -printf "$tree %P %m\\n"; } | LC_ALL=C sort
        done
        """
      let result = try run(script, in: directory)
      #expect(result.ending == .exited(0), "\(result.errorText)")
      let tree = [
        "cut 770 0", "kept 2660 6", "made 2755 4", "open 666 6", "runs 770 6", "within 2755", "within/moved 660 6",
        "within/x 644 1",
      ]
      let lines = ["after", "again"].flatMap { name in tree.map { "\(name) \($0)" } }
      #expect(result.outputText.split(separator: "\n").map(String.init) == lines, "\(result.errorText)")
    }
  }
}

/// Whether tests can become an ordinary user.
enum SomebodyElse {
  static let canBe: Bool = {
    guard geteuid() == 0 else { return false }
    let trial = Launch(
      "unshare", ["-m", "setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", "true"])
    return (try? trial.run(limitMilliseconds: 10_000))?.ending.isSuccess ?? false
  }()
}
