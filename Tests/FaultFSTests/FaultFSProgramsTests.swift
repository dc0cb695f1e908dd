import FileTracing
import Files
import Glibc
import Processes
import TestSupport
import Testing

extension MountTests {
  /// Programs that know nothing of faults run on a mount unharmed.
  @Suite struct FaultFSProgramsTests {
    @Test(arguments: VolumeContract.rules) func keepsTheContract(rule: VolumeContract.Rule) throws {
      let mount = try FaultFSMount()
      let subject = VolumeContract.Subject(
        volume: try mount.volume(),
        makeSymbolicLink: { target, path in
          guard symlink(target.description, mount.mountPoint.appending(path).description) == 0 else {
            throw MountFailure("symlink: \(Errno.current)")
          }
        },
        makeFIFO: { path in
          guard mkfifo(mount.mountPoint.appending(path).description, 0o600) == 0 else {
            throw MountFailure("mkfifo: \(Errno.current)")
          }
        })
      #expect(rule.violations(of: subject) == [])
    }

    @Test func copiesATreeThereAndBack() throws {
      let work = try TemporaryDirectory("tree")
      let script = """
        set -e
        mkdir -p "$1/tree/deep/er" "$1/tree/empty"
        printf 'one' > "$1/tree/a"; head -c 3000000 /dev/zero | tr '\\0' 'x' > "$1/tree/deep/big"
        printf 'caf\\303\\251' > "$1/tree/caf$(printf '\\303\\251')"; : > "$1/tree/none"
        printf 'bad name' > "$1/tree/$(printf 'b\\377d')"
        ln "$1/tree/a" "$1/tree/deep/hard"; ln -s ../a "$1/tree/deep/soft"; mkfifo "$1/tree/pipe"
        chmod 640 "$1/tree/a"; chmod 700 "$1/tree/deep"; touch -d '2001-02-03 04:05:06.123456789' "$1/tree/a" "$1/tree/deep"
        truncate -s 1M "$1/tree/sparse"
        cp -a "$1/tree" ./tree
        diff -r --no-dereference --exclude=pipe "$1/tree" tree
        cp -a tree "$1/back"
        diff -r --no-dereference --exclude=pipe "$1/tree" "$1/back"
        (cd "$1/tree" && find . -printf '%y %m %s %T@ %n %l %P\\n' | grep -av '^d.*\\.$' | sed 's/^\\(d [0-9]* \\)[0-9]*/\\1/' | sort) > "$1/before"
        (cd "$1/back" && find . -printf '%y %m %s %T@ %n %l %P\\n' | grep -av '^d.*\\.$' | sed 's/^\\(d [0-9]* \\)[0-9]*/\\1/' | sort) > "$1/after"
        diff "$1/before" "$1/after"
        rm -r tree; ls -A
        """
      let mount = try FaultFSMount()
      let result = try mount.run("sh", ["-c", script, "sh", work.text])
      #expect(result.errorText == "")
      #expect(result.outputText == "")
      #expect(result.ending == .exited(0))
    }

