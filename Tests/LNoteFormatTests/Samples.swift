import LNoteFormat
import TestSupport

/// Values that the tests of this room share.
enum Samples {
  static let pageID = NoteID(high: 0x0011_2233_4455_4677, low: 0x8899_AABB_CCDD_EEFF)
  static let documentID = NoteID(high: 0x6F96_19FF_8B86_D011, low: 0xB42D_00C0_4FC9_64FF)
  static let assetID = NoteID(high: 0xA55E_7000_0000_4000, low: 0x8000_0000_0000_0001)

  /// A stroke, an image and an element of unknown type: 276 bytes as a file.
  static let page = PageSnapshot(
    id: pageID, generation: 9, canvas: CanvasSize(width: 8340, height: 11940),
    created: Timestamp(milliseconds: 1_782_898_200_000), modified: Timestamp(milliseconds: 1_782_898_272_480),
    elements: [
      .stroke(
        Stroke(
          id: element(1), pen: 2, colour: 0x1122_33FF, baseRadius: 15,
          samples: [
            StrokeSample(x: 100, y: 200, radius: 15, pressure: 500, time: 0),
            StrokeSample(x: -1, y: Int32.min, radius: 65535, pressure: 1000, time: 8),
            StrokeSample(x: Int32.max, y: 0, radius: 0, pressure: 0, time: UInt32.max),
          ])),
      .image(
        PlacedImage(
          id: element(2), asset: assetID, x: -10, y: 20, width: 3000, height: 4000, rotation: -90_000,
          assetLength: 1_234_567_890_123,
          assetDigest: AssetDigest(high: 0x0102_0304_0506_0708, low: 0x090A_0B0C_0D0E_0F10))),
      .unknown(UnknownElement(type: 200, payload: [0xDE, 0xAD, 0xBE, 0xEF, 0x00])),
    ])

  static func element(_ number: UInt64) -> NoteID { NoteID(high: 0xE1E1_0000_0000_4000, low: 0x8000 << 48 | number) }

  /// A page of so many strokes with so many samples each.
  static func page(strokes: Int, samples: Int, generation: UInt64 = 7) -> PageSnapshot {
    var random = SeededGenerator(seed: 1)
    let elements = (0..<strokes).map { number in
      PageElement.stroke(
        Stroke(
          id: element(UInt64(number + 1)), pen: 0, colour: 0xFF, baseRadius: 10,
          samples: (0..<samples).map { index in
            StrokeSample(
              x: Int32.random(in: 1...8000, using: &random), y: Int32.random(in: 1...11000, using: &random),
              radius: 10, pressure: 600, time: UInt32(index) * 8 + 1)
          }))
    }
    return PageSnapshot(
      id: pageID, generation: generation, canvas: CanvasSize(width: 8340, height: 11940),
      created: Timestamp(milliseconds: 1000), modified: Timestamp(milliseconds: 2000), elements: elements)
  }

  static let document = DocumentRecord(
    id: documentID, title: "Analysis I", created: Timestamp(milliseconds: 1_782_898_200_000),
    modified: Timestamp(milliseconds: 1_782_898_272_480), generation: 17,
    pages: [
      PageEntry(
        id: pageID, canvas: CanvasSize(width: 8340, height: 11940),
        created: Timestamp(milliseconds: 1_782_898_200_000), modified: Timestamp(milliseconds: 1_782_898_272_480),
        elementCount: 3, generation: 9)
    ])

  /// A document in which everything that can be there is there.
  static let fullDocument: DocumentRecord = {
    var document = Samples.document
    let loss = RecordedLoss(
      at: Timestamp(milliseconds: 1_796_047_332_000), code: "LN3001", elements: 12, stamp: "20261130T140212Z",
      isAccepted: true, unknown: ["why": "age"])
    document.title = "Ä \"quoted\" \\ \u{1F600} \n\u{1B}[31m"
    document.losses = [loss]
    document.deleted = [DeletedPage(id: element(9), generation: 3, unknown: ["by": "me"])]
    document.pages[0].losses = [loss]
    document.pages[0].unknown = ["paper": "squared", "checksum": 7]
    document.pages[0].canvasUnknown = ["unit": "dpt"]
    var second = document.pages[0]
    second.id = element(10)
    document.pages.append(second)
    document.unknown = ["a": [1, .real(2.5), .null, true], "tags": ["x": ["y": "z"]]]
    return document
  }()

  static let manifest = ManifestRecord(mirroring: document)

  /// A manifest that repeats losses: of the document, of two pages, and of one that is no more.
  static let fullManifest: ManifestRecord = {
    var document = fullDocument
    var gone = document.losses[0]
    gone.unknown["page"] = .string("\(element(11))")
    document.losses.append(gone)
    return ManifestRecord(mirroring: document)
  }()
}
