import FaultDisk
import FileTracing
import Files
import Glibc
import Processes
import TestSupport
import Testing

extension MountTests {
  /// The log of a real mount: whole whatever dies, and replayable by the built program.
  @Suite struct FaultFSTraceTests {
    private func trace(_ words: [String]) throws -> ProgramResult {
      try Launch(builtProgram("faultfs").description, ["trace"] + words).run(limitMilliseconds: 60_000)
    }

    @Test func playsWhatGitAndTarDid() throws {
      let work = try TemporaryDirectory("trace")
      let source = work.path.appending("source").description
      #expect(mkdir(source, 0o755) == 0)
      try work.volume().make("source/old", text: "old")
      #expect(symlink("old", source + "/link") == 0)
      let (log, after) = (work.path.appending("log").description, work.path.appending("after").description)
      try work.volume().make("plan", text: "fault torn = torn-rename target-empty on rename of \"torn\"\n")
      let plan = work.path.appending("plan").description
      let mount = try FaultFSMount(
        ["--from", source, "--log", log, "--export", after, "--plan", plan, "--keep-data"])
      let script = """
        set -e; export HOME=$PWD GIT_CONFIG_NOSYSTEM=1
        if command -v git >/dev/null; then
          git init -q r; cd r; echo 1 > f; git add f
          git -c user.name=n -c user.email=e commit -qm c; git gc -q; cd ..
        fi
        mkdir t; echo 2 > t/a; ln t/a t/b; ln -s ../old t/c; mkfifo t/p; truncate -s 1M t/holes; chmod 640 t/a
        tar cf t.tar t old; mkdir u; tar xf t.tar -C u; rm -r t; echo 3 > new; mv new torn
        exec 5> gone; rm gone; echo 4 >&5; exec 5>&-
        """
      let ran = try mount.run("/bin/sh", ["-c", script])
      #expect(ran.ending == .exited(0), "\(ran.errorText)")
      let later = work.path.appending("later")
      #expect(try mount.ask(.writeLog(later)) == .done)
      mount.server.closeInput()
      #expect(try mount.server.wait(milliseconds: 20_000) == .exited(0))
      let exported = try HostVolume(root: BytePath(after))
      let digest = try TreeDigest.digest(of: exported)
      for file in [log, later.description] {
        let target = file + ".tree"
        let played = try trace(["play", file, "--to", target])
        #expect(played.ending == .exited(0), "\(played.errorText)")
        #expect(played.outputText.hasSuffix("tree    \(digest)\n"), "\(played.outputText)")
        let tree = try HostVolume(root: BytePath(target))
        #expect(try TreeDigest.digest(of: tree) == digest)
        #expect(try tree.status(at: "u/t/a").inode == tree.status(at: "u/t/b").inode)
        #expect(try tree.status(at: "torn").size == 0)
      }
      #expect(try trace(["diff", log, later.description]).outputText.contains("the same") == true)
      #expect(try trace(["show", log, "--fired"]).outputText.contains("!torn torn-rename target-empty"))
      #expect(try trace(["play", log, "--check", "--until", "0"]).outputText.hasPrefix("played  0 records"))
    }

    @Test func whatWasAnsweredIsInTheLogOfAKilledServer() throws {
      let work = try TemporaryDirectory("killed")
      let log = work.path.appending("log").description
      let mount = try FaultFSMount(["--log", log])
      let descriptor = open(mount.mountPoint.appending("a").description, O_CREAT | O_WRONLY, 0o600)
      #expect(descriptor >= 0)
      var answered: [UInt8] = []
      for byte in 0..<(200 as UInt8) {
        let piece = [UInt8](repeating: byte, count: 700)
        #expect(write(descriptor, piece, piece.count) == piece.count)
        answered += piece
      }
      // The answer to the last write is all that we have waited for.
      #expect(kill(mount.greeting.server, SIGKILL) == 0)
      #expect(try mount.server.wait(milliseconds: 20_000) == .killed(signal: Int(SIGKILL)))
      close(descriptor)
      _ = umount2(mount.mountPoint.description, CInt(MNT_DETACH))
      let target = work.path.appending("tree").description
      let played = try trace(["play", log, "--to", target])
      #expect(played.ending == .exited(0), "\(played.errorText)")
      #expect(try HostVolume(root: BytePath(target)).bytes(of: "a") == answered)
    }

    @Test func saysWhatIsWrongWithALog() throws {
      let work = try TemporaryDirectory("damaged")
      let log = work.path.appending("log").description
      let mount = try FaultFSMount(["--log", log])
      try mount.volume().make("a", text: "text")
      mount.server.closeInput()
      #expect(try mount.server.wait(milliseconds: 20_000) == .exited(0))
      let bytes = try work.volume().bytes(of: "log")
      try work.volume().make("cut", Array(bytes.dropLast(5)))
      var newer = bytes
      newer[8] = 7
      try work.volume().make("newer", newer)
      try work.volume().make("other", text: "no log")
      let whole = try trace(["show", log])
      #expect(whole.ending == .exited(0) && whole.errorText == "")
      let cut = try trace(["show", work.path.appending("cut").description])
      #expect(cut.ending == .exited(1) && cut.errorText.contains("cut off at byte"))
      #expect(whole.outputText.hasPrefix(cut.outputText) && !cut.outputText.isEmpty)
      let version = try trace(["show", work.path.appending("newer").description])
      #expect(version.ending == .exited(2))
      #expect(version.errorText.contains("made by a faultfs with log version 7; this one reads version 3"))
      let other = try trace(["stats", work.path.appending("other").description])
      #expect(other.ending == .exited(2) && other.errorText.contains("no operation log"))
      let differing = try trace(["diff", log, work.path.appending("cut").description])
      #expect(differing.ending == .exited(1) && differing.outputText.hasPrefix("different from record"))
      #expect(try trace(["paint", log]).ending == .exited(2))
      #expect(try trace(["play", log]).ending == .exited(2))
      let piped = try Launch(
        "/bin/bash", ["-c", "set -o pipefail; '\(builtProgram("faultfs"))' trace show '\(log)' | head -1"]
      ).run(limitMilliseconds: 60_000)
      #expect(piped.ending == .exited(0) && piped.errorText == "")
    }
  }
}
