import FileTracing
import Files
import Glibc
import JSON
import Processes
import TestSupport
import Testing

@testable import FaultFS

/// How many mounts lie at a place.
enum FaultFSLife {
  static func mountCount(at path: BytePath) throws -> Int {
    let table = try HostVolume(root: "/proc/self").readWhole("mountinfo", sizeMax: 64 << 20)
    let lines = table.split(separator: UInt8(ascii: "\n"))
    return lines.filter { line in
      let fields = line.split(separator: UInt8(ascii: " "))
      return fields.count > 4 && String(decoding: fields[4], as: UTF8.self) == path.description
    }.count
  }
}

extension MountTests {
  /// Beginning and end of a mount, and the command around it.
  @Suite struct FaultFSLifeTests {
    private func faultfs(_ arguments: [String]) throws -> ProgramResult {
      try Launch(try builtProgram("faultfs").description, arguments).run(limitMilliseconds: 30_000)
    }

    /// The number behind "process" in what the command says.
    private func server(_ result: ProgramResult) throws -> pid_t {
      let line = try #require(result.outputText.split(separator: "\n").first { $0.hasPrefix("process") })
      return try #require(line.split(separator: " ").last.flatMap { pid_t($0) })
    }

    /// Waits until a process that is no child of ours is gone.
    private func waitForEnd(of process: pid_t) throws {
      let deadline = Deadline.after(milliseconds: 20_000)
      while !ProcessFile.isGone(process) {
        if deadline.hasPassed { throw MountFailure("process \(process) does not end") }
        _ = poll(nil, 0, 5)
      }
    }

    private func emptyPlace() throws -> (directory: TemporaryDirectory, place: String) {
      let directory = try TemporaryDirectory("life")
      let place = directory.path.appending("disk with space").description
      #expect(mkdir(place, 0o755) == 0)
      return (directory, place)
    }

    enum Goodbye: String, CaseIterable {
      case umount, fusermount, terminate, interrupt, unmountRequest
    }

    @Test(arguments: Goodbye.allCases, [false, true]) func ends(by goodbye: Goodbye, withOpenFile: Bool) throws {
      let (directory, place) = try emptyPlace()
      let socket = directory.path.appending("control")
      let result = try faultfs(["mount", place, "--control", socket.description])
      #expect(result.errorText == "")
      let process = try server(result)
      #expect(result.outputText == "mounted  \(place)\nprocess  \(process)\ncontrol  \(socket)\n")
      var file: CInt = -1
      if withOpenFile { file = open(place + "/open", O_CREAT | O_WRONLY | O_CLOEXEC, 0o600) }
      switch goodbye {
      // With a file open these two say "busy" unless they are lazy; the server ends when the last file is closed.
      case .umount: #expect(try Launch("umount", ["-l", place]).run(limitMilliseconds: 10_000).ending.isSuccess)
      case .fusermount:
        #expect(try Launch("fusermount3", ["-u", "-z", place]).run(limitMilliseconds: 10_000).ending.isSuccess)
      case .terminate: #expect(kill(process, SIGTERM) == 0)
      case .interrupt: #expect(kill(process, SIGINT) == 0)
      case .unmountRequest:
        let control = try LineChannel.connect(path: socket.bytes)
        try control.send(ControlRequest.unmount.json(number: 1).serialized())
        while try control.receive(until: .after(milliseconds: 10_000)) != nil {}
      }
      if file >= 0 && (goodbye == .umount || goodbye == .fusermount) {
        close(file)
        file = -1
      }
      try waitForEnd(of: process)
      #expect(try FaultFSLife.mountCount(at: BytePath(place)) == 0)
      #expect(try directory.volume().tree() == [BytePath("disk with space")])
      if file >= 0 { close(file) }
    }

    @Test func clearsWhatADeadServerLeft() throws {
      let (directory, place) = try emptyPlace()
      let process = try server(try faultfs(["mount", place]))
      try HostVolume(root: BytePath(place)).make("f", text: "x")
      #expect(kill(process, SIGKILL) == 0)
      try waitForEnd(of: process)
      #expect { try HostVolume(root: BytePath(place)).make("g") } throws: { _ in true }

      // Another mount elsewhere is left alone; the dead one goes, and the place can be used again.
      let other = try FaultFSMount()
      let result = try faultfs(["mount", place])
      // Any server that starts clears it, so one of another test may have been first.
      #expect(["faultfs: cleared a mount that a dead faultfs had left at \(place)\n", ""].contains(result.errorText))
      let second = try server(result)
      try HostVolume(root: BytePath(place)).make("g", text: "y")
      #expect(try HostVolume(root: BytePath(place)).tree() == ["g"])
      try other.volume().make("alive")
      #expect(kill(second, SIGTERM) == 0)
      try waitForEnd(of: second)
      #expect(try directory.volume().tree() == [BytePath("disk with space")])
    }

