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
