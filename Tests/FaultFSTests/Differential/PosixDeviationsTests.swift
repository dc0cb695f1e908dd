import CKernelCalls
import FileTracing
import Files
import Glibc
import TestSupport
import Testing

extension MountTests {
  /// What Docs/your-program/posix.md says is different from a disk: one row there, one row here.
  @Suite struct PosixDeviationsTests {
    /// The first cell of a row of the page, and what a mount is seen to do.
    struct Deviation: CustomTestStringConvertible, Sendable {
      let row: String
      /// Options of the mount; with any, root is needed.
      var options: [String] = []
      let expected: String
      let look: @Sendable (FaultFSMount) throws -> String
      var testDescription: String { row }
    }

    @Test(arguments: deviations.filter { $0.options.isEmpty || geteuid() == 0 })
    func isAsThePageSays(deviation: Deviation) throws {
      let seen = try deviation.look(try FaultFSMount(deviation.options))
      #expect(seen == deviation.expected)
    }

    @Test func everyRowOfThePageIsTried() throws {
      let page = try HostVolume(root: repositoryRoot).bytes(of: "Docs/your-program/posix.md")
      let rows = String(decoding: page, as: UTF8.self).split(separator: "\n").filter { $0.hasPrefix("| ") }
        .compactMap { $0.split(separator: "|").first.map { $0.drop { $0 == " " } } }
        .map { String($0.reversed().drop { $0 == " " }.reversed()) }
      #expect(rows.dropFirst() == Self.deviations.map(\.row)[...])
    }