    @Test func endsWithItsInput() throws {
      let mount = try FaultFSMount()
      let file = open(mount.mountPoint.appending("open").description, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
      #expect(file >= 0)
      mount.server.closeInput()
      #expect(try mount.server.wait(milliseconds: 20_000) == .exited(0))
      #expect(try FaultFSLife.mountCount(at: mount.mountPoint) == 0)
      close(file)
    }

    @Test func beginsWithATreeAndExports() throws {
      let work = try TemporaryDirectory("export")
      try work.volume().make("from/d/f", text: "imported")
      try work.volume().makeDirectory("from/empty", permissions: 0o750)
      let export = work.path.appending("out")
      let mount = try FaultFSMount(["--from", "\(work.text)/from", "--export", export.description], in: nil)
      let volume = try mount.volume()
      #expect(try mount.status().lastRecord == 0)
      #expect(try volume.tree() == ["d", "d/f", "empty"])
      try volume.make("d/g", text: "made")
      let during = work.path.appending("during")
      #expect(try mount.ask(.export(during)) == .done)
      #expect(try HostVolume(root: during).tree() == ["d", "d/f", "d/g", "empty"])
      for place in [during, mount.mountPoint, mount.mountPoint.appending("d/out")] {
        guard case .refused = try mount.ask(.export(place)) else {
          Issue.record("exported to \(place)")
          continue
        }
      }
      guard case .refused = try mount.ask(.writeLog(mount.mountPoint.appending("log"))) else {
        Issue.record("wrote the log onto the mount")
        return
      }
      try volume.unlink("d/f")
      mount.server.closeInput()
      #expect(try mount.server.wait(milliseconds: 20_000) == .exited(0))
      let exported = try HostVolume(root: export)
      #expect(try exported.tree() == ["d", "d/g", "empty"])
      #expect(try exported.bytes(of: "d/g") == Array("made".utf8))
    }

    static let plans: [(text: String, name: String)] = [
      ("# the second create\nfault second = ENOSPC on create nth 2\n", "second"),
      (#"{"rules":[{"name":"json","effect":"errno","errno":"ENOSPC","operations":["create"],"nth":2}]}"#, "json"),
    ]

    @Test(arguments: plans) func armsAPlanAndWritesALog(text: String, name: String) throws {
      let work = try TemporaryDirectory("plan")
      try work.volume().make("plan", text: text)
      let mount = try FaultFSMount(["--plan", "\(work.text)/plan", "--log", "\(work.text)/log", "--keep-data"])
      let volume = try mount.volume()
      try volume.make("a", text: "first")
      #expect { try volume.make("b", text: "second") } throws: { ($0 as? FileCallError)?.errno.name == "ENOSPC" }
      #expect(try mount.status().firings.map(\.rule) == [name])
      #expect(try mount.ask(.writeLog(work.path.appending("later"))) == .done)
      guard case .records(let records) = try mount.ask(.log(since: 0)) else { throw MountFailure("no log") }
      #expect(records.contains { $0.kind == .write && $0.lengthTaken == 5 })
      mount.server.closeInput()
      #expect(try mount.server.wait(milliseconds: 20_000) == .exited(0))
      for file in ["later", "log"] as [BytePath] {
        var reader = OperationLogReader()
        reader.append(try work.volume().bytes(of: file))
        var logged: [LoggedOperation] = []
        while let operation = try reader.next() { logged.append(operation) }
        logged.removeAll { $0.record.number == 0 }
        #expect(reader.pendingCount == 0)
        // What came behind the question is only in the log that was written all the time.
        #expect(logged.prefix(records.count).map(\.record.number) == records.map(\.number))
        #expect(logged.first { $0.record.kind == .write }?.data == Array("first".utf8))
      }
    }

    @Test func saysWhereAPlanIsWrong() throws {
      let (directory, place) = try emptyPlace()
      try directory.volume().make("plan", text: "fault EIO on renam nth 1\n")
      let result = try faultfs(["mount", place, "--plan", "\(directory.text)/plan"])
      #expect(result.ending == .exited(2))
      #expect(
        result.errorText.hasPrefix("\(directory.text)/plan:1:14: error: unknown operation 'renam'"),
        "\(result.errorText)")
    }

    static let refusals: [(arguments: [String], status: Int, says: String)] = [
      (["mount"], 2, "DIR"), (["mount", "/nonexistent/x"], 2, "does not exist"),
      (["mount", "/etc/passwd"], 2, "not a directory"),
      (["mount", "/etc"], 2, "not empty"), (["mount", "PLACE", "--from", "/nonexistent"], 2, "/nonexistent"),
      (["mount", "PLACE", "--plan", "/nonexistent"], 2, "/nonexistent"), (["mout", "PLACE"], 2, "mount"),
      (["mount", "PLACE", "--control", "/nonexistent/s"], 4, "control socket"),
      (["mount", "PLACE", "--frm", "x"], 2, "--from"),
    ]

    @Test(arguments: refusals) func refuses(arguments: [String], status: Int, says: String) throws {
      let (directory, place) = try emptyPlace()
      let result = try faultfs(arguments.map { $0 == "PLACE" ? place : $0 })
      #expect(result.ending == .exited(status))
      #expect(result.errorText.contains(says), "\(result.errorText)")
      #expect(result.outputText == "")
      #expect(try FaultFSLife.mountCount(at: BytePath(place)) == 0)
      #expect(try directory.volume().tree() == [BytePath("disk with space")])
    }

    @Test func answersNonsenseWithARefusal() throws {
      let mount = try FaultFSMount()
      let second = try LineChannel.connect(path: mount.directory.path.appending("control").bytes)
      _ = try second.receive(until: .after(milliseconds: 10_000))
      for line in ["nonsense", "{}", "{\"do\":\"dance\",\"number\":3}", "{\"do\":\"mark\",\"number\":4}", "[1,2]"] {
        try second.send(Array(line.utf8))
        let bytes = try #require(try second.receive(until: .after(milliseconds: 10_000)))
        guard case .refused = try ControlAnswer.read(try JSONValue.parse(bytes)).answer else {
          Issue.record("took \(line)")
          continue
        }
      }
      #expect(try mount.ask(.mark("still here")) == .done)
      guard case .records(let records) = try mount.ask(.log(since: 0)) else {
        Issue.record("no log")
        return
      }
      #expect(records.map(\.mark) == ["still here"])
    }
  }
}
