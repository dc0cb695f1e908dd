import FileTracing
import Files
import Processes
import TestSupport
import Testing

extension MountTests {
  /// Extended attributes on a mount with `--xattrs`, and faults that hit them.
  @Suite struct FaultFSAttributesTests {
    /// What a Python script prints on a mount with these options.
    private static func said(_ script: String, _ options: [String]) throws -> String {
      let mount = try FaultFSMount(options)
      let result = try mount.run("python3", ["-c", "import errno, os\n" + script])
      #expect(try mount.status().firings.count == options.count { $0 == "--fault" })
      return result.outputText + result.errorText
    }

    private static let script = """
      def said(call):
        try: return call()
        except OSError as error: return errno.errorcode[error.errno]
      for name in ('a.page', 'a.text'):
        open(name, 'w').close()
        os.setxattr(name, 'user.old', b'old') if name == 'a.text' else None
        print(name, said(lambda: os.setxattr(name, 'user.a', b'x')), said(lambda: os.getxattr(name, 'user.a')),
          said(lambda: os.listxattr(name)), said(lambda: os.removexattr(name, 'user.a')),
          said(lambda: os.listxattr(name)))
      """
    private static let ofText = "a.text None b'x' ['user.a', 'user.old'] None ['user.old']\n"

    static let faults: [(fault: String, page: String)] = [
      ("EIO on setxattr of \"*.page\" nth 1", "a.page EIO ENODATA [] ENODATA []\n"),
      ("ENOSPC on setxattr of \"*.page\" nth 1 after", "a.page ENOSPC b'x' ['user.a'] None []\n"),
      ("EIO on getxattr of \"*.page\" nth 1", "a.page None EIO ['user.a'] None []\n"),
      ("EACCES on listxattr of \"*.page\" nth 1", "a.page None b'x' EACCES None []\n"),
      ("EIO on removexattr of \"*.page\" nth 1", "a.page None b'x' ['user.a'] EIO ['user.a']\n"),
    ]

    @Test(arguments: faults) func aFaultHitsTheCallItNames(row: (fault: String, page: String)) throws {
      #expect(try Self.said(Self.script, ["--xattrs", "--fault", row.fault]) == row.page + Self.ofText)
    }

    @Test func withoutFaultsNothingFails() throws {
      #expect(try Self.said(Self.script, ["--xattrs"]) == "a.page None b'x' ['user.a'] None []\n" + Self.ofText)
    }

    /// The kernel asks for file capabilities at every first write; that is nobody's call.
    @Test func theKernelsOwnQuestionsAreNoOperations() throws {
      let mount = try FaultFSMount(["--xattrs", "--fault", "EIO on getxattr or listxattr"])
      #expect(try mount.run("sh", ["-c", "echo text > f; cat f; chmod 600 f; mv f g"]).outputText == "text\n")
      #expect(try mount.status().firings.isEmpty)
    }

    /// In with --from, along with cp, out with --export; a mount without --xattrs leaves them where they are.
    @Test(.enabled(if: HostAttributes.areThere, "needs user.* attributes where temporary files are"))
    func theyGoInAndOut() throws {
      for hasAttributes in [true, false] { try goInAndOut(hasAttributes: hasAttributes) }
    }

    private func goInAndOut(hasAttributes: Bool) throws {
      let work = try TemporaryDirectory("attributes")
      let (source, after) = (work.path.appending("source").description, work.path.appending("after").description)
      let make = """
        import os, sys
        os.makedirs(sys.argv[1] + '/d'); open(sys.argv[1] + '/d/f', 'w').close()
        os.setxattr(sys.argv[1] + '/d', 'user.d', b'of d'); os.setxattr(sys.argv[1] + '/d/f', 'user.f', b'\\x00\\xff')
        os.chmod(sys.argv[1] + '/d/f', 0o400)
        """
      let made = try Launch("python3", ["-c", make, source]).run(limitMilliseconds: 30_000)
      #expect(made.ending == .exited(0), "\(made.errorText)")
      let mount = try FaultFSMount(["--from", source, "--export", after] + (hasAttributes ? ["--xattrs"] : []))
      let copied = try mount.run("cp", ["-a", "d", "e"])
      #expect(copied.ending == .exited(0) && copied.errorText == "")
      mount.server.closeInput()
      #expect(try mount.server.wait(milliseconds: 20_000) == .exited(0))
      let tell = "import os\nfor p in ('d', 'd/f', 'e', 'e/f'): print({n: os.getxattr(p, n) for n in os.listxattr(p)})"
      var launch = Launch("python3", ["-c", tell])
      launch.workingDirectory = Array(after.utf8)
      let (ofDirectory, ofFile) = hasAttributes ? ("{'user.d': b'of d'}", "{'user.f': b'\\x00\\xff'}") : ("{}", "{}")
      let expected = [ofDirectory, ofFile, ofDirectory, ofFile].map { $0 + "\n" }.joined()
      #expect(try launch.run(limitMilliseconds: 30_000).outputText == expected)
    }

    static let missing: [(fault: String, sentence: String)] = [
      ("EIO on setxattr", "'setxattr' does not come to this disk; mount with --xattrs"),
      ("EIO on write or listxattr", "'listxattr' does not come to this disk; mount with --xattrs"),
      ("EIO on sync", "'sync' does not come to this disk; mount with --see-sync"),
    ]

    @Test(arguments: missing) func whatNeverComesIsRefused(row: (fault: String, sentence: String)) throws {
      let program = try builtProgram("faultfs").description
      let result = try Launch(program, ["run", "--fault", row.fault, "true"]).run(limitMilliseconds: 30_000)
      #expect(result.ending == .exited(125))
      #expect(result.errorText.contains(row.sentence), "\(result.errorText)")
      let mount = try FaultFSMount()
      #expect(try mount.ask(.armText(row.fault)) == .refused("fault 'fault-1': \(row.sentence)"))
      let wait = ControlWait.operation(String(row.fault.dropFirst("EIO on ".count)), since: nil)
      #expect(try mount.ask(.wait(wait, milliseconds: 1000)) == .refused(row.sentence))
    }
  }
}

/// Whether the file system of temporary files keeps extended attributes of users; not every one does.
private enum HostAttributes {
  static let areThere: Bool = {
    do {
      let directory = try TemporaryDirectory("attributes")
      defer { withExtendedLifetime(directory) {} }
      let volume = try directory.volume()
      let root = try volume.open(.root, for: .directory)
      defer { try? volume.close(root) }
      try volume.setExtendedAttribute("user.probe", of: root, to: [])
      return true
    } catch {
      return false
    }
  }()
}
