import Files
import JSON
import LNoteFormat
import TestSupport
import Testing

@testable import LNoteStore

@Suite struct WireTests {
  static let page = Stage.name(1)
  static let commands: [StoreCommand] = [
    .createDocument(Stage.document, title: "Ä \"1\"\n"), .open(Stage.document), .close(Stage.document),
    .letGo(Stage.document), .addPage(page, canvas: Stage.canvas, at: nil), .addPage(page, canvas: Stage.canvas, at: 3),
    .deletePage(page), .movePage(page, to: 2), .addStroke(page, Stage.stroke(1)),
    .addStroke(
      page,
      Stroke(
        id: Stage.element(2), pen: 255, colour: .max, baseRadius: .max,
        samples: [StrokeSample(x: .min, y: .max, radius: .max, pressure: .max, time: .max)])),
    .erase(page, element: Stage.element(1), pieces: []),
    .erase(page, element: Stage.element(1), pieces: [Stage.stroke(2), Stage.stroke(3)]),
    .moveElement(page, element: Stage.element(1), dx: .min, dy: .max), .deleteElement(page, element: Stage.element(1)),
    .insertImage(page, Stage.placement(1), jpeg: Stage.jpeg), .insertImage(page, Stage.placement(1), jpeg: []),
    .setTitle(Stage.document, ""), .advance(milliseconds: 600), .advanceUntilSaved, .background, .foreground, .list,
    .readPage(page), .undo(Stage.document), .redo(Stage.document),
  ]

  @Test func commandsComeBackAsTheyWere() throws {
    for (place, command) in Self.commands.enumerated() {
      let numbered = NumberedCommand(UInt64(place) + 1, command)
      let line = numbered.wireValue.serialized()
      #expect(try NumberedCommand.reading(wire: JSONValue.parse(line)) == numbered, "\(command.word)")
    }
    #expect(Set(Self.commands.map(\.word)).count == 21)
  }

  @Test func aStrokeOnTheWire() {
    let command = NumberedCommand(7, .addStroke(Self.page, Stage.stroke(1, points: 2)))
    #expect(
      String(decoding: command.wireValue.serialized(), as: UTF8.self)
        == #"{"do":"add-stroke","document":"00000000-0000-0D0C-0000-000000000001","number":7,"#
        + #""page":"00000000-0000-AA6E-0000-000000000001","stroke":{"baseRadius":12,"colour":287454207,"#
        + #""id":"00000000-0000-0E1E-0000-000000000001","pen":1,"samples":[0,1,12,500,0,10,1,12,500,8]}}"#)
  }

  @Test func answersComeBackAsTheyWere() throws {
    let image = PlacedImage(
      id: Stage.element(1), asset: Stage.asset(1), x: -1, y: 2, width: 3, height: 4, rotation: -90_000,
      assetLength: 5, assetDigest: AssetDigest(high: .max, low: 1))
    let manifest = ManifestRecord(
      id: Stage.document, title: "A", modified: Stage.now, pageCount: 1, coverPage: nil, documentGeneration: 4)
    let payloads: [StorePayload?] = [
      nil, .document(DocumentOutline(document: Stage.document, title: "A", pages: [Stage.page(1)])),
      .page(
        PageContent(
          page: Self.page, canvas: Stage.canvas,
          elements: [
            .stroke(Stage.stroke(1)), .image(image), .unknown(UnknownElement(type: 9, payload: [0, 255])),
          ])),
      .library([
        LibraryItem(document: Stage.document, manifest: manifest, hasCover: false),
        LibraryItem(document: Stage.page(1), manifest: nil, hasCover: true),
      ]),
    ]
    let failures =
      StoreFailure.Kind.allCases.map { StoreFailure(kind: $0, message: "m") }
      + [StoreFailure(kind: .fileCall, call: "rename", errno: .enospc, message: "full")]
    for payload in payloads {
      let answer = StoreAnswer(
        number: 9, failures: failures,
        durable: DurableNews(
          pages: [DurablePage(Self.page, upTo: 3)], documents: [DurableDocument(Stage.document, upTo: 4)],
          assets: [DurableAsset(document: Stage.document, asset: Stage.asset(1))]),
        unsaved: UnsavedWork(pages: [Self.page], documents: [Stage.document]), payload: payload)
      #expect(try StoreAnswer.reading(wire: JSONValue.parse(answer.wireValue.serialized())) == answer)
    }
  }

