import Files
import LNoteFormat
import Processes
import TestSupport
import Testing

@Suite(.serialized) struct BenchProgramTests {
  private func bench(_ arguments: [String]) throws -> (status: ProcessEnding, text: String) {
    let result = try Launch(try builtProgram("lnote-bench").description, arguments).run(limitMilliseconds: 60_000)
    return (result.ending, result.outputText)
  }

  @Test func thePackageIsHealthyAndOfTheSizeAsked() throws {
    let directory = try TemporaryDirectory("bench")
    let (status, text) = try bench(["pages", "--count", "2", "--megabytes", "1", directory.path.description])
    #expect(status == .exited(0))
    let package = BytePath(text.split(separator: "\n").joined())
    let volume = try HostVolume(root: directory.path)
    let reading = DocumentRecord.read(try volume.readWhole(package.appending("document.json"), sizeMax: 1 << 20))
    #expect(reading.condition == .whole)
    let record = try #require(reading.record)
    #expect(record.pages.count == 2)
    for entry in record.pages {
      let bytes = try volume.readWhole(package.appending(PackageNames.page(entry.id)), sizeMax: 2 << 20)
      #expect((1_000_000..<1_006_000).contains(bytes.count))
      let verdict = PageReader.verify(bytes, expecting: entry.id)
      #expect(verdict.condition == .whole)
      #expect(verdict.elements.count == Int(entry.elementCount))
    }
  }

  @Test func theLibraryHasAsManyHealthyDocumentsAsAsked() throws {
    let directory = try TemporaryDirectory("bench")
    let (status, text) = try bench(["library", "--count", "5", directory.path.description])
    #expect(status == .exited(0) && text == "5\n")
    let volume = try HostVolume(root: directory.path)
    let names = try volume.entries(of: .root, countMax: 10).map(\.name)
    #expect(names.count == 5)
    for name in names {
      let reading = DocumentRecord.read(try volume.readWhole(name.appending("document.json"), sizeMax: 1 << 20))
      let record = try #require(reading.record)
      #expect(reading.condition == .whole && BytePath(PackageNames.package(record.id)) == name)
      #expect(record.pages.count == 3)
    }
  }

  @Test(arguments: [[], ["--sync-directory"]]) func savesLeaveOneFile(options: [String]) throws {
    let directory = try TemporaryDirectory("bench")
    let words = ["saves", "--size", "5000", "--count", "4"] + options + [directory.path.description]
    let (status, text) = try bench(words)
    #expect(status == .exited(0))
    #expect(text.wholeMatch(of: /elapsed [0-9]+ processor [0-9]+\n/) != nil)
    let volume = try HostVolume(root: directory.path)
    #expect(try volume.entries(of: .root, countMax: 10).map(\.name) == ["saved"])
    #expect(try volume.status(at: "saved").size == 5000)
  }

  @Test(arguments: ["plain", "numbers", "references"]) func stepsAreCounted(machine: String) throws {
    let (status, text) = try bench(["steps", "--machine", machine, "--count", "20"])
    #expect(status == .exited(0))
    #expect(text.wholeMatch(of: /steps [1-9][0-9]* processor [1-9][0-9]* cases 20\n/) != nil)
  }

  @Test func aFolderThatIsNotThereIsAMatterOfTheMachine() throws {
    #expect(try bench(["saves", "/nowhere/at/all"]).status == .exited(4))
  }
}
