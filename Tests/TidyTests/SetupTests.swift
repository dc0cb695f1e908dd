import Files
import Processes
import TestSupport
import Testing

/// What the set-up scripts decide by; the functions in Tools/setup-rules.sh, called with values.
@Suite(.serialized) struct SetupTests {
  private func call(_ words: String...) throws -> String {
    var launch = Launch("bash", ["-c", "source Tools/setup-rules.sh; \"$@\"", "bash"] + words)
    launch.workingDirectory = House.root.bytes
    let result = try launch.run(limitMilliseconds: 10_000)
    #expect(result.errorText == "")
    return result.outputText
  }

  static let compilers: [(said: String, judgement: String)] = [
    ("Swift version 6.3.1 (swift-6.3.1-RELEASE)\nTarget: x86_64-unknown-linux-gnu", "good"),
    ("Swift version 6.2 (swift-6.2-RELEASE)", "good"), ("Swift version 7.0-dev", "good"),
    ("Swift version 6.10", "good"), ("Swift version 6.1.2", "old"), ("Swift version 5.10", "old"),
    ("python-swiftclient 4.1.0", "other"), ("swift: error while loading shared libraries: libxml2.so.2", "other"),
    ("", "other"),
  ]

  @Test(arguments: compilers.indices) func judgesTheCompiler(row: Int) throws {
    let (said, judgement) = SetupTests.compilers[row]
    #expect(try call("swift_judgement", said) == judgement + "\n")
  }

  static let times: [(seconds: Int, progress: String, said: String)] = [
    (0, "", "about 5 minutes left"), (60, "", "about 4 minutes left"), (280, "", "about a minute left"),
    (60, "[60/70]", "about 3 minutes left"), (60, "[60/260]", "about 4 minutes left"),
    (120, "[110/410]", "about 6 minutes left"), (300, "[249/250]", "about a minute left"),
    (60, "[13/4000]", "about 4 minutes left"),
    (900, "", "about a minute left"),
  ]

  @Test(arguments: times.indices) func guessesTheTimeLeft(row: Int) throws {
    let (seconds, progress, said) = SetupTests.times[row]
    #expect(try call("time_left", "\(seconds)", progress, "200", "10") == said + "\n")
  }

  /// The whole script on a machine that is played by a few small programs.
  private func setUp(_ purpose: String, machine: [String: String]) throws -> ProgramResult {
    let tools = try TemporaryDirectory("machine")
    let volume = try tools.volume()
    for name in ["bash", "dirname", "sed", "head", "cat", "mktemp", "rm"] {
      try tools.makeSymbolicLink(to: BytePath("/usr/bin/" + name), at: BytePath(name))
    }
    for (name, script) in machine.sorted(by: { $0.key < $1.key }) {
      let file = try volume.open(BytePath(name), for: .creating(permissions: 0o755))
      try volume.writeWhole(file, Array("#!/usr/bin/bash\n\(script)\n".utf8))
      try volume.close(file)
    }
    var launch = Launch("/usr/bin/bash", ["Tools/setup.sh", purpose])
    launch.workingDirectory = House.root.bytes
    launch.environment = [("PATH", tools.text), ("CI", nil)]
    let result = try launch.run(limitMilliseconds: 20_000)
    return result
  }

  private static let swift = "echo 'Swift version 6.3.1 (swift-6.3.1-RELEASE)'"
  private static let allButFuse = """
    case "$3" in libfuse3-dev) exit 1 ;; *) echo -n installed ;; esac
    """

  @Test func isQuietWhereAllIsThere() throws {
    let result = try setUp("test", machine: ["swift": SetupTests.swift, "dpkg-query": "echo -n installed"])
    #expect(result.ending == .exited(0))
    #expect(result.outputText + result.errorText == "")
  }

  @Test func namesAndInstallsWhatIsMissing() throws {
    let machine = [
      "swift": SetupTests.swift, "dpkg-query": SetupTests.allButFuse, "id": "echo 1000", "sudo": "exec \"$@\"",
      "apt-get": "exit 0",
    ]
    let result = try setUp("test", machine: machine)
    #expect(result.ending == .exited(0))
    #expect(
      result.outputText == """
        These Debian packages are missing:
          libfuse3-dev           the file system that fails on purpose
        They would be installed with: sudo apt-get install -y --no-install-recommends libfuse3-dev
        Installed: libfuse3-dev

        """)
  }

  @Test func fetchesThePackageListsAndTriesAgain() throws {
    let fetched = try TemporaryDirectory("lists")
    let machine = [
      "swift": SetupTests.swift, "dpkg-query": SetupTests.allButFuse, "id": "echo 0",
      "apt-get": "[ \"$1\" = update ] && { echo > \(fetched.text)/lists; exit 0; }; [ -e \(fetched.text)/lists ]",
    ]
    #expect(try setUp("build", machine: machine).ending == .exited(0))
  }

  @Test func saysTheCommandWhereNobodyMayInstall() throws {
    let machine = ["swift": SetupTests.swift, "dpkg-query": SetupTests.allButFuse, "id": "echo 1000"]
    let result = try setUp("demo", machine: machine)
    #expect(result.ending == .exited(4))
    #expect(
      result.errorText == """
        Installing needs root, and there is no sudo here. As root, run:
            apt-get install -y --no-install-recommends libfuse3-dev

        """)
  }

  @Test func showsWhyInstallingFailed() throws {
    let machine = [
      "swift": SetupTests.swift, "dpkg-query": SetupTests.allButFuse, "id": "echo 0",
      "apt-get": "echo no network >&2; exit 100",
    ]
    let result = try setUp("demo", machine: machine)
    #expect(result.ending == .exited(4))
    #expect(result.errorText == "no network\nThe packages could not be installed; the lines above say why.\n")
  }

  @Test(arguments: [nil, "echo 'Swift version 5.8'", "echo python-swiftclient 4.1"])
  func saysWhereSwiftComesFrom(swift: String?) throws {
    let result = try setUp(
      "build", machine: ["dpkg-query": "echo -n installed"].merging(swift.map { ["swift": $0] } ?? [:]) { $1 })
    #expect(result.ending == .exited(4))
    #expect(result.errorText.contains("from https://www.swift.org/install/linux/\n"))
    #expect(result.errorText.contains("(Debian's own package \"swift\" is something else.)"))
  }

  @Test func refusesAnotherPurpose() throws {
    #expect(try setUp("everything", machine: [:]).ending == .exited(2))
  }

  @Test func givesAReasonForEachPackage() throws {
    for purpose in [
      "build", "demo", "test", "nightly", "bench", "known-answers", "scale-out-test", "dist", "dist-test",
    ] {
      let rows = try call("packages_for", purpose).split(separator: "\n")
      #expect(rows.count >= 10)
      for row in rows { #expect(row.split(separator: " ").count >= 2, "\(row)") }
    }
  }
}