  static let mistakes: [(String, String)] = [
    ("[]", "a command must be an object"),
    (#"{"number":1}"#, "a command lacks 'do'"),
    (#"{"do":"list"}"#, "a command lacks 'number'"),
    (#"{"do":"list","number":-1}"#, "'number' of a command must be an integer that UInt64 can hold"),
    (#"{"do":"save","number":1}"#, "this store does not know the command 'save'"),
    (#"{"do":"open","number":1}"#, "open lacks 'document'"),
    (#"{"do":"open","document":7,"number":1}"#, "'document' of open must be a string"),
    (#"{"do":"open","document":"x","number":1}"#, "'document' of open must be a UUID"),
    (
      #"{"do":"advance","milliseconds":1.5,"number":1}"#,
      "'milliseconds' of advance must be an integer that Int64 can hold"
    ),
  ]

  @Test(arguments: mistakes) func saysWhatIsWrong(_ line: String, _ message: String) throws {
    let value = try JSONValue.parse(Array(line.utf8))
    #expect { try NumberedCommand.reading(wire: value) } throws: { "\($0)" == message }
  }

  @Test func saysWhichSampleIsWrong() throws {
    for (samples, message) in [
      ("[1,2,3,4]", "'samples' of a stroke must hold five integers a sample: x, y, radius, pressure, time"),
      ("[1,2,3,4,5,1,2,65536,4,5]", "sample 1 of a stroke is out of range"),
      ("[1,2,3,4,null]", "'samples' of a stroke must hold integers"),
    ] {
      let text = #"{"id":"\#(Stage.element(1))","pen":0,"colour":0,"baseRadius":1,"samples":\#(samples)}"#
      let value = try JSONValue.parse(Array(text.utf8))
      #expect { try Stroke.reading(wire: value) } throws: { "\($0)" == message }
    }
  }

  @Test func theHandshakeComesBackAsItWas() throws {
    #expect(try DriverHello.reading(wire: DriverHello.own.wireValue) == .own)
    for mutant in [nil, StoreMutant.retryFsync] {
      let start = DriverStart(
        configuration: StoreConfiguration(
          durability: .file, mutant: mutant, now: Stage.now, seed: .max, autosaveMilliseconds: 20,
          drawsThumbnails: mutant == nil),
        root: mutant == nil ? nil : "/x")
      #expect(try DriverStart.reading(wire: JSONValue.parse(start.wireValue.serialized())) == start)
    }
    for readiness in [DriverReadiness.ready, .refused("no")] {
      #expect(try DriverReadiness.reading(wire: readiness.wireValue) == readiness)
    }
  }

  static let start: [String: JSONValue] = [
    "protocol": 1, "engine": "snapshot", "durability": "full", "root": "/x", "mutant": .null, "now": 5, "seed": 6,
  ]

  @Test func startsThatAreRefused() throws {
    #expect(
      try DriverStart.reading(wire: .object(Self.start)).configuration
        == StoreConfiguration(now: Timestamp(milliseconds: 5), seed: 6))
    for (key, value, message) in [
      ("protocol", 2, "the caller speaks protocol 2, this driver speaks 1"),
      ("engine", "journal", "'engine' of a start must be one of snapshot"),
      ("durability", "most", "'durability' of a start must be one of none, file, full"),
      ("now", -1, "'now' of a start must lie between 1970 and 9999"),
      ("autosave", -1, "'autosave' of a start must be 0 to 60000"),
      (
        "mutant", "x",
        "'mutant' of a start must be one of overwrite-in-place, asset-file-not-synced, page-before-asset, "
          + "load-failure-is-empty, replace-item, retry-fsync, cleans-unproven, rename-away-first, "
          + "synced-after-rename, directory-not-synced, sync-error-ignored, short-write-believed, "
          + "temporary-name-shared, temporary-left-behind, document-before-pages, manifest-before-document, "
          + "page-removed-first, generation-reused, save-error-swallowed, failed-save-forgets, "
          + "flush-saves-one-page, close-without-save, undo-not-saved, asset-named-by-size"
      ),
    ] as [(String, JSONValue, String)] {
      let value = JSONValue.object(Self.start.merging([key: value]) { $1 })
      #expect { try DriverStart.reading(wire: value) } throws: { "\($0)" == message }
    }
  }

  @Test func theDocumentationHasTheSameWords() throws {
    let docs = try HostVolume(root: repositoryRoot.appending("Docs/reference"))
    let page = String(decoding: try docs.bytes(of: "driver-protocol.md"), as: UTF8.self)
    let rows = page.split(separator: "\n").filter { $0.hasPrefix("| `") }.compactMap {
      $0.split(separator: "`", omittingEmptySubsequences: false).dropFirst().first.map(String.init)
    }
    // The heads of the two tables are rows as well.
    let words = ["do", "kind"] + Self.commands.map(\.word) + StoreFailure.Kind.allCases.map(\.rawValue)
    #expect(Set(rows) == Set(words))
  }

  @Test func everyMutantHasANameAndASentence() {
    #expect(Set(StoreMutant.all.map(\.name)).count == StoreMutant.all.count)
    for mutant in StoreMutant.all { #expect(mutant.sentence.hasSuffix(".")) }
  }
}
