import Files
import Glibc
import Processes
import TestSupport
import Testing

extension MountTests {
  /// Real programs, nothing armed: on a mount they say and leave what they do in an ordinary directory.
  @Suite struct RealProgramsTests {
    /// A program at work: what it needs installed, and a script that ends with 0 and says the same everywhere.
    struct Work: CustomTestStringConvertible, Sendable {
      let name: String
      let needs: [String]
      /// A further condition, as a command.
      var condition = "true"
      let script: String
      var limitMilliseconds = 60_000
      var testDescription: String { name }

      /// True where everything that it needs is in PATH.
      var isPossible: Bool {
        let check = "for program in \"$@\"; do command -v \"$program\" || exit 1; done; \(condition)"
        return (try? Launch("sh", ["-c", check, "sh"] + needs).run(limitMilliseconds: 10_000).ending) == .exited(0)
      }
    }

    /// Skipped where a program is not installed, and says which works are left out for it.
    @Test(.enabled(if: leftOut.isEmpty, "not installed, so left out: \(leftOut.joined(separator: ", "))"))
    func nothingIsLeftOut() { #expect(RealProgramsTests.leftOut == []) }

    private static let leftOut = (works + longWorks).filter { !$0.isPossible }.map(\.name)

    @Test(arguments: works.filter(\.isPossible)) func behavesAsElsewhere(work: Work) throws {
      let elsewhere = try TemporaryDirectory("elsewhere")
      var launch = Launch("sh", ["-c", work.script])
      launch.workingDirectory = elsewhere.path.bytes
      let expected = try launch.run(limitMilliseconds: work.limitMilliseconds)
      let mount = try FaultFSMount()
      let result = try mount.run("sh", ["-c", work.script], limitMilliseconds: work.limitMilliseconds)
      #expect(expected.ending == .exited(0), "not even elsewhere: \(expected.outputText)\(expected.errorText)")
      #expect(result.ending == .exited(0), "\(result.outputText)\(result.errorText)")
      #expect(result.outputText == expected.outputText)
    }

    @Test(
      .enabled(if: getenv("LNOTE_LONG_PROGRAMS") != nil, "takes minutes; make nightly runs it"),
      arguments: longWorks.filter(\.isPossible))
    func behavesAsElsewhereForLong(work: Work) throws { try behavesAsElsewhere(work: work) }

    /// A database cluster of an ordinary user on the mount: made, used by two clients, killed, recovered, checked.
    @Test(
      .enabled(if: getenv("LNOTE_LONG_PROGRAMS") != nil, "takes a minute; make nightly runs it"),
      .enabled(if: PostgreSQL.programs != nil && SomebodyElse.canBe, "needs PostgreSQL, and root to become a user"))
    func holdsADatabaseOfPostgreSQL() throws {
      let directory = try TemporaryDirectory("postgres")
      _ = chmod(directory.text, 0o755)
      let sockets = directory.path.appending("s").description
      guard mkdir(sockets, 0o777) == 0, chmod(sockets, 0o777) == 0 else {
        throw FileCallError("mkdir", [directory.path], .current)
      }
      let mount = try FaultFSMount(["--allow-other"], in: directory)
      let result = try mount.run(
        "sh", ["-c", PostgreSQL.script, "sh", sockets, PostgreSQL.programs ?? ""], limitMilliseconds: 300_000)
      #expect(result.ending == .exited(0), "\(result.outputText)\(result.errorText)")
      let said = result.outputText.split(separator: "\n").suffix(3)
      #expect(said.first == "100000", "\(result.outputText)\(result.errorText)")
      #expect(said.dropFirst().first == "sums agree", "\(result.outputText)\(result.errorText)")
      #expect(said.last?.hasPrefix("Bad checksums:  0") == true, "\(result.outputText)\(result.errorText)")
    }

    static let works = [
      Work(
        name: "git", needs: ["git"],
        script: """
          set -e
          export HOME=$PWD GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_DATE='2001-01-01T00:00:00Z' GIT_COMMITTER_DATE='2001-01-01T00:00:00Z'
          git config --global user.name somebody; git config --global user.email a@b.c
          git config --global init.defaultBranch main; git config --global core.fsync all
          git init -q one; cd one
          for n in 1 2 3 4 5 6 7 8; do
            mkdir -p d$n; seq $((n * 500)) > d$n/numbers; git add .; git commit -qm "change $n"
          done
          git branch side; git mv d1 e1; git commit -qm moved
          git checkout -q side; echo more >> d2/numbers; git commit -qam more; git checkout -q main; git merge -q -m both side
          git gc -q --aggressive --prune=now; git repack -adq; git fsck --full --strict 2>&1
          cd ..; git clone -q one two; git -C two fsck --full 2>&1; git -C two rev-parse HEAD; git -C two status --short
          git -C two worktree add -q ../three side; git -C three log --format=%s; git -C one count-objects | cut -d' ' -f1
          """),
      Work(
        name: "sqlite3", needs: ["sqlite3"],
        script: """
          set -e
          for mode in delete truncate persist memory wal off; do
            db=$mode.db
            sqlite3 $db "pragma journal_mode=$mode; create table t(writer, number);"
            write() {
              n=0
              while [ $n -lt 40 ]; do
                sqlite3 -cmd '.timeout 30000' $db "begin immediate; insert into t values('$1', $n); commit;"
                n=$((n + 1))
              done
            }
            if [ $mode = off ] || [ $mode = memory ]; then write a; write b; else write a & write b & wait; fi
            sqlite3 $db "pragma integrity_check; select writer, count(*), sum(number) from t group by writer order by 1;"
          done
          """),
      Work(
        name: "make", needs: ["make", "cc"],
        script: """
          set -e
          printf 'int twice(int);\\n' > twice.h
          printf '#include "twice.h"\\nint twice(int n) { return 2 * n; }\\n' > twice.c
          printf '#include <stdio.h>\\n#include "twice.h"\\nint main(void) { printf("%%d\\\\n", twice(21)); return 0; }\\n' > main.c
          printf 'CC = cc\\nprogram: main.o twice.o\\n\\t$(CC) -o $@ $^\\n%%.o: %%.c twice.h\\n\\t$(CC) -c -o $@ $<\\n' > Makefile
          make -s -j2; ./program; make -s -q && echo "nothing to do"
          touch -d '+2 seconds' twice.h; make -s -q || echo "something to do"
          make -s -j2; ar rcs lib.a twice.o; ar t lib.a; rm main.o; make -s; ./program
          """),
      Work(
        name: "tar and find", needs: ["tar", "find", "gzip", "sort", "sha256sum"],
        script: """
          set -e
          mkdir -p tree/deep/er; seq 100000 > tree/numbers; head -c 2000000 /dev/zero > tree/deep/zeros
          truncate -s 3M tree/deep/er/hole; ln tree/numbers tree/deep/hard; ln -s ../numbers tree/deep/soft
          touch -d '2001-02-03 04:05:06.789' tree/numbers
          tar czSf tree.tgz tree; mkdir back; tar xzf tree.tgz -C back --strip-components=1
          diff -r --no-dereference tree back; find back -type f -newer back/numbers | sort
          find back -printf '%P %y %m %n %l\\n' | sort; (cd back; find . -type f -exec sha256sum {} + | sort -k2)
          tar cf - tree | tar df -
          """),
      Work(
        name: "rsync", needs: ["rsync"],
        script: """
          set -e
          mkdir -p a/b/c; seq 50000 > a/numbers; seq 10 > a/b/few; ln -s few a/b/link; ln a/numbers a/b/c/hard
          rsync -aH --inplace a/ one/; rsync -aH a/ two/; diff -r a one; diff -r a two
          echo more >> a/numbers; rm a/b/few; rsync -aH --delete a/ two/; diff -r --no-dereference a two
          rsync -aHc --itemize-changes a/ two/; find two -printf '%P %y %m %n\\n' | sort
          """),
    ]

    static let longWorks = [
      Work(
        name: "a Debian tree", needs: ["cp", "diff", "find"],
        script: """
          set -e
          cp -a /usr/lib/python3 there; cp -a there back; diff -r --no-dereference /usr/lib/python3 back
          look() { (cd "$1"; find . ! -type d -printf '%P %y %m %s %T@ %U %G %l\\n'; find . -type d -printf '%P %m %T@\\n') | sort; }
          look /usr/lib/python3 > wanted; look back > got; diff wanted got; rm -r there back; ls -A
          """, limitMilliseconds: 300_000),
      Work(
        name: "Python's own tests", needs: ["python3"], condition: "python3 -c 'import test.test_file'",
        script: """
          mkdir tmp; export TMPDIR=$PWD/tmp
          tests="test_file test_fileio test_tempfile test_shutil test_mmap test_glob test_zipfile test_dbm_dumb
            test_largefile test_pathlib test_os test_posix test_genericpath test_fcntl test_tarfile"
          for name in $tests; do
            (cd tmp; python3 -m test -q --tempdir "$TMPDIR" $name) > $name.log 2>&1
            echo "$name: $?"; grep -hE '^(FAIL|ERROR): ' $name.log | sort
          done
          """, limitMilliseconds: 1_200_000),
    ]
  }
}

/// Where PostgreSQL is, and what it is asked to do on a mount.
enum PostgreSQL {
  /// The directory of its programs; nil where it is not installed.
  static let programs: String? = {
    let look = """
      for place in /usr/lib/postgresql/*/bin $(dirname "$(command -v pg_ctl)"); do
        [ -x "$place/initdb" ] && [ -x "$place/pgbench" ] && [ -x "$place/pg_checksums" ] && echo "$place" && exit 0
      done
      exit 1
      """
    guard let result = try? Launch("sh", ["-c", look]).run(limitMilliseconds: 10_000), result.ending == .exited(0)
    else { return nil }
    return String(result.outputText.prefix { $0 != "\n" })
  }()

