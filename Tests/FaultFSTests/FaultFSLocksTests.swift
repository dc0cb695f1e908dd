import FileTracing
import Files
import Glibc
import Processes
import TestSupport
import Testing

extension MountTests {
  /// Locks that the mount keeps itself, between real processes.
  @Suite struct FaultFSLocksTests {
    /// Beginnings of a script: `other(body)` runs a function in a child, `say` and `wait` are its pipes.
    private static let beginning = """
      import errno, fcntl, os, signal, struct, sys
      def said(call):
        try: call(); return 'ok'
        except OSError as error: return 'EDEADLK' if error.errno == errno.EDEADLK else errno.errorcode[error.errno]
      def lock(file, kind, start=0, length=0): fcntl.lockf(file, kind | fcntl.LOCK_NB, length, start)
      def child(body):
        here, there = os.pipe(), os.pipe()
        process = os.fork()
        if process == 0:
          try: body(lambda: os.read(there[0], 1), lambda text: os.write(here[1], text.encode().ljust(8))); os._exit(0)
          except BaseException as error: print(error, file=sys.stderr); os._exit(1)
        return process, lambda: os.write(there[1], b'.'), lambda: os.read(here[0], 8).decode().strip()
      def blocked(process):  # in fcntl(2) or flock(2), by their numbers on x86_64 and arm64
        while open(f'/proc/{process}/syscall').read().split()[0] not in ('72', '25', '73', '32'): os.sched_yield()
      def end(process): assert os.waitpid(process, 0)[1] == 0

      """

    private func run(_ script: String, _ options: [String] = ["--locks"]) throws {
      let mount = try FaultFSMount(options)
      let result = try mount.run("python3", ["-c", Self.beginning + script])
      #expect(result.outputText + result.errorText == "done\n")
      #expect(result.ending.isSuccess)
    }

    private static let ranges = """
      def other(wait, say):
        file = open('f', 'r+'); wait()
        say(said(lambda: lock(file, fcntl.LOCK_EX, 5, 1)))
        say(said(lambda: lock(file, fcntl.LOCK_SH, 20, 1)))
        query = fcntl.fcntl(file, fcntl.F_GETLK, struct.pack('hhqqi4x', fcntl.F_WRLCK, 0, 0, 0, 0))
        kind, _, start, length, process = struct.unpack('hhqqi4x', query)
        say('own' if process == os.getppid() and (kind, start, length) == (fcntl.F_WRLCK, 0, 10) else str(query))
        wait()
        say(said(lambda: lock(file, fcntl.LOCK_EX, 5, 1)))
      file = open('f', 'w+')
      process, go, answer = child(other)
      lock(file, fcntl.LOCK_EX, 0, 10); go()
      assert [answer(), answer(), answer()] == ['EAGAIN', 'ok', 'own']
      # The first close of any descriptor lets go of them all.
      open('f').close(); go()
      assert answer() == 'ok'
      end(process)
      print('done')
      """

    @Test func rangesAreKeptFromOtherProcesses() throws { try run(Self.ranges) }

    /// As the kernel does it by itself.
    @Test func withoutTheOptionTheKernelKeepsThem() throws { try run(Self.ranges, []) }

    @Test(arguments: [["--locks"], ["--locks", "--turns", "2"], []]) func whoWaitsGetsIt(options: [String]) throws {
      try run(
        """
        def other(wait, say):
          file = open('f', 'r+'); say('begins'); fcntl.lockf(file, fcntl.LOCK_EX, 1, 3); say('has it')
        file = open('f', 'w+'); lock(file, fcntl.LOCK_EX, 0, 10)
        process, go, answer = child(other)
        assert answer() == 'begins'
        open('g', 'w').close()  # the disk goes on meanwhile
        blocked(process); fcntl.lockf(file, fcntl.LOCK_UN, 2, 0)  # not the byte it waits for
        os.listdir('.')
        fcntl.lockf(file, fcntl.LOCK_UN, 10, 0)
        assert answer() == 'has it'
        end(process)
        print('done')
        """, options)
    }

    @Test(arguments: [["--locks"], []]) func aSignalEndsTheWait(options: [String]) throws {
      try run(
        """
        class Came(Exception): pass
        def note(*_): raise Came
        def other(wait, say):
          signal.signal(signal.SIGUSR1, note)
          file = open('f', 'r+')
          try: say('begins'); fcntl.lockf(file, fcntl.LOCK_EX)
          except Came: say('came')
        def killed(wait, say):
          file = open('f', 'r+'); say('begins'); fcntl.lockf(file, fcntl.LOCK_EX)
        file = open('f', 'w+'); lock(file, fcntl.LOCK_EX)
        process, go, answer = child(other)
        assert answer() == 'begins'
        blocked(process); os.kill(process, signal.SIGUSR1)
        assert answer() == 'came'
        end(process)
        process, go, answer = child(killed)
        assert answer() == 'begins'
        blocked(process); os.kill(process, signal.SIGKILL)
        assert os.waitpid(process, 0)[1] == signal.SIGKILL
        fcntl.lockf(file, fcntl.LOCK_UN); lock(file, fcntl.LOCK_EX)
        print('done')
        """, options)
    }

