import Files
import JSON
import Processes
import TestSupport
import Testing

/// The rules, held against the whole house.
struct HouseTests {
  static let exceptions = [
    BannedCalls.Exception(
      path: "Sources/JSON/JSONValue+Printing.swift", call: "print", reason: "a function of its own of that name")
  ]

  static let house = Result { try House() }

  private func expectNone(_ findings: [Finding]) {
    for finding in findings { Issue.record("\(finding)") }
  }

  @Test func filesAndFunctionsAreShort() throws {
    let house = try HouseTests.house.get()
    expectNone(house.sources.flatMap(LengthRules.functionFindings))
    expectNone(house.texts.filter { $0.isSource }.flatMap { LengthRules.fileFindings(path: $0.path, text: $0.text) })
  }

  @Test func whatOthersUseIsDocumented() throws {
    expectNone(try HouseTests.house.get().sources.flatMap(CommentRules.documentationFindings))
  }

  @Test func bannedCallsAreNotUsed() throws {
    let sources = try HouseTests.house.get().sources
    expectNone(sources.flatMap { BannedCalls.findings($0, exceptions: HouseTests.exceptions) })
    expectNone(BannedCalls.staleExceptions(HouseTests.exceptions, sources: sources))
  }

  @Test func looseEndsHaveAnIssue() throws {
    let texts = try HouseTests.house.get().texts.filter { !$0.path.hasPrefix("Tests/TidyTests/") }
    expectNone(texts.flatMap { CommentRules.looseEndFindings(path: $0.path, text: $0.text) })
  }

  @Test func nothingSpeaksOfTheWorkplace() throws {
    let texts = try HouseTests.house.get().texts
    expectNone(texts.flatMap { CommentRules.workplaceFindings(path: $0.path, text: $0.text) })
  }

  @Test func pagesLeadSomewhere() throws {
    let house = try HouseTests.house.get()
    let pages = house.texts.filter { $0.path.hasSuffix(".md") }
    expectNone(pages.flatMap { DocumentRules.linkFindings(path: $0.path, text: $0.text, exists: house.exists) })
    let texts = house.texts.filter { !$0.path.hasPrefix("Tests/TidyTests/Package") }
    expectNone(texts.flatMap { DocumentRules.mentionFindings(path: $0.path, text: $0.text, exists: house.exists) })
    expectNone(DocumentRules.decisionFindings(names: house.names(in: "Docs/inside/decisions")))
  }

  @Test func importsAreDeclaredAndPointDown() throws {
    let house = try HouseTests.house.get()
    let manifest = try HouseTests.manifest()
    #expect(manifest.targets.count > 30)
    expectNone(ImportRules.floorFindings(manifest) + ImportRules.wallFindings(manifest))
    let page = try #require(house.texts.first { $0.path == "Docs/inside/architecture.md" })
    expectNone(ImportRules.tableFindings(manifest, page: page.text))
    for target in manifest.targets where target.kind != "system" {
      let sources = house.sources.filter { $0.path.hasPrefix(target.path + "/") }
      expectNone(sources.flatMap { ImportRules.importFindings($0, of: target) })
      if !sources.isEmpty { expectNone(ImportRules.unusedFindings(sources, of: target)) }
    }
  }

  /// The manifest as the toolchain reads it; with a scratch path of its own, since the test run holds the usual one.
  private static func manifest() throws -> Manifest {
    let scratch = try TemporaryDirectory("manifest")
    var launch = Launch("swift", ["package", "--scratch-path", scratch.text, "dump-package"])
    launch.workingDirectory = House.root.bytes
    let result = try launch.run(limitMilliseconds: 120_000)
    #expect(result.ending.isSuccess, "\(result.errorText)")
    return try #require(Manifest(dump: result.output))
  }
}

/// The files of the package.
struct House {
  struct Text {
    let path: String
    let text: String
    var isSource: Bool { [".swift", ".c", ".h", ".py", ".sh"].contains { path.hasSuffix($0) } }
  }

  /// Where the package is, absolute.
  static let root = BytePath(#filePath).parent.parent.parent

  let texts: [Text]
  let sources: [SourceText]
  private let paths: Set<String>

  init() throws {
    let volume = try HostVolume(root: House.root)
    var texts: [Text] = []
    var paths: Set<String> = []
    var open: [BytePath] = [.root]
    while let folder = open.popLast() {
      for entry in try volume.entries(of: folder, countMax: 10_000) {
        let path = folder.appending(entry.name)
        if House.isGenerated(path.description) { continue }
        paths.insert(path.description)
        if entry.kind == .directory { open.append(path) }
        guard entry.kind == .regular else { continue }
        let bytes = try volume.readWhole(path, sizeMax: 16 << 20)
        guard let text = String(validating: bytes, as: UTF8.self) else { continue }
        texts.append(Text(path: path.description, text: text))
      }
    }
    self.texts = texts.sorted { $0.path < $1.path }
    self.paths = paths
    sources = self.texts.filter { $0.path.hasSuffix(".swift") && $0.path.contains("/") }
      .map { SourceText(path: $0.path, text: $0.text) }
  }

  /// True for the path of a file or folder of the package.
  func exists(_ path: String) -> Bool {
    paths.contains(path.hasSuffix("/") ? String(path.dropLast()) : path)
  }

  /// The names in a folder, sorted.
  func names(in folder: String) -> [String] {
    paths.filter { $0.hasPrefix(folder + "/") }.map { String($0.dropFirst(folder.count + 1)) }.sorted()
  }

  private static func isGenerated(_ path: String) -> Bool {
    [".git", ".build", ".swiftpm", "bin", "libexec", "dist", "demo-kept"].contains {
      path == $0 || path.hasPrefix($0 + "/")
    }
      || path.contains("__pycache__")
  }
}
