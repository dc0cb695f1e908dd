import Files
import Glibc
import Processes
import TestSupport
import Testing

extension MountTests {
  /// A signal ends `faultfs explore` soon, whatever it is at, and what was found until then is told.
  @Suite struct FaultFSExploreSignalTests {
    private let directory: TemporaryDirectory
    private let marks: LineChannel

    init() throws {
      directory = try TemporaryDirectory("signal")
      try directory.volume().make("f", text: "old\n")
      #expect(mkfifo(directory.path.appending("marks").description, 0o600) == 0)
      // Opened for both, so that neither side waits for the other.
      let fifo = Descriptor(open(directory.path.appending("marks").description, O_RDWR | O_CLOEXEC))
      marks = LineChannel(reading: fifo, writing: fifo)
    }

    /// The text and the status of a run that gets a signal once the check has made so many marks, while it is checked
    /// or not.
    private func explore(
      _ words: [String], signal: CInt, afterMarks count: Int, isChecked: Bool
    ) throws -> (text: String, ending: ProcessEnding?) {
      var launch = Launch(try builtProgram("faultfs").description, ["explore"] + words)
      launch.workingDirectory = directory.path.bytes
      launch.input = .pipe
      launch.output = .pipe
      let run = try ChildProcess(launch)
      for _ in 0..<count { _ = try marks.receive(until: .after(milliseconds: 120_000)) }
      while isChecked == false, try hasChildren(run.id) { _ = try waitReadable([], until: .after(milliseconds: 1)) }
      run.send(signal: signal)
      let lines = run.lines()
      var text = ""
      while let line = try lines.receive(until: .after(milliseconds: 120_000)) {
        text += String(decoding: line, as: UTF8.self) + "\n"
      }
      return (text, try run.wait(milliseconds: 120_000))
    }

    /// True while a check is running.
    private func hasChildren(_ process: Int32) throws -> Bool {
      let tasks = try HostVolume(root: BytePath("/proc/\(process)/task/\(process)"))
      return try !tasks.readWhole("children", sizeMax: 1 << 20).isEmpty
    }

    private var mark: String { "echo mark >'\(directory.path)/marks'" }

    /// Files that nobody syncs have more states than one would wait for; the check is run on the two ends before.
    @Test(arguments: [SIGTERM, SIGINT]) func whileStatesAreMade(_ signal: CInt) throws {
      let script = "for i in 1 2 3 4 5 6 7 8 9 10 11 12; do echo new >t$i; echo more >>t$i; done"
      let (text, ending) = try explore(
        ["--model", "posix-weakest", "--budget", "100000000", "--check", mark, "--", "sh", "-c", script],
        signal: signal, afterMarks: 2, isChecked: false)
      #expect(ending == .exited(128 + Int(signal)))
      let said = text.replacing("\n", with: " ")
      #expect(said.hasPrefix("0 of "), "\(said)")
      #expect(said.contains("(not all: a signal ended it); whether one fails is not known."), "\(said)")
      #expect(said.contains("posix-weakest ended at operation "), "\(said)")
    }

    /// The check is recorded, and takes for ever then.
    @Test func whileTheCheckIsCrashed() throws {
      let check = "touch seen; case $(stat -f -c %T .) in fuse*) \(mark); sleep 600; esac"
      let (text, ending) = try explore(
        ["--model", "xfs", "--depth", "2", "--check", check, "--", "sh", "-c", "echo x >g"],
        signal: SIGTERM, afterMarks: 1, isChecked: true)
      #expect(ending == .exited(143), "\(text)")
      let said = text.replacing("\n", with: " ")
      #expect(said.contains(", then 0 of 0 crash states of recovery (not all: a signal ended it)"), "\(said)")
    }

    /// The first good state behind one that failed makes a mark, and takes for ever.
    @Test(arguments: [1, 2]) func whileTheyAreJudged(_ benches: Int) throws {
      if benches > 1 && geteuid() != 0 { return }
      let check = """
        if test -s f; then test -e '\(directory.path)/failed' && { \(mark); sleep 600; }; exit 0; fi
        touch '\(directory.path)/failed'; exit 1
        """
      let script = "echo new >t; mv t f; sync .; echo x >g; echo y >h"
      let (text, ending) = try explore(
        ["--model", "xfs", "-j", "\(benches)", "--keep", "kept", "--check", check, "--", "sh", "-c", script, "x", "f"],
        signal: SIGTERM, afterMarks: 1, isChecked: true)
      #expect(ending == .exited(143), "\(text)")
      #expect(text.replacing("\n", with: " ").contains("(not all: a signal ended it)"), "\(text)")
      // With another bench the one that failed may not have been through.
      if benches > 1 { return }
      #expect(text.contains("\nFAIL  exit status 1\n"), "\(text)")
      #expect(try directory.volume().bytes(of: "kept/1/f") == [])
    }
  }
}