  /// Words: the directory of the socket, the directory of the programs. The server is ended in every case.
  static let script = """
    set -e
    sockets=$1; export PATH=$2:$PATH LC_ALL=C PGHOST=$1 PGUSER=somebody PGDATABASE=postgres
    chmod 755 .; mkdir -m 700 data; chown 65534:65534 data
    user() { setpriv --reuid 65534 --regid 65534 --clear-groups "$@"; }
    start() {
      user pg_ctl -D data -w -t 60 -l "$sockets/log" \\
        -o "-c listen_addresses='' -c unix_socket_directories='$sockets'" start > /dev/null || { cat "$sockets/log"; exit 1; }
    }
    trap 'user pg_ctl -D data -m immediate stop > /dev/null 2>&1 || true' EXIT
    user initdb -D data -A trust -U somebody --data-checksums --no-locale -E UTF8 > /dev/null
    start
    user pgbench -i -q > /dev/null 2>&1
    user pgbench -c 2 -T 5 > /dev/null 2>&1
    user pg_ctl -D data -m immediate stop > /dev/null
    start
    user psql -At -c 'select count(*) from pgbench_accounts'
    user psql -At -c "select case when (select sum(abalance) from pgbench_accounts) = (select sum(delta) from pgbench_history)
      and (select count(*) from pgbench_history) > 0 then 'sums agree' else 'sums differ' end"
    user pg_ctl -D data -m fast stop > /dev/null
    trap - EXIT
    user pg_checksums --check -D data | grep '^Bad checksums'
    """
}