    @Test(arguments: [["--locks"], []]) func locksOfWholeFilesBelongToTheOpenFile(options: [String]) throws {
      try run(
        """
        one, two = open('f', 'w'), open('f', 'w')
        fcntl.flock(one, fcntl.LOCK_EX)
        assert said(lambda: fcntl.flock(two, fcntl.LOCK_EX | fcntl.LOCK_NB)) == 'EAGAIN'
        lock(two, fcntl.LOCK_EX)  # fcntl(2) knows nothing of flock(2)
        copy = os.dup(one.fileno()); one.close()
        assert said(lambda: fcntl.flock(two, fcntl.LOCK_SH | fcntl.LOCK_NB)) == 'EAGAIN'
        os.close(copy)
        fcntl.flock(two, fcntl.LOCK_EX)
        folder = os.open('.', os.O_RDONLY); fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB); os.close(folder)
        def other(wait, say):
          with open('f', 'w') as file: say('begins'); fcntl.flock(file, fcntl.LOCK_EX); say('has it')
        process, go, answer = child(other)
        assert answer() == 'begins'
        fcntl.flock(two, fcntl.LOCK_UN)
        assert answer() == 'has it'
        end(process)
        print('done')
        """, options)
    }

    /// Locks of open files (F_OFD_SETLK) end with the open file.
    @Test(arguments: [["--locks"], []]) func locksOfOpenFilesEndWithThem(options: [String]) throws {
      try run(
        """
        F_OFD_SETLK = 37
        def take(file): fcntl.fcntl(file, F_OFD_SETLK, struct.pack('hhqqi4x', fcntl.F_WRLCK, 0, 0, 0, 0))
        one, two = open('f', 'w'), open('f', 'w')
        take(one)
        assert said(lambda: take(two)) == 'EAGAIN'
        one.close(); take(two)
        print('done')
        """, options)
    }

    @Test(arguments: [["--locks"], []]) func twoWhoWaitForEachOtherAreTold(options: [String]) throws {
      try run(
        """
        def other(wait, say):
          file = open('f', 'r+'); lock(file, fcntl.LOCK_EX, 1, 1); say('begins')
          say(said(lambda: fcntl.lockf(file, fcntl.LOCK_EX, 1, 0)))
        file = open('f', 'w+'); lock(file, fcntl.LOCK_EX, 0, 1)
        process, go, answer = child(other)
        assert answer() == 'begins'
        # Whoever comes second is told; the other gets the lock.
        mine = said(lambda: fcntl.lockf(file, fcntl.LOCK_EX, 1, 1))
        if mine == 'EDEADLK': file.close()
        assert sorted([mine, answer()]) == ['EDEADLK', 'ok'], mine
        end(process)
        print('done')
        """, options)
    }

    @Test func aFaultHitsTheTakingOfALock() throws {
      let script = """
        file = open('f.db', 'w+'); other = open('g', 'w+')
        lock(other, fcntl.LOCK_EX)
        print(said(lambda: lock(file, fcntl.LOCK_EX)), said(lambda: fcntl.flock(file, fcntl.LOCK_EX)),
          said(lambda: fcntl.lockf(file, fcntl.LOCK_UN)), said(lambda: lock(file, fcntl.LOCK_SH)))
        """
      let mount = try FaultFSMount(["--locks", "--fault", "ENOLCK on lock of \"*.db\" times 2"])
      #expect(try mount.run("python3", ["-c", Self.beginning + script]).outputText == "ENOLCK ENOLCK ok ok\n")
      #expect(try mount.status().firings.map(\.rule) == ["fault-1", "fault-1"])
      let without = try FaultFSMount()
      #expect(
        try without.ask(.armText("ENOLCK on lock"))
          == .refused("fault 'fault-1': 'lock' does not come to this disk; mount with --locks"))
    }

    @Test func aPowerCutEndsTheWait() throws {
      let mount = try FaultFSMount(["--locks"])
      let script = """
        def other(wait, say):
          file = open('f', 'r+'); say('begins'); say(said(lambda: fcntl.lockf(file, fcntl.LOCK_EX)))
        file = open('f', 'w+'); lock(file, fcntl.LOCK_EX)
        process, go, answer = child(other)
        assert answer() == 'begins'
        import subprocess; blocked(process)
        subprocess.run([sys.argv[1], 'ctl', '.', 'power-cut'], check=True, stdout=subprocess.DEVNULL)
        print(answer()); end(process)
        """
      let program = try builtProgram("faultfs").description
      let result = try mount.run("python3", ["-c", Self.beginning + script, program])
      #expect(result.outputText + result.errorText == "EIO\n")
    }

    @Test(.enabled(if: access("/usr/bin/sqlite3", X_OK) == 0, "needs sqlite3"), arguments: ["delete", "wal"])
    func twoProcessesShareADatabase(mode: String) throws {
      let mount = try FaultFSMount(["--locks"])
      let script = """
        sqlite3 db 'PRAGMA journal_mode=\(mode); CREATE TABLE t (x)' > mode
        for n in $(seq 20); do
          for x in 1 2; do sqlite3 -cmd '.timeout 30000' db "INSERT INTO t VALUES ($x)" & done
          wait
        done
        sqlite3 db 'SELECT count(*), sum(x) FROM t; PRAGMA integrity_check'
        """
      let result = try mount.run("sh", ["-c", script])
      #expect(result.outputText + result.errorText == "40|60\nok\n")
      guard case .stats(let stats) = try mount.ask(.stats) else { throw MountFailure("no stats") }
      #expect(stats.operations[.lock] ?? 0 > 40)
    }
  }
}
