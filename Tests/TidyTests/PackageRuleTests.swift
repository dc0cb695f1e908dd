import Testing

/// The rules about targets and pages, on manifests and texts handed in.
struct PackageRuleTests {
  private func target(_ name: String, _ dependencies: Set<String>, path: String? = nil) -> Manifest.Target {
    Manifest.Target(name: name, kind: "regular", path: path ?? "Sources/\(name)", dependencies: dependencies)
  }

  @Test func readsADump() throws {
    let dump = """
      {"name":"x","targets":[
        {"name":"Bytes","type":"regular","dependencies":[{"byName":["CISAL",null]}]},
        {"name":"BytesTests","type":"test","dependencies":[]},
        {"name":"CGetopt","type":"regular","path":"Tests/CGetopt","dependencies":[]}]}
      """
    let manifest = try #require(Manifest(dump: Array(dump.utf8)))
    #expect(
      manifest.targets == [
        target("Bytes", ["CISAL"]),
        Manifest.Target(name: "BytesTests", kind: "test", path: "Tests/BytesTests", dependencies: []),
        target("CGetopt", [], path: "Tests/CGetopt"),
      ])
    #expect(Manifest(dump: Array("{}".utf8)) == nil)
  }

  static let floors: [(name: String, dependencies: Set<String>, count: Int)] = [
    ("Bytes", ["CISAL", "CXXHash"], 0), ("FileTracing", ["Bytes", "Files", "JSON"], 0), ("Bytes", ["Files"], 1),
    ("Bytes", ["Harness"], 1), ("Bytes", ["Bytes"], 1), ("Unknown", [], 1), ("Bytes", ["Unknown"], 1),
    ("CISAL", ["Bytes", "Files"], 2),
  ]

  @Test(arguments: floors.indices) func targetsUseLowerFloorsOnly(row: Int) {
    let (name, dependencies, count) = PackageRuleTests.floors[row]
    #expect(ImportRules.floorFindings(Manifest(targets: [target(name, dependencies)])).count == count)
    let asTest = target(name, dependencies, path: "Tests/\(name)")
    #expect(ImportRules.floorFindings(Manifest(targets: [asTest])) == [])
  }

  @Test func thePageSaysWhatTheManifestSays() {
    let manifest = Manifest(targets: [target("Bytes", ["CXXHash", "CISAL"]), target("CISAL", [])])
    let whole = "| floor | target | what | imports |\n| 1 | Bytes | x | CISAL, CXXHash |\n| 0 | CISAL | y | – |\n"
    #expect(ImportRules.tableFindings(manifest, page: whole) == [])
    let old = "| 1 | Bytes | x | CISAL |\n| 0 | CISAL | y | – |\n"
    #expect(ImportRules.tableFindings(manifest, page: old).count == 1)
    #expect(ImportRules.tableFindings(manifest, page: "").count == 2)
  }

  @Test func theJudgeSharesNothingWithTheAccused() {
    let apart = [target("LNoteFsck", ["LNoteFormat"]), target("LNoteFormat", ["Bytes"]), target("LNoteStore", [])]
    #expect(ImportRules.wallFindings(Manifest(targets: apart)) == [])
    let near = [target("LNoteFsck", ["Between"]), target("Between", ["LNoteStore"])]
    #expect(ImportRules.wallFindings(Manifest(targets: near)).map(\.message) == ["LNoteFsck must not reach LNoteStore"])
  }

  static let imports: [(text: String, modules: [String])] = [
    ("import Bytes", []), ("import Glibc\nimport Synchronization", []), ("import Files", ["Files"]),
    ("@testable import Files", ["Files"]), ("package import struct Files.BytePath", ["Files"]),
    ("// import Files\nlet a = \"import Files\"", []), ("important(Files)", []), ("  import CPosix", ["CPosix"]),
  ]

  @Test(arguments: imports.indices) func importsAreDeclared(row: Int) {
    let (text, modules) = PackageRuleTests.imports[row]
    let found = ImportRules.importFindings(SourceText(path: "a.swift", text: text), of: target("Room", ["Bytes"]))
    #expect(found.map(\.message) == modules.map { "Room does not declare \($0) in Package.swift" })
  }

  @Test func dependenciesAreUsed() {
    let sources = [SourceText(path: "a.swift", text: "import Bytes\n")]
    #expect(ImportRules.unusedFindings(sources, of: target("Room", ["Bytes"])) == [])
    #expect(ImportRules.unusedFindings(sources, of: target("Room", ["Bytes", "Files"])).count == 1)
  }

  static let links: [(text: String, lines: [Int])] = [
    ("[a](notes/README.md)", []), ("[a](../README.md)\n[b](gone.md)", [2]), ("[a](notes/README.md#part)", []),
    ("[a](#part) [b](https://swift.org/x) [c](mailto:a@b)", []), ("[a](../../README.md)", [1]),
    ("[a](gone.md) [b](gone-too.md)", [1, 1]), ("[a](./notes/)", []), ("a[1](x: 2)", []),
  ]

  @Test(arguments: links.indices) func linksLeadSomewhere(row: Int) {
    let (text, lines) = PackageRuleTests.links[row]
    let there: Set<String> = ["README.md", "Docs/notes", "Docs/notes/README.md"]
    let found = DocumentRules.linkFindings(path: "Docs/page.md", text: text) {
      there.contains($0.hasSuffix("/") ? String($0.dropLast()) : $0)
    }
    #expect(found.map(\.line) == lines)
  }

  static let mentions: [(text: String, lines: [Int])] = [
    ("/// Source: Docs/reference/format.md.", []), ("see Docs/gone.md", [1]), ("(Docs/gone)", [1]),
    ("xDocs/gone.md ../Docs/gone.md", []), ("a\nDocs/reference", []),
  ]

  @Test(arguments: mentions.indices) func pagesNamedAreThere(row: Int) {
    let (text, lines) = PackageRuleTests.mentions[row]
    let there: Set<String> = ["Docs/reference", "Docs/reference/format.md"]
    let found = DocumentRules.mentionFindings(path: "a.swift", text: text) { there.contains($0) }
    #expect(found.map(\.line) == lines)
  }

  @Test func decisionsHaveANumberEach() {
    #expect(DocumentRules.decisionFindings(names: ["001-one-disk.md", "002-two-doors.md"]) == [])
    let found = DocumentRules.decisionFindings(names: ["001-a.md", "001-b.md", "b.md", "03-c.md", "004-C.md"])
    #expect(
      found.map { $0.path.dropFirst("Docs/inside/decisions/".count) } == [
        "b.md", "03-c.md", "004-C.md", "001-a.md", "001-b.md",
      ])
  }
}
