import Bytes
import Files
import JSON
import Processes
import TestSupport
import Testing

@testable import LNoteFormat

/// Tests/Fixtures/reader/lnote_reader.py shares no code with the codec; both must read the same.
@Suite struct IndependentReaderTests {
  private static let reader = repositoryRoot.appending("Tests/Fixtures/reader/lnote_reader.py").description

  private func read(_ arguments: [String], in directory: TemporaryDirectory) throws -> [JSONValue] {
    var launch = Launch("/usr/bin/python3", [IndependentReaderTests.reader] + arguments)
    launch.workingDirectory = directory.path.bytes
    let result = try launch.run(limitMilliseconds: 60_000)
    #expect(result.ending.isSuccess, "\(result.errorText)")
    return try result.output.split(separator: UInt8(ascii: "\n")).map { try JSONValue.parse(Array($0)) }
  }

  private func write(_ files: [(path: String, bytes: [UInt8])], folders: [String]) throws -> TemporaryDirectory {
    let directory = try TemporaryDirectory("reader")
    let volume = try directory.volume()
    for folder in folders { try volume.makeDirectory(BytePath(folder), permissions: 0o700) }
    for file in files {
      let opened = try volume.open(BytePath(file.path), for: .creating(permissions: 0o600))
      try volume.writeWhole(opened, file.bytes)
      try volume.close(opened)
    }
    return directory
  }

  @Test func aPackageReadsTheSame() throws {
    let pages = [Samples.page, otherPage]
    var files = pages.map { (path: "p.lnote/\(PackageNames.page($0.id))", bytes: $0.encoded()) }
    files.append(("p.lnote/document.json", Samples.fullDocument.encoded()))
    files.append(("p.lnote/manifest.json", Samples.fullManifest.encoded()))
    let directory = try write(files, folders: ["p.lnote", "p.lnote/pages"])
    let package = try #require(try read(["p.lnote"], in: directory).first)
    for page in pages { #expect(package["pages"]?["\(page.id).content"] == value(of: page)) }
    var document = Samples.fullDocument.fileMembers
    document["formatVersion"] = nil
    #expect(package["document"] == .object(document))
    var manifest = Samples.fullManifest.fileMembers
    manifest["formatVersion"] = nil
    #expect(package["manifest"] == .object(manifest))
  }

  @Test func damageIsFoundByBoth() throws {
    var random = SeededGenerator(seed: 21)
    var files: [(path: String, bytes: [UInt8])] = []
    for number in 0..<300 {
      var bytes = number % 2 == 0 ? Samples.page.encoded() : Samples.document.encoded()
      let offset = Int.random(in: bytes.indices, using: &random)
      switch number / 2 % 4 {
      case 0: bytes[offset] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 1: bytes.removeSubrange(offset..<min(bytes.count, offset + 1 + number % 5))
      case 2: bytes.insert(UInt8.random(in: 0...255, using: &random), at: offset)
      default: break
      }
      files.append(("\(number).\(number % 2 == 0 ? "content" : "json")", bytes))
    }
    let directory = try write(files, folders: [])
    let answers = try read(["--files"] + files.map(\.path), in: directory)
    #expect(answers.count == files.count)
    for (file, answer) in zip(files, answers) {
      let isWhole =
        file.path.hasSuffix("content")
        ? PageReader.verify(file.bytes).condition == .whole : DocumentRecord.read(file.bytes).condition == .whole
      #expect(isWhole == (answer["error"] == nil), "\(file.path): \(answer["error"]?.string ?? "whole")")
    }
  }

  @Test func aJournalReadsTheSameAndItsDamageIsFoundByBoth() throws {
    var random = SeededGenerator(seed: 22)
    var files = [(path: "whole.journal", bytes: JournalTests.whole)]
    for number in 0..<150 {
      var bytes = JournalTests.whole
      let offset = Int.random(in: bytes.indices, using: &random)
      switch number % 4 {
      case 0: bytes[offset] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 1: bytes.removeSubrange(offset..<min(bytes.count, offset + 1 + number % 5))
      case 2: bytes.insert(UInt8.random(in: 0...255, using: &random), at: offset)
      default: bytes.removeSubrange((JournalTests.ends.last { $0 <= offset } ?? 0)...)
      }
      files.append(("\(number).journal", bytes))
    }
    let directory = try write(files, folders: [])
    let answers = try read(["--files"] + files.map(\.path), in: directory)
    #expect(answers.count == files.count)
    for (file, answer) in zip(files, answers) {
      let reading = JournalReader.read(file.bytes)
      guard reading.verdict.condition == .whole, let header = reading.verdict.header else {
        #expect(answer["error"] != nil, "\(file.path)")
        continue
      }
      #expect(
        answer == [
          "page": .string("\(header.page)"), "base": JSONValue(header.base),
          "baseChecksum": JSONValue(header.baseChecksum), "changes": .array(reading.changes.map(value(of:))),
        ], "\(file.path)")
    }
  }

  private func value(of change: JournalChange) -> JSONValue {
    switch change {
    case .add(let element): value(of: element)
    case .remove(let id): ["type": 16, "id": .string("\(id)")]
    case .replace(let id, let element): ["type": 17, "id": .string("\(id)"), "with": value(of: element)]
    case .unknown(let type): ["type": JSONValue(type), "payload": "deadbeef00"]
    }
  }

  private var otherPage: PageSnapshot {
    var page = Samples.page(strokes: 9, samples: 11, generation: UInt64(Int64.max))
    page.id = Samples.element(10)
    return page
  }

  private func value(of page: PageSnapshot) -> JSONValue {
    [
      "id": .string("\(page.id)"), "generation": JSONValue(page.generation),
      "canvas": [JSONValue(page.canvas.width), JSONValue(page.canvas.height)],
      "created": JSONValue(page.created.milliseconds), "modified": JSONValue(page.modified.milliseconds),
      "elements": .array(page.elements.map(value(of:))),
    ]
  }

  private func value(of element: PageElement) -> JSONValue {
    switch element {
    case .stroke(let stroke):
      return [
        "type": 1, "id": .string("\(stroke.id)"), "pen": JSONValue(stroke.pen),
        "rgba": .string(Hex.text(of: stroke.colour)), "radius": JSONValue(stroke.baseRadius),
        "samples": .array(
          stroke.samples.map {
            [JSONValue($0.x), JSONValue($0.y), JSONValue($0.radius), JSONValue($0.pressure), JSONValue($0.time)]
          }),
      ]
    case .image(let image):
      let digest = NoteID(high: image.assetDigest.high, low: image.assetDigest.low).bytes
      return [
        "type": 2, "id": .string("\(image.id)"), "asset": .string("\(image.asset)"),
        "frame": [JSONValue(image.x), JSONValue(image.y), JSONValue(image.width), JSONValue(image.height)],
        "rotation": JSONValue(image.rotation), "assetLength": JSONValue(image.assetLength),
        "assetDigest": .string(Hex.text(of: digest)),
      ]
    case .unknown(let element):
      return ["type": JSONValue(element.type), "payload": .string(Hex.text(of: element.payload))]
    }
  }
}