    @Test func servesPython() throws {
      let script = """
        import errno, fcntl, mmap, os
        with open('new', 'w+b') as f:
            f.truncate(100000)
            with mmap.mmap(f.fileno(), 0) as m:
                m[0:5] = b'hello'; m[70000:70005] = b'world'; m.flush()
        data = open('new', 'rb').read()
        assert (data[:5], data[70000:70005], len(data)) == (b'hello', b'world', 100000)
        os.rename('new', 'old'); assert os.listdir('.') == ['old']
        fd = os.open('once', os.O_CREAT | os.O_EXCL | os.O_WRONLY); os.write(fd, b'x' * 10); os.fsync(fd); os.close(fd)
        try: os.open('once', os.O_CREAT | os.O_EXCL | os.O_WRONLY); raise SystemExit('twice')
        except FileExistsError: pass
        for _ in range(3):
            with open('once', 'ab') as f: f.write(b'yy')
        assert open('once', 'rb').read() == b'x' * 10 + b'yyyyyy'
        f = open('gone', 'w+b'); f.write(b'still here'); f.flush(); os.unlink('gone')
        f.seek(0); assert f.read() == b'still here'; assert os.fstat(f.fileno()).st_nlink == 0; f.close()
        with open('once', 'r+b') as f:
            f.seek(4); f.write(b'MID'); f.seek(0); assert f.read(8) == b'xxxxMIDx'
        fcntl.flock(os.open('once', os.O_RDONLY), fcntl.LOCK_EX | fcntl.LOCK_NB)
        for n in range(500): open(f'many{n}', 'w').close()
        for n, name in enumerate(sorted(os.listdir('.'))):
            if name.startswith('many'): os.unlink(name)
        assert sorted(os.listdir('.')) == ['old', 'once']
        try: os.mkdir('n' * 256); raise SystemExit('too long')
        except OSError as e: assert e.errno == errno.ENAMETOOLONG
        try: os.getxattr('once', 'user.x'); raise SystemExit('xattr')
        except OSError as e: assert e.errno == errno.ENOTSUP
        dirfd = os.open('.', os.O_RDONLY); os.fsync(dirfd); os.close(dirfd)
        print('done')
        """
      let mount = try FaultFSMount()
      let result = try mount.run("python3", ["-c", script])
      #expect(result.outputText + result.errorText == "done\n")
    }

    @Test func keepsExtendedAttributesWhereAsked() throws {
      let script = """
        import os, errno
        open('f', 'w').close()
        os.setxattr('f', 'user.a', b'value'); os.setxattr('.', 'user.dir', b'')
        assert os.getxattr('f', 'user.a') == b'value' and os.getxattr('.', 'user.dir') == b''
        assert os.listxattr('f') == ['user.a'], os.listxattr('f')
        try: os.setxattr('f', 'user.a', b'', os.XATTR_CREATE); raise SystemExit('made twice')
        except OSError as e: assert e.errno == errno.EEXIST
        os.rename('f', 'g'); os.link('g', 'h')
        assert os.getxattr('h', 'user.a') == b'value'
        os.removexattr('h', 'user.a'); assert os.listxattr('g') == []
        try: os.getxattr('g', 'user.a'); raise SystemExit('still there')
        except OSError as e: assert e.errno == errno.ENODATA
        with open('g', 'w') as f: f.write('data')
        print('done')
        """
      let mount = try FaultFSMount(["--xattrs"])
      let result = try mount.run("python3", ["-c", script])
      #expect(result.outputText + result.errorText == "done\n")
    }

    @Test func listsADirectoryThatChanges() throws {
      // More names than one READDIR answer holds; what was there all the time is seen exactly once.
      let script = """
        import os
        os.mkdir('d')
        for n in range(3000): open(f'd/stays-{n:05}-{"x" * 40}', 'w').close()
        seen = []
        with os.scandir('d') as entries:
            for count, entry in enumerate(entries):
                seen.append(entry.name)
                if count % 10 == 0:
                    open(f'd/new-{count}', 'w').close()
                    if count: os.unlink(f'd/new-{count - 10}')
        stays = [name for name in seen if name.startswith('stays')]
        assert len(stays) == len(set(stays)) == 3000, (len(stays), len(set(stays)))
        print('done')
        """
      let mount = try FaultFSMount()
      let result = try mount.run("python3", ["-c", script])
      #expect(result.outputText + result.errorText == "done\n")
    }

    @Test func leavesNoHiddenFiles() throws {
      // D20: a file replaced while somebody reads it must not turn into `.fuse_hidden…`, whose maker then looks guilty.
      let mount = try FaultFSMount()
      let volume = try mount.volume()
      try volume.make("pages/p", text: "old")
      let reader = try volume.open("pages/p", for: .reading)
      try volume.make("pages/t", text: "new")
      try volume.rename("pages/t", to: "pages/p")
      var bytes = [UInt8](repeating: 0, count: 8)
      let count = try bytes.withUnsafeMutableBytes { try volume.read(reader, at: 0, into: $0) }
      #expect(bytes.prefix(count).elementsEqual("old".utf8))
      #expect(try volume.tree() == ["pages", "pages/p"])
      try volume.close(reader)
      #expect(try volume.tree() == ["pages", "pages/p"])
      #expect(try volume.bytes(of: "pages/p") == Array("new".utf8))
    }
  }
}