    static let deviations: [Deviation] = [
      Deviation(row: "access times", expected: "4 then accessed 1000") { mount in
        try withFile(mount, text: "text") { descriptor, _ in
          setTimes(descriptor)
          var bytes = [UInt8](repeating: 0, count: 10)
          return "\(pread(descriptor, &bytes, 10, 0)) then accessed \(status(descriptor).st_atim.tv_sec)"
        }
      },
      Deviation(row: "times of a FIFO", expected: "1 then modified 1000") { mount in
        let path = mount.mountPoint.appending("fifo").description
        guard mkfifo(path, 0o600) == 0 else { return Errno.current.name }
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        defer { close(descriptor) }
        setTimes(descriptor)
        return "\(write(descriptor, "x", 1)) then modified \(status(descriptor).st_mtim.tv_sec)"
      },
      Deviation(row: "a mapped write", expected: "modified 1000, later now") { mount in
        try withFile(mount, text: "text") { descriptor, _ in
          guard let map = mmap(nil, 4, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0), map != MAP_FAILED else {
            return Errno.current.name
          }
          defer { munmap(map, 4) }
          setTimes(descriptor)
          map.storeBytes(of: 7, as: UInt8.self)
          let before = status(descriptor).st_mtim.tv_sec
          guard msync(map, 4, CInt(MS_SYNC)) == 0 else { return Errno.current.name }
          return "modified \(before), later \(status(descriptor).st_mtim.tv_sec > 1000 ? "now" : "the same")"
        }
      },
      Deviation(row: "`O_TMPFILE`", expected: "ENOTSUP") { mount in
        let descriptor = open(mount.mountPoint.description, ckernel_O_TMPFILE | O_RDWR | O_CLOEXEC, 0o600)
        defer { close(descriptor) }
        return descriptor < 0 ? Errno.current.name : "opened"
      },
      Deviation(row: "`RENAME_WHITEOUT`", expected: "EINVAL") { mount in
        try withFile(mount, text: "") { _, path in
          told(ckernel_renameat2(AT_FDCWD, path, AT_FDCWD, path + "-moved", 4))
        }
      },
      Deviation(row: "`SEEK_DATA` on a directory", expected: "ENXIO") { mount in
        let descriptor = open(mount.mountPoint.description, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { close(descriptor) }
        return told(lseek(descriptor, 0, ckernel_SEEK_DATA))
      },
      Deviation(
        row: "`FALLOC_FL_COLLAPSE_RANGE`, `INSERT_RANGE`", expected: "ENOTSUP, ENOTSUP"
      ) { mount in
        try withFile(mount, text: String(repeating: "x", count: 12_288)) { descriptor, _ in
          [0x08, 0x20].map { told(ckernel_fallocate(descriptor, $0, 4096, 4096)) }.joined(separator: ", ")
        }
      },
      Deviation(row: "`st_blocks`", expected: "2 blocks for 1000 bytes") { mount in
        try withFile(mount, text: String(repeating: "x", count: 1000)) { descriptor, _ in
          "\(status(descriptor).st_blocks) blocks for 1000 bytes"
        }
      },
      Deviation(row: "extended attributes", expected: "ENOTSUP") { mount in
        try withFile(mount, text: "") { _, path in told(ckernel_setxattr(path, "user.a", "x", 1, 0)) }
      },
      Deviation(row: "a file without a name, open with `O_PATH` only", expected: "size 4, then ESTALE") { mount in
        let path = try withFile(mount, text: "text") { _, path in path }
        let descriptor = open(path, ckernel_O_PATH | O_CLOEXEC)
        defer { close(descriptor) }
        guard unlink(path) == 0 else { return Errno.current.name }
        let again = open("/proc/self/fd/\(descriptor)", O_RDONLY | O_CLOEXEC)
        let answer = again < 0 ? Errno.current.name : "opened"
        if again >= 0 { close(again) }
        return "size \(status(descriptor).st_size), then \(answer)"
      },
      Deviation(row: "chown(2) to nobody in particular", options: ["--allow-other"], expected: "done") { mount in
        try withFile(mount, text: "text") { descriptor, _ in
          try onOwnThread {
            guard fchmod(descriptor, 0o2646) == 0, ckernel_become(65534, 65534, 65534) == 0 else {
              return Errno.current.name
            }
            return told(fchown(descriptor, .max, .max))
          }
        }
      },
      // A socket, since `fs.protected_regular` may be off: a disk says EACCES before it says ENXIO.
      Deviation(row: "`O_CREAT` in a sticky directory", expected: "ENXIO") { mount in
        let path = mount.mountPoint.appending("socket").description
        guard chmod(mount.mountPoint.description, 0o1777) == 0, mknod(path, S_IFSOCK | 0o666, 0) == 0,
          geteuid() != 0 || chown(path, 65534, 65534) == 0
        else { return Errno.current.name }
        return told(open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600))
      },
      Deviation(row: "sync(2), syncfs(2)", expected: "done, then nothing is left") { mount in
        let answer = try withFile(mount, text: "text") { descriptor, _ in
          sync()
          return told(ckernel_syncfs(descriptor))
        }
        guard try mount.ask(.powerCut(.keepNone)) == .done, try mount.ask(.restart) == .done else {
          return "no power cut"
        }
        let left = try mount.volume().entries(of: .root, countMax: 10)
        return "\(answer), then \(left.isEmpty ? "nothing" : "\(left)") is left"
      },
    ]

    /// Makes a file with the text and looks at its descriptor and its path.
    private static func withFile(
      _ mount: FaultFSMount, text: String, _ body: (CInt, String) throws -> String
    ) throws -> String {
      let path = mount.mountPoint.appending("file").description
      let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
      guard descriptor >= 0, pwrite(descriptor, text, text.utf8.count, 0) == text.utf8.count else {
        throw FileCallError("open", [mount.mountPoint], .current)
      }
      defer { close(descriptor) }
      return try body(descriptor, path)
    }

    /// Both times to a second long ago.
    private static func setTimes(_ descriptor: CInt) {
      _ = futimens(descriptor, [timespec(tv_sec: 1000, tv_nsec: 0), timespec(tv_sec: 1000, tv_nsec: 0)])
    }

    private static func status(_ descriptor: CInt) -> stat {
      var status = stat()
      _ = fstat(descriptor, &status)
      return status
    }

    private static func told(_ result: some BinaryInteger) -> String { result < 0 ? Errno.current.name : "done" }
  }
}
