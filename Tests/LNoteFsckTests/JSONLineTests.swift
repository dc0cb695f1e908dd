import Files
import JSON
import Processes
import TestSupport
import Testing

@testable import LNoteFsck

/// The lines of `--json` against their schema in Docs, read by an independent validator.
@Suite struct JSONLineTests {
  /// Prints "N: why" for each line of standard input that the schema refuses.
  static let validator = """
    import json, sys, jsonschema
    schema = json.load(open(sys.argv[1]))
    jsonschema.Draft202012Validator.check_schema(schema)
    check = jsonschema.Draft202012Validator(schema)
    for number, line in enumerate(sys.stdin.buffer):
        for error in list(check.iter_errors(json.loads(line)))[:1]:
            print(f"{number}: {error.message[:200]}")
    """

  /// Which of the lines the schema refuses, and why.
  static func refused(_ lines: [UInt8], by name: String = "fsck-lines") throws -> [Int: String] {
    let schema = repositoryRoot.appending("Docs/reference/\(name).schema.json").description
    let result = try Launch("python3", ["-c", validator, schema]).run(input: lines, limitMilliseconds: 120_000)
    #expect(result.ending == .exited(0), "\(result.errorText)")
    var refused: [Int: String] = [:]
    for line in result.outputText.split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 1)
      refused[try #require(Int(parts[0]))] = String(parts[1])
    }
    return refused
  }

  /// True where there is exactly one summary, last, with this exit status.
  static func endsWithItsSummary(_ lines: [JSONValue], exit: Int32) -> Bool {
    lines.count { $0["type"]?.string == "summary" } == 1 && lines.last?["type"]?.string == "summary"
      && lines.last?["exit"]?.integer == Int64(exit)
  }

  @Test func everyLineOfEveryDamageFitsTheSchema() throws {
    var bytes: [UInt8] = []
    for row in DamageCase.all {
      for mode in [RunReport.Mode.check, .plan(.automatic), .plan(.all), .repair(.automatic), .repair(.all)] {
        let bench = try Bench()
        try row.damage(bench)
        let run = bench.run(mode)
        let lines = JSONReport(run).bytes(milliseconds: 1234)
        #expect(JSONLineTests.endsWithItsSummary(try JSONLines.parse(lines), exit: run.exit.rawValue), "\(row.name)")
        bytes += lines
      }
    }
    let lines = bytes.split(separator: UInt8(ascii: "\n"))
    for (number, why) in try JSONLineTests.refused(bytes) {
      Issue.record("\(why): \(String(decoding: lines[number], as: UTF8.self))")
    }
  }

  @Test func theSchemaRefusesWhatLacksAFieldOrHasOneTooMany() throws {
    let bench = try Bench()
    try bench.damage(PackagePaths.page(Bench.pages[0])) { $0[200] ^= 1 }
    let lines = try JSONLines.parse(JSONReport(bench.run(.repair(.all))).bytes(milliseconds: 1))
    var wrong: [JSONValue] = []
    for line in lines {
      let fields = try #require(line.object)
      wrong.append(.object(fields.merging(["more": 1]) { $1 }))
      for name in ["type", "v", "code", "message", "package", "exit", "verdict", "left", "mode"]
      where fields[name] != nil && !(name == "code" && fields["type"] == "action") {
        wrong.append(.object(fields.filter { $0.key != name }))
        wrong.append(.object(fields.merging([name: .array([])]) { $1 }))
      }
    }
    let refused = try JSONLineTests.refused(wrong.flatMap { JSONLines.line($0) })
    #expect(wrong.indices.filter { refused[$0] == nil }.map { "\(wrong[$0])" } == [])
  }

  @Test func namesThatAreNoUTF8AreThereByteForByte() throws {
    let directory = try ProgramTests.folder { try $0.remove(PackagePaths.manifest) }
    let volume = try directory.volume()
    // "Schüler" in Latin-1, once around the document and once in it.
    let folder = BytePath(bytes: Array("Sch".utf8) + [0xFC] + Array("ler".utf8))
    try volume.rename("Notes", to: folder)
    let stray = folder.appending(Bench.package).appending(BytePath(bytes: [0xFF, 0x2E, 0x78]))
    try volume.make(stray, [1])
    let (status, text) = try ProgramTests.run(["--json", "."], in: directory)
    let lines = try JSONLines.parse(Array(text.utf8))
    #expect(JSONLineTests.endsWithItsSummary(lines, exit: status))
    #expect(try JSONLineTests.refused(Array(text.utf8)) == [:])
    let named = try #require(lines.first { $0["path_b64"] != nil })
    #expect(named["path_b64"]?.string == "/y54")
    let place = try Host.resolvedPath(of: directory.path).appending(folder).appending(Bench.package)
    #expect(named["package_b64"]?.string == base64(place.bytes))
  }

  static let endings: [(arguments: [String], verdict: String)] = [
    (["--json"], "usage"), (["--json", "--jsen"], "usage"), (["--js", "-j", "0", "Notes"], "usage"),
    (["--json", "nowhere"], "usage"), (["--json", "--explain", "LN3002"], "usage"), (["--json", "Notes"], "clean"),
    (["--json", "-y", "Notes"], "clean"),
  ]

  @Test(arguments: endings) func everyRunHasItsSummary(arguments: [String], verdict: String) throws {
    let (status, text) = try ProgramTests.run(arguments, in: ProgramTests.folder())
    let lines = try JSONLines.parse(Array(text.utf8))
    #expect(JSONLineTests.endsWithItsSummary(lines, exit: status))
    #expect(lines.last?["verdict"]?.string == verdict)
    #expect(try JSONLineTests.refused(Array(text.utf8)) == [:])
  }

  @Test func whatIsTakenBackCopiedDrawnOrAcceptedFitsTheSchema() throws {
    let directory = try ProgramTests.folder { bench in
      try bench.damage(PackagePaths.page(Bench.pages[0])) { $0 = Array($0.dropLast(33)) }
    }
    let package = "Notes/\(Bench.package)"
    let runs: [(arguments: [String], types: Set<String>)] = [
      (["-y", "--to", "Copy", "Notes"], ["start", "problem", "action", "verify", "summary"]),
      (["--render", "PDF", "Notes"], ["start", "problem", "drawing", "summary"]),
      (["-y", "Notes"], ["start", "problem", "action", "verify", "summary"]),
      (["--undo", package], ["start", "action", "summary"]),
      (["-y", "Notes"], ["start", "problem", "action", "verify", "summary"]),
      (["--accept-loss", "page-1", package], ["start", "action", "summary"]),
    ]
    for run in runs {
      let (status, text) = try ProgramTests.run(["--json"] + run.arguments, in: directory)
      let lines = try JSONLines.parse(Array(text.utf8))
      #expect(JSONLineTests.endsWithItsSummary(lines, exit: status), "\(run.arguments)")
      let types = Set(lines.compactMap { $0["type"]?.string })
      #expect(types.isSuperset(of: run.types), "\(run.arguments): \(text)")
      #expect(try JSONLineTests.refused(Array(text.utf8)) == [:], "\(text)")
    }
  }
}
