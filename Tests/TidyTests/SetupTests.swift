import Processes
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
    (60, "[50/250]", "about 4 minutes left"), (120, "[100/400]", "about 6 minutes left"),
    (300, "[249/250]", "about a minute left"), (60, "[3/4000]", "about 4 minutes left"),
    (900, "", "about a minute left"),
  ]

  @Test(arguments: times.indices) func guessesTheTimeLeft(row: Int) throws {
    let (seconds, progress, said) = SetupTests.times[row]
    #expect(try call("time_left", "\(seconds)", progress) == said + "\n")
  }

  @Test func givesAReasonForEachPackage() throws {
    for purpose in ["build", "demo", "test", "bench"] {
      let rows = try call("packages_for", purpose).split(separator: "\n")
      #expect(rows.count >= 10)
      for row in rows { #expect(row.split(separator: " ").count >= 2, "\(row)") }
    }
  }
}
